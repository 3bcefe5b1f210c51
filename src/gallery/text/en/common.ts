import { plural } from '../../base/text.ts'

/** Words that several features use, and those of notices. */
export const en = {
  undo: 'Undo',
  undone: 'Undone',
  undonePartly: (left: number) =>
    plural(left, {
      one: 'Undone but for # file, which has been changed since',
      other: 'Undone but for # files, which have been changed since',
    }),
  close: 'Close',
  showPassword: 'Show what is typed',
  cancel: 'Cancel',
  adminsOnly: 'This is for admins',
  noConnection: 'No connection to the server;',
  otherPage: 'Another page answers instead of the server, perhaps to sign in;',
  tryingIn: (seconds: number) => `trying again in ${seconds} s`,
  tryNow: 'Try now',
  reload: 'Load it',
  partLost: 'A part of the page could not be loaded.',
  /** The labels of keys on keyboards. */
  keyNames: {
    Ctrl: 'Ctrl',
    Alt: 'Alt',
    Shift: 'Shift',
    Home: 'Home',
    End: 'End',
    Escape: 'Esc',
    Delete: 'Del',
    Space: 'Space',
    PageUp: 'Page up',
    PageDown: 'Page down',
  } as Record<string, string>,
}
