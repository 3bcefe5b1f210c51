import { plural, text } from '../base/text.ts'

const en = {
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
  share: 'Share',
  shareWith: 'Share with',
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

const de: typeof en = {
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht',
  undonePartly: (left) =>
    plural(left, {
      one: 'Rückgängig bis auf # Datei, die seither geändert wurde',
      other: 'Rückgängig bis auf # Dateien, die seither geändert wurden',
    }),
  close: 'Schließen',
  showPassword: 'Zeigen, was getippt ist',
  cancel: 'Abbrechen',
  adminsOnly: 'Das ist etwas für Admins',
  noConnection: 'Keine Verbindung zum Server;',
  otherPage: 'Statt des Servers antwortet eine andere Seite, vielleicht zum Anmelden;',
  tryingIn: (seconds) => `neuer Versuch in ${seconds} s`,
  tryNow: 'Jetzt versuchen',
  reload: 'Laden',
  share: 'Teilen',
  shareWith: 'Teilen mit',
  partLost: 'Ein Teil der Seite konnte nicht geladen werden.',
  keyNames: {
    Ctrl: 'Strg',
    Alt: 'Alt',
    Shift: 'Umschalt',
    Escape: 'Esc',
    Delete: 'Entf',
    Space: 'Leer',
    Home: 'Pos1',
    End: 'Ende',
    PageUp: 'Bild auf',
    PageDown: 'Bild ab',
  },
}

/** Words that several features use, and those of notices. */
export const common = text({ en, de })
