import { isSingle } from '../base/keys.ts'
import { singleKeys } from '../base/preferences.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Kbd } from '../parts/icon.tsx'
import { KEY_WORDS } from '../text/keys.ts'
import { shell } from '../text/shell.ts'

/** Lists all keys and what they do. */
export function KeySheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={shell().allKeys} class="wide" onClose={onClose}>
      <div class="keysheet">
        {KEY_WORDS.map((words) => (
          <section key={words().title}>
            <h3>{words().title}</h3>
            <dl>
              {Object.entries(words().keys)
                .filter(([key]) => singleKeys.value === 'on' || !isSingle(key))
                .map(([key, meaning]) => (
                  <div key={key}>
                    <dt>
                      <Kbd of={key} />
                    </dt>
                    <dd>{meaning}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
