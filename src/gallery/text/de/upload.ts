import { plural } from '../../base/text.ts'
import type { en } from '../en/upload.ts'

export const de: typeof en = {
  upload: 'Hochladen',
  chooseFiles: 'Dateien wählen',
  chooseFolder: 'Einen Ordner wählen',
  takePicture: 'Ein Foto machen',
  dropHere: 'Loslassen zum Hochladen',
  drop: (name) => `${name} weglassen`,
  progress: (done, total) => `${done} von ${total}`,
  pause: 'Anhalten',
  goOn: 'Weitermachen',
  close: 'Klein machen',
  clear: 'Liste leeren',
  retry: (name) => `${name} noch einmal senden`,
  retryAll: 'Alle fehlgeschlagenen noch einmal versuchen',
  tryAgain: 'Noch einmal versuchen',
  skipped: (count) =>
    plural(count, {
      one: '# Datei ist schon hier und wurde übersprungen',
      other: '# Dateien sind schon hier und wurden übersprungen',
    }),
  here: (by) => (by === null ? 'schon hier' : `schon hier, von ${by}`),
  alike: (name) => (name === null ? 'Sieht aus wie eine andere Datei' : `Sieht aus wie ${name}`),
  trashed: (count) =>
    plural(count, { one: '# davon ist im Papierkorb', other: '# davon sind im Papierkorb' }),
  notRestored: (count) =>
    plural(count, {
      one: '# Datei ließ sich nicht wiederherstellen',
      other: '# Dateien ließen sich nicht wiederherstellen',
    }),
  byFolders: 'Schlagwörter aus Ordnern',
  noTags: (names) => `Daraus kann kein Schlagwort von dir werden: ${names}`,
  finished: (count) =>
    plural(count, { one: '# Datei ist angekommen', other: '# Dateien sind angekommen' }),
  more: (count) => plural(count, { one: 'und # weitere', other: 'und # weitere' }),
  nextTry: (attempt, seconds) => `Versuch ${attempt} in ${seconds} s`,
  pace: (pace, seconds) =>
    seconds < 60
      ? `${pace} in der Sekunde, noch ${plural(Math.max(1, Math.round(seconds)), { one: '# Sekunde', other: '# Sekunden' })}`
      : `${pace} in der Sekunde, noch ${plural(Math.round(seconds / 60), { one: '# Minute', other: '# Minuten' })}`,
  reasons: {
    unsupported_mime: 'kein Bild und kein Film',
    payload_too_large: 'größer, als der Server oder ein Proxy davor annimmt',
    insufficient_storage: 'die Festplatte des Servers ist voll',
    'insufficient_storage file': 'dein Platz ist aufgebraucht',
    forbidden: 'du darfst keine Dateien hinzufügen',
    no_connection: 'die Verbindung ging verloren',
  },
}
