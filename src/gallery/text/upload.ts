import { plural, text } from '../base/text.ts'

const en = {
  upload: 'Upload',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose a folder',
  takePicture: 'Take a picture',
  dropHere: 'Let go to upload',
  drop: (name: string) => `Leave ${name} out`,
  progress: (done: string, total: string) => `${done} of ${total}`,
  pause: 'Pause',
  goOn: 'Resume',
  close: 'Minimize',
  clear: 'Clear the list',
  retry: (name: string) => `Send ${name} again`,
  retryAll: 'Retry all failed',
  tryAgain: 'Try again',
  skipped: (count: number) =>
    plural(count, {
      one: '# file is already here and was skipped',
      other: '# files are already here and were skipped',
    }),
  here: (by: string | null) => (by === null ? 'already here' : `already here, from ${by}`),
  alike: (name: string | null) =>
    name === null ? 'Looks like another file' : `Looks like ${name}`,
  trashed: (count: number) =>
    plural(count, { one: '# of them is in the trash', other: '# of them are in the trash' }),
  notRestored: (count: number) =>
    plural(count, { one: '# file could not be restored', other: '# files could not be restored' }),
  byFolders: 'Tags from folders',
  noTags: (names: string) => `These names can’t become tags of yours: ${names}`,
  finished: (count: number) =>
    plural(count, { one: '# file has arrived', other: '# files have arrived' }),
  more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  nextTry: (attempt: number, seconds: number) => `try ${attempt} in ${seconds} s`,
  pace: (pace: string, seconds: number) =>
    seconds < 60
      ? `${pace} a second, ${plural(Math.max(1, Math.round(seconds)), { one: '# second to go', other: '# seconds to go' })}`
      : `${pace} a second, ${plural(Math.round(seconds / 60), { one: '# minute to go', other: '# minutes to go' })}`,
  reasons: {
    unsupported_mime: 'not a photo or video',
    payload_too_large: 'larger than the server, or a proxy in front of it, accepts',
    insufficient_storage: 'the server’s disk is full',
    'insufficient_storage file': 'no space left for your files',
    forbidden: 'you may not add files',
    no_connection: 'the connection was lost',
  } as Record<string, string>,
}

const de: typeof en = {
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

export const upload = text({ en, de })
