import { density, order, singleKeys, theme } from '../base/settings/preferences.ts'
import { language } from '../base/text.ts'
import { Choice } from '../parts/choice/choice.tsx'
import { settings } from '../text/settings.ts'
import { Account } from './account.tsx'
import { KeyTag } from './key-tag.tsx'

export { ChangePassword } from './password.tsx'

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
          <Choice label={words.order} value={order} options={words.orders} />
          <Choice label={words.language} value={language} options={words.languages} />
          <p class="muted small">{words.kept}</p>
        </section>
        <section class="card">
          <h2>{words.keyboard}</h2>
          <Choice
            label={words.singleKeys}
            hint={words.singleKeysHint}
            value={singleKeys}
            options={{ on: words.on, off: words.off }}
          />
          <KeyTag />
        </section>
        <Account />
      </div>
    </>
  )
}
