import { plural } from '../../base/text.ts'
import type { en } from '../en/account.ts'

export const de: typeof en = {
  title: 'Konto',
  change: 'Passwort ändern',
  current: 'Passwort bisher',
  next: 'Neues Passwort',
  hint: 'Alle deine anderen Sitzungen enden.',
  changed: 'Das Passwort ist geändert; deine anderen Sitzungen sind zu Ende',
  wrong: 'Das ist nicht dein Passwort.',
  sessions: 'Wo du angemeldet bist',
  device: ({ program, system }) =>
    system ? `${program} auf ${system}` : program || 'Ein unbekanntes Programm',
  thisOne: (began) => `diese hier, seit ${began}`,
  since: (began, used) => `seit ${began}, zuletzt benutzt ${used}`,
  end: 'Beenden',
  ended: 'Die Sitzung ist zu Ende; das lässt sich nicht rückgängig machen',
  more: (count) => plural(count, { one: '# weitere', other: '# weitere' }),
}
