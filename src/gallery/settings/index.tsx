import { useSignal } from '@preact/signals'
import { hasKeys } from '../base/keys.ts'
import { density, keyTag, newTags, order, singleKeys, stacks, theme } from '../base/preferences.ts'
import { looksOnly } from '../base/session.ts'
import { language } from '../base/text.ts'
import { Chip } from '../parts/chip.tsx'
import { Choice } from '../parts/seg.tsx'
import { colorOf, KeyTagDialog, tagsById } from '../tag-box/index.ts'
import { settings } from '../text/settings.ts'
import { Account } from './account.tsx'
import { Keys } from './keys.tsx'
import { Links } from './links.tsx'

export { ChangePassword } from './account.tsx'

/** The screen of the user's settings. */
export function Settings() {
  const words = settings()
  return (
    <>
      <div class="bar">
        <h1>{words.title}</h1>
      </div>
      <div class="page settings">
        <section class="card">
          <h2>{words.appearance}</h2>
          <Choice label={words.theme} value={theme} options={words.themes} />
          <Choice label={words.density} value={density} options={words.densities} />
          <Choice
            label={words.series}
            hint={words.seriesHint}
            value={stacks}
            options={{ on: words.on, off: words.off }}
          />
          <Choice label={words.order} value={order} options={words.orders} />
          <Choice label={words.language} value={language} options={words.languages} />
          <p class="muted small">{words.remembered}</p>
        </section>
        {hasKeys.value && (
          <section class="card">
            <h2>{words.keyboard}</h2>
            <Choice
              label={words.singleKeys}
              hint={words.singleKeysHint}
              value={singleKeys}
              options={{ on: words.on, off: words.off }}
            />
            {!looksOnly() && <KeyTag />}
          </section>
        )}
        {!looksOnly() && (
          <section class="card">
            <h2>{words.tags}</h2>
            <Choice
              label={words.newTags}
              hint={words.newTagsHint}
              value={newTags}
              options={words.seers}
            />
          </section>
        )}
        {isOnPhone() && (
          <section class="card">
            <h2>{words.app}</h2>
            <p>{isSecureContext ? words.installApp : words.needsHttps}</p>
          </section>
        )}
        <Links />
        <Account />
        <Keys />
      </div>
    </>
  )
}

/** Whether the page is in a browser of a phone or tablet, and not an app yet. */
function isOnPhone(): boolean {
  return (
    matchMedia('(pointer: coarse)').matches && !matchMedia('(display-mode: standalone)').matches
  )
}

/** Sets the tag that a single key adds and removes. */
function KeyTag() {
  const words = settings()
  const isChoosing = useSignal(false)
  const tag = tagsById.value.get(keyTag.value)
  return (
    <div class="choice">
      <span>{words.keyTag}</span>
      <span class="chips">
        {tag ? <Chip color={colorOf(tag)}>{tag.name}</Chip> : words.noKeyTag}
        <button
          type="button"
          class="btn"
          onClick={() => {
            isChoosing.value = true
          }}
        >
          {words.chooseKeyTag}
        </button>
      </span>
      {isChoosing.value && (
        <KeyTagDialog
          onClose={() => {
            isChoosing.value = false
          }}
        />
      )}
    </div>
  )
}
