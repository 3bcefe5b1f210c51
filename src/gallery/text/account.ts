import { plural, text } from '../base/text.ts'

const en = {
  title: 'Account',
  change: 'Change the password',
  current: 'Current password',
  next: 'New password',
  hint: 'This signs you out everywhere else.',
  endKeys: 'Also end my keys for apps',
  changed: 'Password changed. You are signed out everywhere else.',
  wrong: 'That is not your password.',
  sessions: 'Where you are signed in',
  device: ({ program, system }: { program: string; system: string | undefined }) =>
    system ? `${program} on ${system}` : program || 'An unknown program',
  thisOne: (began: string) => `this one, since ${began}`,
  since: (began: string, used: string) => `since ${began}, last used ${used}`,
  end: 'Sign out there',
  ended: 'Signed out there. This can’t be undone.',
  endOthers: 'End all other sessions',
  endedOthers: 'You are signed out everywhere else. This can’t be undone.',
  more: (count: number) => plural(count, { one: '# more', other: '# more' }),
}

const de: typeof en = {
  title: 'Konto',
  change: 'Passwort ändern',
  current: 'Passwort bisher',
  next: 'Neues Passwort',
  hint: 'Alle deine anderen Sitzungen enden.',
  endKeys: 'Auch meine Schlüssel für Apps beenden',
  changed: 'Das Passwort ist geändert; deine anderen Sitzungen sind zu Ende',
  wrong: 'Das ist nicht dein Passwort.',
  sessions: 'Wo du angemeldet bist',
  device: ({ program, system }) =>
    system ? `${program} auf ${system}` : program || 'Ein unbekanntes Programm',
  thisOne: (began) => `diese hier, seit ${began}`,
  since: (began, used) => `seit ${began}, zuletzt benutzt ${used}`,
  end: 'Beenden',
  ended: 'Die Sitzung ist zu Ende; das lässt sich nicht rückgängig machen',
  endOthers: 'Alle anderen beenden',
  endedOthers: 'Deine anderen Sitzungen sind zu Ende; das lässt sich nicht rückgängig machen',
  more: (count) => plural(count, { one: '# weitere', other: '# weitere' }),
}

export const account = text({ en, de })
