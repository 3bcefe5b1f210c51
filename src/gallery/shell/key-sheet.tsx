import { isSingle } from '../base/keys.ts'
import { singleKeys } from '../base/preferences.ts'
import { looksOnly } from '../base/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Kbd } from '../parts/icon.tsx'
import { keyWords } from '../text/keys.ts'
import { shell } from '../text/shell.ts'

/** Lists all keys and what they do. */
export function KeySheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={shell().allKeys} class="wide" onClose={onClose}>
      <div class="keysheet">
        {keyWords(looksOnly()).map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys
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
