import { plural, text } from '../base/text.ts'

const en = {
  undo: 'Undo',
  undone: 'Undone',
  undonePartly: (left: number) =>
    plural(left, {
      one: 'Undone except for # photo, which has changed since',
      other: 'Undone except for # photos, which have changed since',
    }),
  close: 'Close',
  showPassword: 'Show password',
  cancel: 'Cancel',
  adminsOnly: 'Only admins can see this',
  noConnection: 'No connection to the server. Trying again…',
  otherPage: 'Another page answered instead of the server, perhaps a sign-in page.',
  overdue: 'Waiting for the server',
  unliked: 'No longer a favourite',
  reload: 'Reload',
  share: 'Share',
  shareWith: 'Share with',
  partLost: 'Part of the page could not be loaded.',
  date: 'Date and time',
  known: 'How much is known',
  precisions: { moment: 'Date and time', day: 'The day', month: 'The month', year: 'The year' },
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
      one: 'Rückgängig bis auf # Foto, das seither geändert wurde',
      other: 'Rückgängig bis auf # Fotos, die seither geändert wurden',
    }),
  close: 'Schließen',
  showPassword: 'Zeigen, was getippt ist',
  cancel: 'Abbrechen',
  adminsOnly: 'Das ist etwas für Admins',
  noConnection: 'Keine Verbindung zum Server. Neuer Versuch läuft…',
  otherPage: 'Statt des Servers antwortet eine andere Seite, vielleicht zum Anmelden.',
  overdue: 'Warten auf den Server',
  unliked: 'Kein Favorit mehr',
  reload: 'Laden',
  share: 'Teilen',
  shareWith: 'Teilen mit',
  partLost: 'Ein Teil der Seite konnte nicht geladen werden.',
  date: 'Datum und Uhrzeit',
  known: 'Was bekannt ist',
  precisions: { moment: 'Datum und Uhrzeit', day: 'Der Tag', month: 'Der Monat', year: 'Das Jahr' },
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
