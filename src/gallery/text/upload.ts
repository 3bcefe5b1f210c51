import { number } from '../base/format.ts'
import { plural, text } from '../base/text.ts'

const en = {
  upload: 'Upload',
  chooseFiles: 'Choose photos',
  chooseFolder: 'Choose a folder',
  takePicture: 'Take a photo',
  dropHere: 'Let go to upload',
  uploadShared: (count: number) =>
    plural(count, { one: 'Upload # photo?', other: 'Upload # photos?' }),
  sharedBy: (name: string) => `Another app on this device is sharing this with ${name}.`,
  notShared: 'Nothing has arrived from the other app. Please share it again.',
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
      one: '# photo is already here and was skipped',
      other: '# photos are already here and were skipped',
    }),
  here: (by: string | null) => (by === null ? 'already here' : `already here, from ${by}`),
  alike: (name: string | null) =>
    name === null ? 'Looks like another photo' : `Looks like ${name}`,
  trashed: (count: number) =>
    plural(count, { one: '# of them is in the trash', other: '# of them are in the trash' }),
  notRestored: (count: number) =>
    plural(count, {
      one: '# photo could not be restored',
      other: '# photos could not be restored',
    }),
  byFolders: 'Tags from folders',
  ownTags: (names: string) =>
    `Some names are taken by tags you can’t see. Yours are called: ${names}`,
  noTags: (names: string) => `These names can’t become tags of yours: ${names}`,
  finished: (count: number) =>
    plural(count, { one: '# photo has arrived', other: '# photos have arrived' }),
  outcome: (done: number, refused: number, failed: number) =>
    [
      `${number(done)} arrived`,
      refused > 0 && `${number(refused)} refused`,
      failed > 0 && `${number(failed)} failed`,
    ]
      .filter(Boolean)
      .join(', '),
  reading: (count: number) =>
    plural(count, { one: 'Reading the last one …', other: 'Reading the last # …' }),
  damaged: (count: number) =>
    plural(count, { one: '# photo seems damaged', other: '# photos seem damaged' }),
  seemsDamaged: 'Seems damaged. A part of it is missing or can’t be shown.',
  empty: 'The file is empty.',
  more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  nextTry: (attempt: number, seconds: number) => `try ${attempt} in ${seconds} s`,
  pace: (pace: string, seconds: number) =>
    seconds < 60
      ? `${pace}/s, ${Math.max(1, Math.round(seconds))} s left`
      : `${pace}/s, ${number(Math.round(seconds / 60))} min left`,
  reasons: {
    unsupported_mime: 'Not a photo or video.',
    payload_too_large: 'Too large for the server, or for a proxy in front of it.',
    insufficient_storage: 'The server’s disk is full.',
    'insufficient_storage file': 'There’s no space left for your photos.',
    forbidden: 'You may not add photos.',
    no_connection: 'The connection was lost.',
  } as Record<string, string>,
}

const de: typeof en = {
  upload: 'Hochladen',
  chooseFiles: 'Fotos wählen',
  chooseFolder: 'Einen Ordner wählen',
  takePicture: 'Ein Foto machen',
  dropHere: 'Loslassen zum Hochladen',
  uploadShared: (count) => plural(count, { one: '# Foto hochladen?', other: '# Fotos hochladen?' }),
  sharedBy: (name) => `Eine andere App auf diesem Gerät teilt das mit ${name}.`,
  notShared: 'Von der anderen App ist nichts angekommen. Bitte noch einmal teilen.',
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
      one: '# Foto ist schon hier und wurde übersprungen',
      other: '# Fotos sind schon hier und wurden übersprungen',
    }),
  here: (by) => (by === null ? 'schon hier' : `schon hier, von ${by}`),
  alike: (name) => (name === null ? 'Sieht aus wie ein anderes Foto' : `Sieht aus wie ${name}`),
  trashed: (count) =>
    plural(count, { one: '# davon ist im Papierkorb', other: '# davon sind im Papierkorb' }),
  notRestored: (count) =>
    plural(count, {
      one: '# Foto ließ sich nicht wiederherstellen',
      other: '# Fotos ließen sich nicht wiederherstellen',
    }),
  byFolders: 'Schlagwörter aus Ordnern',
  ownTags: (names) => `Manche Namen sind schon vergeben. Deine Schlagwörter heißen: ${names}`,
  noTags: (names) => `Daraus kann kein Schlagwort von dir werden: ${names}`,
  finished: (count) =>
    plural(count, { one: '# Foto ist angekommen', other: '# Fotos sind angekommen' }),
  outcome: (done, refused, failed) =>
    [
      `${number(done)} angekommen`,
      refused > 0 && `${number(refused)} abgelehnt`,
      failed > 0 && `${number(failed)} fehlgeschlagen`,
    ]
      .filter(Boolean)
      .join(', '),
  reading: (count) =>
    plural(count, { one: 'Das letzte wird gelesen …', other: 'Die letzten # werden gelesen …' }),
  damaged: (count) =>
    plural(count, { one: '# Foto scheint beschädigt', other: '# Fotos scheinen beschädigt' }),
  seemsDamaged: 'Scheint beschädigt. Ein Teil fehlt oder lässt sich nicht zeigen.',
  empty: 'Die Datei ist leer.',
  more: (count) => plural(count, { one: 'und # weitere', other: 'und # weitere' }),
  nextTry: (attempt, seconds) => `Versuch ${attempt} in ${seconds} s`,
  pace: (pace, seconds) =>
    seconds < 60
      ? `${pace}/s, noch ${Math.max(1, Math.round(seconds))} s`
      : `${pace}/s, noch ${number(Math.round(seconds / 60))} min`,
  reasons: {
    unsupported_mime: 'Kein Foto und kein Video.',
    payload_too_large: 'Zu groß für den Server oder für einen Proxy davor.',
    insufficient_storage: 'Die Festplatte des Servers ist voll.',
    'insufficient_storage file': 'Dein Platz ist aufgebraucht.',
    forbidden: 'Du darfst keine Fotos hinzufügen.',
    no_connection: 'Die Verbindung ging verloren.',
  },
}

export const upload = text({ en, de })
