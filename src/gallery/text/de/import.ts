import { number } from '../../base/format.ts'
import { plural } from '../../base/text.ts'
import type { en } from '../en/import.ts'

const REASONS: Record<string, string> = {
  'a folder': 'ein eigener Ordner',
  'a folder too far down': 'mehr als 64 Ordner tief',
  'a folder of thumbnails, snapshots or what was thrown away':
    'ein Ordner für Vorschaubilder, Schnappschüsse oder Weggeworfenes',
  'a folder of backups': 'ein Ordner mit Sicherungen',
  'another library': 'eine andere Bibliothek',
  'a symbolic link': 'eine Verknüpfung',
  'not a regular file': 'keine Datei',
  hidden: 'versteckt',
  empty: 'leer',
  'a part of a file': 'ein Teil einer Datei, noch nicht fertig',
  'still being written': 'wird noch geschrieben',
  'no longer there': 'nicht mehr da',
  'its file in the library was deleted meanwhile': 'inzwischen hier gelöscht',
  'already here': 'schon hier',
  'A file with the same content is in the library already':
    'soll nicht zweimal hier sein, ist es aber schon',
  'already imported': 'früher importiert',
  'the source has changed meanwhile, so it stays': 'inzwischen geändert, bleibt daher dort',
  'the source could not be removed': 'ließ sich nicht aus dem Ordner entfernen',
  "its content in the library is damaged or can't be read, so the source stays":
    'was hier davon ist, ist beschädigt, bleibt daher dort',
  'The file is no picture or video of a known type': 'kein Bild und kein Film',
  "The creator's files have reached their quota": 'für deine Dateien ist kein Platz mehr',
  "The server's disk is full": 'auf dem Server ist kein Platz mehr',
  'the disk of the server is full': 'auf dem Server ist kein Platz mehr',
  'permission denied': 'der Server darf sie nicht lesen',
  'the folder is read-only': 'der Ordner lässt sich nicht ändern',
  'the folder is no longer where it was': 'der Ordner ist nicht mehr, wo er war',
  'the file is no longer where it was': 'die Datei ist nicht mehr, wo sie war',
  'A tag with this name already exists': 'ein Schlagwort dieses Namens wird gerade gelöscht',
  'A file may have at most 1000 tags': 'sie hätte mehr als 1.000 Schlagwörter',
  'Only admins may do that': 'wer importiert hat, ist kein Admin mehr',
}

export const de: typeof en = {
  title: 'Import',
  hint: 'Ordner, die der Server sieht. Von diesem Rechner: irgendwohin ziehen.',
  heads: { running: 'Import läuft', done: 'Letzter Import', failed: 'Letzter Import, abgebrochen' },
  tries: {
    running: 'Versuch läuft',
    done: 'Letzter Versuch',
    failed: 'Letzter Versuch, abgebrochen',
  },
  since: (name, time) => `von ${name}, begonnen ${time}`,
  sourcesStay: 'die Dateien bleiben, wo sie sind',
  none: 'Seit der Server gestartet wurde, wurde nichts importiert.',
  end: 'Import beenden',
  ending: 'Endet nach dieser Datei',
  of: (total) => plural(total, { one: 'von # Eintrag', other: 'von # Einträgen' }),
  progress: 'Importiert',
  young: (count) =>
    plural(count, {
      one: '# wurde eben erst geändert und kommt nach kurzem Warten.',
      other: '# wurden eben erst geändert und kommen nach kurzem Warten.',
    }),
  now: (name) => `gerade ${name}`,
  imported: 'neu',
  skipped: 'dort gelassen',
  failed: 'fehlgeschlagen',
  toGo: (speed) => `noch, ${number(speed)} pro Sekunde`,
  review: 'Im Eingang durchsehen',
  restarted: 'Der Server wurde inzwischen neu gestartet. Was bis dahin importiert wurde, ist hier.',
  cutOff: 'Der Import wurde abgebrochen. Was bis dahin importiert wurde, ist hier.',
  tryCutOff: 'Der Versuch wurde abgebrochen. Nichts wurde geändert.',
  nothingChanged: 'Nichts wurde geändert. Kaputte Bilder fallen erst beim Importieren auf.',
  hereOrTwice: (count) =>
    plural(count, {
      one: '# Datei hat Bytes, die schon hier sind oder auch eine andere hat.',
      other: '# Dateien haben Bytes, die schon hier sind oder auch eine andere hat.',
    }),
  endedBy: (name) => `Von ${name} beendet.`,
  taken: (count) =>
    plural(count, { one: '# Datei ist importiert', other: '# Dateien sind importiert' }),
  copied: (count) =>
    plural(count, { one: '# Datei ist hierher kopiert', other: '# Dateien sind hierher kopiert' }),
  tried: (count) =>
    plural(count, { one: '# Datei würde importiert', other: '# Dateien würden importiert' }),
  reason: (reason) =>
    reason
      .split('; ')
      .map((part) => REASONS[part] ?? REASONS[part.split(',')[0]!])
      .map((part) => part ?? 'ging schief; warum, steht im Log des Servers')
      .join('; '),
  refused: 'Nicht genommen',
  wouldRefuse: 'Würde nicht genommen',
  save: 'Liste sichern',
  listName: 'nicht-importiert.txt',
  more: (count) => `${number(count)} weitere`,
  stay: 'Die Dateien bleiben, wo sie sind.',
  onlyLast: (count) => `Gezeigt werden die letzten ${number(count)}.`,
  next: 'Nächster Import',
  off: 'Der Import ist auf diesem Server ausgeschaltet (IMPORT_PATH ist leer).',
  noFolder: 'Diesen Ordner gibt es nicht, oder der Server kann ihn nicht lesen.',
  root: 'import',
  way: 'Wo du bist',
  find: 'Ordner finden',
  here: 'dieser Ordner',
  open: (name) => `${name} öffnen`,
  take: 'Diesen Ordner importieren',
  takeFiles: (count) =>
    plural(count, { one: '# Datei importieren', other: '# Dateien importieren' }),
  try: 'Nur versuchen',
  options: {
    recursive: { label: 'Auch Unterordner', hint: 'alle Ordner darin, außer versteckten' },
    leave_sources: {
      label: 'Quellen behalten',
      hint: 'aus: eine importierte Datei verlässt ihren Ordner',
    },
    only_new: {
      label: 'Nur, was neu ist',
      hint: 'was schon hier ist, wird nicht noch einmal genommen',
    },
    folder_tags: {
      label: 'Schlagwörter aus Ordnern',
      hint: 'die Namen der Unterordner werden Schlagwörter',
    },
    keyword_tags: {
      label: 'Schlagwörter aus Dateien',
      hint: 'die andere Programme in sie geschrieben haben',
    },
    name_dates: { label: 'Daten aus Namen', hint: 'IMG-20180703 ist vom 3. Juli 2018' },
  },
  leaves: 'Eine importierte Datei verlässt ihren Ordner.',
  staysThere: 'Die Dateien werden kopiert und bleiben in ihrem Ordner.',
  oneAtATime: 'Einer nach dem anderen: dieser wartet auf den laufenden.',
  otherRuns: 'Nicht begonnen: ein anderer Import läuft.',
  notBegun: (said) => `Nicht begonnen. Der Server sagt: ${said}`,
  mayLeave: 'Der Import läuft weiter, solange dieser Tab offen ist, egal in welcher Ansicht.',
  lookAlikes: 'Ähnliche Bilder',
  neverLooked: 'Noch nie gesucht',
  lookedAt: (time) => `Zuletzt gesucht: ${time}`,
  server: 'den Server',
  looking: (name) => `Suche läuft, begonnen durch ${name}`,
  lookAgain: 'Neu suchen',
  rescanCutOff: 'Die Suche nach ähnlichen Bildern wurde abgebrochen.',
  groups: (count) =>
    plural(count, { one: '# Gruppe ähnlicher Bilder', other: '# Gruppen ähnlicher Bilder' }),
  stages: { hash: 'Dateien ansehen', search: 'Vergleichen', write: 'Gefundenes festhalten' },
  inTheMaking: (percent) => `In Arbeit: Größen und Platzhalter, ${percent} %`,
}
