import { number } from '../base/format.ts'
import { plural, text } from '../base/text.ts'

/** Why something was not imported, by the server's words. */
const REASONS: Record<string, string> = {
  'a folder': 'a folder of its own',
  'a folder too far down': 'more than 64 folders down',
  'a folder of thumbnails, snapshots or what was thrown away':
    'a folder for thumbnails, snapshots or thrown-away files',
  'a folder of backups': 'a folder of backups',
  'another library': 'another library',
  'a symbolic link': 'a link',
  'not a regular file': 'not a file',
  hidden: 'hidden',
  empty: 'empty',
  sidecar: 'describes a photo beside it',
  'its sidecar is too large to be read': 'what describes it is too large to be read',
  'its sidecar has changed meanwhile': 'what describes it changed in the meantime; both stay',
  'its sidecar could not be removed': 'what describes it could not be removed; both stay',
  'its sidecar could not be read now':
    'what describes it could not be read now; both stay for the next import',
  'its sidecar has changed': 'it got what is new in the file that describes it',
  'The owner of the import is blocked': 'the person whose photos they become is blocked',
  'describes an album': 'describes an album',
  'no pool may have the name of its album': 'no album may have that name',
  'not in the pool of its album': 'it could not be put into its album',
  'in the trash there': 'was in the trash there',
  'of a partner there': 'a partner’s',
  'a path in a ZIP that no folder may have': 'its path in the ZIP is not allowed',
  encrypted: 'encrypted in the ZIP',
  'so small in its ZIP that it would fill the disk': 'would unpack to far too much',
  'a ZIP that is not whole': 'the ZIP is incomplete',
  'damaged in its ZIP': 'damaged in the ZIP',
  'library.json does not name it': 'library.json says nothing of it',
  'library.json names it': 'missing from the exported library',
  'its bytes are not those that library.json names': 'not the photo that was exported',
  'a file that it names is still there': 'it stays, as long as a file that it names does',
  'an exported library, which is imported by itself':
    'an exported library; choose its folder to import it',
  'not all of it was imported': 'not all of it was imported',
  'library.json has changed meanwhile': 'library.json changed in the meantime',
  'library.json has a line that is too long': 'library.json has a line that is too long',
  'a part of a file': 'an unfinished part of a file',
  'still being written': 'still being written',
  'no longer there': 'no longer there',
  'its file in the library was deleted meanwhile': 'deleted here in the meantime',
  'already here': 'already here',
  'A file with the same content is already in the library':
    'already here, and may not be here twice',
  'already imported': 'imported before',
  'the source has changed meanwhile, so it stays': 'changed in the meantime, so it stays',
  'the source could not be removed': 'it could not be removed from its folder',
  "its content in the library is damaged or can't be read, so the source stays":
    'the copy here is damaged, so it stays',
  'The file is not a picture or video of a known type': 'not a photo or video',
  "The creator's files have reached their quota": 'there is no space left for your photos',
  "The server's disk is full": 'the server’s disk is full',
  'the disk of the server is full': 'the server’s disk is full',
  'permission denied': 'the server may not read it',
  'the folder is read-only': 'its folder can’t be changed',
  'the folder is no longer where it was': 'the folder is no longer where it was',
  'the file is no longer where it was': 'the file is no longer where it was',
  'A tag with this name already exists': 'a tag of that name is being deleted',
  'A file may have at most 1000 tags': 'it would have more than 1,000 tags',
  'Only admins may do that': 'the person who imported it is no longer an admin',
}

const BROKEN_LINE = /^library\.json, line (\d+):/

/** Returns a function that says in these words, part by part, why something was not imported. */
function reasonsIn(
  words: Record<string, string>,
  brokenLine: (number: string) => string,
  unforeseen: string,
) {
  return (reason: string): string => {
    const line = BROKEN_LINE.exec(reason)?.[1]
    if (line) return brokenLine(line)
    const parts = reason.split('; ')
    // The part after a comma contains numbers.
    return parts.map((part) => words[part] ?? words[part.split(',')[0]!] ?? unforeseen).join('; ')
  }
}

const en = {
  title: 'Import',
  hint: 'These are folders on the server. To add files from this computer, drop them anywhere.',
  heads: { running: 'Importing', done: 'Last import', failed: 'Last import, interrupted' },
  tries: { running: 'Dry run', done: 'Last dry run', failed: 'Last dry run, interrupted' },
  since: (name: string, time: string) => `by ${name}, started ${time}`,
  sourcesStay: 'the files stay where they are',
  none: 'Nothing has been imported since the server started.',
  end: 'Stop the import',
  ending: 'Stops after this file',
  of: (total: number) => plural(total, { one: 'of # entry', other: 'of # entries' }),
  progress: 'Imported',
  young: (count: number) =>
    plural(count, {
      one: '# changed just now. It will be read after a short wait.',
      other: '# changed just now. They will be read after a short wait.',
    }),
  now: (name: string) => `now ${name}`,
  imported: 'new',
  skipped: 'skipped',
  failed: 'failed',
  toGo: (speed: number) => `to go, ${number(speed)} a second`,
  review: 'Review them in the inbox',
  restarted: 'The server was restarted in the meantime. Everything imported before that is here.',
  cutOff: 'The import was interrupted. Everything imported before that is here.',
  tryCutOff: 'The dry run was interrupted. Nothing was changed.',
  nothingChanged: 'Nothing was changed. Broken photos are found only when they are imported.',
  hereOrTwice: (count: number) =>
    plural(count, {
      one: '# photo has the same content as one that is already here, or as another one.',
      other: '# photos have the same content as one that is already here, or as another one.',
    }),
  endedBy: (name: string) => `Stopped by ${name}.`,
  taken: (count: number) =>
    plural(count, { one: '# photo is imported', other: '# photos are imported' }),
  copied: (count: number) =>
    plural(count, { one: '# photo is copied here', other: '# photos are copied here' }),
  tried: (count: number) =>
    plural(count, { one: '# photo would be imported', other: '# photos would be imported' }),
  reason: reasonsIn(
    REASONS,
    (number) => `line ${number} of library.json is not what an export writes`,
    'it failed; the server’s log says why',
  ),
  refused: 'Not imported',
  wouldRefuse: 'Would not be imported',
  save: 'Save the list',
  listName: 'not-imported.txt',
  more: (count: number) => `${number(count)} more`,
  stay: 'Their files stay where they are.',
  onlyLast: (count: number) => `Only the last ${number(count)} are shown.`,
  next: 'Next import',
  off: 'Import is switched off on this server (IMPORT_PATH is empty).',
  noFolder: 'There is no such folder, or the server can’t read it.',
  root: 'import',
  way: 'Where you are',
  find: 'Find a folder',
  here: 'this folder',
  open: (name: string) => `Open ${name}`,
  take: 'Import this folder',
  counting: 'Counting …',
  nothingThere: 'There are no photos or videos here.',
  tooMany: 'There’s too much here to count it now. The dry run says what would be imported.',
  allHere: (count: number) =>
    plural(count, {
      one: 'By its name, the only photo or video here has been imported before. The import looks closer.',
      other:
        'By their names, all # photos and videos here have been imported before. The import looks closer.',
    }),
  count: (count: number, folders: number, isWhole: boolean) => {
    const files = plural(count, { one: '# photo or video', other: '# photos and videos' })
    const where = folders > 1 ? ` in ${number(folders)} folders` : ''
    return `${isWhole ? '' : 'At least '}${files}${where}`
  },
  copies: (files: string, _count: number) =>
    `${files} will be copied; nothing is taken out of the folder.`,
  moves: (files: string, _count: number) => `${files} will be moved out of the folder.`,
  moreOptions: 'More options',
  try: 'Dry run',
  options: {
    recursive: { label: 'Subfolders too' },
    leave_sources: { label: 'Keep the originals in the folder' },
    only_new: { label: 'Only what is new', hint: 'what is already here is not imported again' },
    folder_tags: { label: 'Tags from folders', hint: 'the names of subfolders become tags' },
    keyword_tags: {
      label: 'Tags from keywords',
      hint:
        'with their trees, people, ratings and captions, as other programs wrote them into the files ' +
        'or into .xmp files beside them',
    },
    top_categories: {
      label: 'Categories from keyword trees',
      hint: 'the top of a tree becomes a category',
    },
    name_dates: { label: 'Dates from names', hint: 'IMG-20180703 is of 3 July 2018' },
    favorites: { label: 'Favourites of Google Photos', hint: 'become favourites here' },
    archived: { label: 'Archive of Google Photos', hint: 'what is in it gets the tag “archived”' },
    partners: { label: 'Photos of a partner in Google Photos', hint: 'come as well' },
    create_users: {
      label: 'Add the people of this exported library',
      hint: 'those who are missing here, blocked and without a password; otherwise what is theirs gets another owner',
    },
  },
  owner: 'Whose photos they become',
  me: (name: string) => `${name} (you)`,
  tags: 'Tags from the files',
  tagsHint: 'Untick what the import is to leave out. The tags above stay.',
  newTags: (count: number) => plural(count, { one: '# new tag', other: '# new tags' }),
  isNew: 'new',
  becomes: (name: string) => `becomes “${name}”`,
  byHand: 'without a rule for the tag above',
  unfit: (count: number) =>
    plural(count, { one: '# keyword can be no tag.', other: '# keywords can be no tags.' }),
  tooManyTags: (count: number, most: number) =>
    `${number(count)} tags would be theirs, and ${number(most)} may be. Leave some out: an import of more is refused.`,
  oneAtATime: 'Only one import runs at a time. This one waits.',
  otherRuns: 'Not started: another import is running.',
  notBegun: (said: string) => `Not started. The server says: ${said}`,
  mayLeave: 'The import goes on while this tab is open, on any screen.',
  lookAlikes: 'Look-alikes',
  neverLooked: 'Never scanned',
  lookedAt: (time: string) => `Last scan: ${time}`,
  server: 'the server',
  looking: (name: string) => `Scanning, started by ${name}`,
  lookAgain: 'Scan again',
  rescanCutOff: 'The scan for look-alikes was interrupted.',
  groups: (count: number) =>
    plural(count, { one: '# group of look-alikes', other: '# groups of look-alikes' }),
  stages: { hash: 'Reading files', search: 'Comparing', write: 'Saving the results' },
  inTheMaking: (percent: number) => `In progress: sizes and placeholders, ${percent} %`,
}

const REASONS_IN_GERMAN: Record<string, string> = {
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
  sidecar: 'beschreibt ein Foto daneben',
  'its sidecar is too large to be read': 'was es beschreibt, ist zu groß zum Lesen',
  'its sidecar has changed meanwhile':
    'was es beschreibt, wurde inzwischen geändert; beides bleibt',
  'its sidecar could not be removed': 'was es beschreibt, ließ sich nicht entfernen; beides bleibt',
  'its sidecar could not be read now':
    'was es beschreibt, war gerade nicht zu lesen; beides bleibt für den nächsten Import',
  'its sidecar has changed': 'es bekam, was neu in der Datei steht, die es beschreibt',
  'The owner of the import is blocked': 'die Person, der die Fotos gehören sollen, ist gesperrt',
  'describes an album': 'beschreibt ein Album',
  'no pool may have the name of its album': 'so darf kein Album heißen',
  'not in the pool of its album': 'kam nicht in sein Album',
  'in the trash there': 'war dort im Papierkorb',
  'of a partner there': 'von einem Partner',
  'a path in a ZIP that no folder may have': 'der Pfad im ZIP ist nicht erlaubt',
  encrypted: 'im ZIP verschlüsselt',
  'so small in its ZIP that it would fill the disk': 'würde beim Auspacken viel zu groß',
  'a ZIP that is not whole': 'das ZIP ist nicht vollständig',
  'damaged in its ZIP': 'im ZIP beschädigt',
  'library.json does not name it': 'library.json sagt nichts davon',
  'library.json names it': 'fehlt in der exportierten Bibliothek',
  'its bytes are not those that library.json names': 'nicht das Foto, das exportiert wurde',
  'a file that it names is still there': 'bleibt, solange eine Datei da ist, die es nennt',
  'an exported library, which is imported by itself':
    'eine exportierte Bibliothek; wähle ihren Ordner, um sie zu importieren',
  'not all of it was imported': 'nicht alles davon wurde importiert',
  'library.json has changed meanwhile': 'library.json wurde inzwischen geändert',
  'library.json has a line that is too long': 'library.json hat eine zu lange Zeile',
  'a part of a file': 'ein Teil einer Datei, noch nicht fertig',
  'still being written': 'wird noch geschrieben',
  'no longer there': 'nicht mehr da',
  'its file in the library was deleted meanwhile': 'inzwischen hier gelöscht',
  'already here': 'schon hier',
  'A file with the same content is already in the library':
    'soll nicht zweimal hier sein, ist es aber schon',
  'already imported': 'früher importiert',
  'the source has changed meanwhile, so it stays': 'inzwischen geändert, bleibt daher dort',
  'the source could not be removed': 'ließ sich nicht aus dem Ordner entfernen',
  "its content in the library is damaged or can't be read, so the source stays":
    'was hier davon ist, ist beschädigt, bleibt daher dort',
  'The file is not a picture or video of a known type': 'weder Foto noch Video',
  "The creator's files have reached their quota": 'für deine Fotos ist kein Platz mehr',
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

const de: typeof en = {
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
  nothingChanged: 'Nichts wurde geändert. Kaputte Fotos fallen erst beim Importieren auf.',
  hereOrTwice: (count) =>
    plural(count, {
      one: '# Foto hat Bytes, die schon hier sind oder auch ein anderes hat.',
      other: '# Fotos haben Bytes, die schon hier sind oder auch ein anderes hat.',
    }),
  endedBy: (name) => `Von ${name} beendet.`,
  taken: (count) =>
    plural(count, { one: '# Foto ist importiert', other: '# Fotos sind importiert' }),
  copied: (count) =>
    plural(count, { one: '# Foto ist hierher kopiert', other: '# Fotos sind hierher kopiert' }),
  tried: (count) =>
    plural(count, { one: '# Foto würde importiert', other: '# Fotos würden importiert' }),
  reason: reasonsIn(
    REASONS_IN_GERMAN,
    (number) => `Zeile ${number} von library.json ist nicht so, wie ein Export sie schreibt`,
    'ging schief; warum, steht im Log des Servers',
  ),
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
  counting: 'Wird gezählt …',
  nothingThere: 'Hier sind keine Fotos und keine Videos.',
  tooMany: 'Das ist zu viel, um es jetzt zu zählen. „Nur versuchen“ sagt, was importiert würde.',
  allHere: (count) =>
    plural(count, {
      one: 'Dem Namen nach wurde das einzige Foto oder Video hier schon importiert. Der Import sieht genauer hin.',
      other:
        'Den Namen nach wurden alle # Fotos und Videos hier schon importiert. Der Import sieht genauer hin.',
    }),
  count: (count, folders, isWhole) => {
    const files = plural(count, { one: '# Foto oder Video', other: '# Fotos und Videos' })
    const where = folders > 1 ? ` in ${number(folders)} Ordnern` : ''
    return `${isWhole ? '' : 'Mindestens '}${files}${where}`
  },
  copies: (files, count) =>
    `${files} ${count === 1 ? 'wird' : 'werden'} kopiert; im Ordner bleibt alles, wie es ist.`,
  moves: (files, count) =>
    `${files} ${count === 1 ? 'wird' : 'werden'} aus dem Ordner hierher verschoben.`,
  moreOptions: 'Weitere Optionen',
  try: 'Nur versuchen',
  options: {
    recursive: { label: 'Auch Unterordner' },
    leave_sources: { label: 'Die Originale im Ordner lassen' },
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
      hint:
        'mit Bäumen, Personen, Bewertungen und Beschreibungen, wie andere Programme sie in die Dateien ' +
        'oder in .xmp-Dateien daneben geschrieben haben',
    },
    top_categories: {
      label: 'Kategorien aus Schlagwortbäumen',
      hint: 'die oberste Ebene eines Baums wird eine Kategorie',
    },
    name_dates: { label: 'Daten aus Namen', hint: 'IMG-20180703 ist vom 3. Juli 2018' },
    favorites: { label: 'Favoriten von Google Fotos', hint: 'werden auch hier Favoriten' },
    archived: {
      label: 'Archiv von Google Fotos',
      hint: 'was darin ist, bekommt das Schlagwort „archived“',
    },
    partners: { label: 'Fotos von Partnern in Google Fotos', hint: 'kommen mit' },
    create_users: {
      label: 'Personen dieser exportierten Bibliothek hinzufügen',
      hint: 'die hier fehlen, gesperrt und ohne Passwort; sonst gehört, was ihnen gehört, jemand anderem',
    },
  },
  owner: 'Wem die Fotos gehören werden',
  me: (name) => `${name} (du)`,
  tags: 'Schlagwörter aus den Dateien',
  tagsHint: 'Was du abwählst, lässt der Import weg. Die Schlagwörter darüber bleiben.',
  newTags: (count) => plural(count, { one: '# neues Schlagwort', other: '# neue Schlagwörter' }),
  isNew: 'neu',
  becomes: (name) => `wird „${name}“`,
  byHand: 'ohne Regel für das Schlagwort darüber',
  unfit: (count) =>
    plural(count, {
      one: '# Stichwort kann kein Schlagwort werden.',
      other: '# Stichwörter können keine Schlagwörter werden.',
    }),
  tooManyTags: (count, most) =>
    `Es wären dann ${number(count)} Schlagwörter, und ${number(most)} dürfen es sein. Lass welche weg: ein Import mit mehr wird abgelehnt.`,
  oneAtATime: 'Einer nach dem anderen: dieser wartet auf den laufenden.',
  otherRuns: 'Nicht begonnen: ein anderer Import läuft.',
  notBegun: (said) => `Nicht begonnen. Der Server sagt: ${said}`,
  mayLeave: 'Der Import läuft weiter, solange dieser Tab offen ist, egal in welcher Ansicht.',
  lookAlikes: 'Ähnliche Fotos',
  neverLooked: 'Noch nie gesucht',
  lookedAt: (time) => `Zuletzt gesucht: ${time}`,
  server: 'den Server',
  looking: (name) => `Suche läuft, begonnen durch ${name}`,
  lookAgain: 'Neu suchen',
  rescanCutOff: 'Die Suche nach ähnlichen Fotos wurde abgebrochen.',
  groups: (count) =>
    plural(count, { one: '# Gruppe ähnlicher Fotos', other: '# Gruppen ähnlicher Fotos' }),
  stages: { hash: 'Dateien ansehen', search: 'Vergleichen', write: 'Gefundenes festhalten' },
  inTheMaking: (percent) => `In Arbeit: Größen und Platzhalter, ${percent} %`,
}

export const imports = text({ en, de })
