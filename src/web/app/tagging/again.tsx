import { singleKeys } from '../base/settings/preferences.ts'
import { tagging } from '../text/tagging.ts'
import type { Tagger } from './change/tagger.ts'
import { recent } from './history.ts'
import { tagsOfLast } from './recent.ts'
import { tagsById } from './tags.ts'

/** The tags that one key puts on: those used lately, and all of the last file. */
export function Again({ tagger }: { tagger: Tagger }) {
  const words = tagging()
  const { slots } = recent.value
  const last = tagsOfLast(recent.value, tagger.target.key)
  if (slots.length === 0) return null
  return (
    <div class="again">
      <h2>
        {words.again} {singleKeys.value === 'on' && <span class="small">{words.oneKey}</span>}
      </h2>
      <ul class="keys">
        {slots.map((id, index) => (
          <li key={id}>
            <button type="button" onClick={() => void tagger.add([id])}>
              <kbd>{index + 1}</kbd>
              <span>{tagsById.value.get(id)?.name}</span>
            </button>
          </li>
        ))}
        {last.length > 0 && (
          <li>
            <button type="button" onClick={() => void tagger.repeat()}>
              <kbd>0</kbd>
              <span>{words.allOfLast}</span>
            </button>
          </li>
        )}
      </ul>
    </div>
  )
}
