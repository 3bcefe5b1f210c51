import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { type Keys, useKeys } from '../base/keys.ts'
import { keyTag, singleKeys } from '../base/preferences.ts'
import { Chip } from '../parts/chip.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { problem } from '../text/problem.ts'
import { tagBox } from '../text/tag-box.ts'
import { TagBox } from './box.tsx'
import type { OnFiles } from './edits.ts'
import { SLOTS, tagsOfLast } from './recent.ts'
import { createTagger, type Tagger } from './tagger.ts'
import { areTagsLoaded, colorOf, recent, tagsById } from './tags.ts'
import type { Target } from './target.ts'

const keyTagDialog = async () => (await import('./key-tag.tsx')).KeyTagDialog

/** Registers the digits and Shift+F for their tags while it is mounted, and further keys. */
export function TagKeys({ tagger, more }: { tagger: Tagger; more: Keys }) {
  const isAsked = useSignal(false)
  const keys: Keys = {
    ...more,
    '0': () => void tagger.repeat(),
    'Shift+F': () => {
      const id = keyTag.peek()
      const isGone = areTagsLoaded.peek() && !tagsById.peek().has(id)
      if (id === '' || isGone) isAsked.value = true
      else void tagger.toggle(id)
    },
  }
  for (let slot = 0; slot < SLOTS; slot++) {
    keys[slot + 1] = () => {
      const id = recent.peek().slots[slot]
      if (id !== undefined) void tagger.add([id])
    }
  }
  useKeys('tagging', keys)
  if (!isAsked.value) return null
  return (
    <OnDemand
      load={keyTagDialog}
      onClose={() => {
        isAsked.value = false
      }}
      onChosen={(id: string) => void tagger.add([id])}
    />
  )
}

/** Returns the tagger of a target, as long as that is the same and the component is mounted. */
export function useTagger(target: Target, known?: OnFiles[]): Tagger {
  const tagger = useMemo(() => createTagger(target, known), [target.key])
  useEffect(() => () => tagger.dispose(), [tagger])
  return tagger
}

interface TaggingProps {
  tagger: Tagger
  input?: RefObject<HTMLInputElement | null>
  /** Which keys the empty box leaves to its surroundings; by default those for undo. */
  sharesKeys?: 'all' | 'undo'
  /** Called on Escape in the box; by default it only loses the focus. */
  onLeave?(): void
  /** Whether it is hidden, and so loads nothing yet. */
  isHidden?: boolean
}

/** Shows the tags of files, with a box for more and keys for the recent ones. */
export function Tagging(props: TaggingProps) {
  const { tagger, input, sharesKeys, onLeave, isHidden = false } = props
  const words = tagBox()
  const own = useRef<HTMLInputElement>(null)
  const box = input ?? own
  const tags = tagger.tags.value
  useEffect(() => {
    if (!isHidden) tagger.open()
  }, [tagger, isHidden])
  const present = useMemo(
    () => new Set(tags?.filter(({ on }) => on === 'all').map(({ id }) => id)),
    [tags],
  )
  return (
    <>
      <section class="tagging" aria-label={words.tags}>
        <h2>
          {words.tags} <kbd>T</kbd>
        </h2>
        {tags && tags.length > 0 && (
          <div class="chips">
            {sorted(tags).map((tag) => (
              <TagChip key={tag.id} tag={tag} tagger={tagger} />
            ))}
          </div>
        )}
        {tagger.error.value && <p class="bad small">{problem(tagger.error.value)}</p>}
        <TagBox
          {...(sharesKeys && { sharesKeys })}
          input={box}
          present={present}
          onPick={(id) => void tagger.add([id])}
          onLeave={onLeave ?? (() => box.current?.blur())}
        />
        <Progress tagger={tagger} />
      </section>
      <Again tagger={tagger} />
    </>
  )
}

/** Tags that only a rule added come after those that users added. */
function sorted(tags: OnFiles[]): OnFiles[] {
  return [...tags].sort((a, b) => Number(a.byRule) - Number(b.byRule))
}

function TagChip({ tag, tagger }: { tag: OnFiles; tagger: Tagger }) {
  const words = tagBox()
  const known = tagsById.value.get(tag.id)
  const name = known?.name ?? words.unknown
  const kind = tag.byRule ? 'auto' : tag.on === 'some' ? 'some' : null
  const look = kind ?? (tagger.fresh.value.has(tag.id) ? 'fresh' : null)
  return (
    <Chip
      color={known ? colorOf(known) : null}
      {...(look && { class: look })}
      removeLabel={words.remove(name)}
      onRemove={() => void tagger.remove([tag.id])}
    >
      {kind === 'some' ? (
        <button
          type="button"
          class="words"
          title={words.onSome}
          aria-label={`${name}, ${words.onSome}. ${words.complete(name)}`}
          onClick={() => void tagger.add([tag.id])}
        >
          {name}
        </button>
      ) : (
        <span>{name}</span>
      )}
      {tag.byRule && <span class="muted small">{words.byRule}</span>}
    </Chip>
  )
}

function Progress({ tagger }: { tagger: Tagger }) {
  const words = tagBox()
  const { count } = tagger.target
  const done = tagger.progress.value
  if (done === null) return null
  return (
    <div class="progress" role="status">
      <progress max={count} value={done} />
      <span class="num small">{words.progress(number(done), number(count))}</span>
      <button type="button" class="btn quiet" onClick={() => tagger.cancel()}>
        {words.end}
      </button>
    </div>
  )
}

function Again({ tagger }: { tagger: Tagger }) {
  const words = tagBox()
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
