import { plural } from '../../base/text.ts'

export const en = {
  title: 'Account',
  change: 'Change the password',
  current: 'Password so far',
  next: 'New password',
  hint: 'All your other sessions end.',
  changed: 'The password is changed; your other sessions have ended',
  wrong: 'That is not your password.',
  sessions: 'Where you are signed in',
  device: ({ program, system }: { program: string; system: string | undefined }) =>
    system ? `${program} on ${system}` : program || 'An unknown program',
  thisOne: (began: string) => `this one, since ${began}`,
  since: (began: string, used: string) => `since ${began}, last used ${used}`,
  end: 'End',
  ended: 'The session has ended; this has no undo',
  more: (count: number) => plural(count, { one: '# more', other: '# more' }),
}
