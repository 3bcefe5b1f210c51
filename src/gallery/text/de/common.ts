import { plural } from '../../base/text.ts'
import type { en } from '../en/common.ts'

export const de: typeof en = {
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
