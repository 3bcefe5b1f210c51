import { plural, text } from '../base/text.ts'

const en = {
  title: 'Selection',
  bar: 'Selected files',
  selected: (count: number) => plural(count, { one: '# selected', other: '# selected' }),
  tag: 'Tag',
  reviewed: 'Reviewed',
  dates: 'Dates',
  download: 'Download',
  trash: 'Trash',
  more: 'More',
  clear: 'Select nothing',
  end: 'Stop',
  progress: (done: string, all: string) => `${done} of ${all}`,
  areReviewed: (count: number) =>
    plural(count, { one: '# file is reviewed', other: '# files are reviewed' }),
  areTrashed: (count: number) =>
    plural(count, { one: '# file is in the trash', other: '# files are in the trash' }),
  areDated: (count: number) =>
    plural(count, { one: '# file has a new date', other: '# files have new dates' }),
  notReviewed: (reason: string) => `Not reviewed: ${reason}`,
  notTrashed: (reason: string) => `Not moved to the trash: ${reason}`,
  notDated: (reason: string) => `The dates stay as they are: ${reason}`,
  tooManyNamed: (most: number) =>
    plural(most, {
      one: 'You can choose at most # file for one ZIP. To download more, select everything in a filter.',
      other:
        'You can choose at most # files for one ZIP. To download more, select everything in a filter.',
    }),
  archiveTooLarge: 'One ZIP holds at most 100,000 files and 200 GB. Select fewer.',
  archive: (files: number, size: string) =>
    plural(files, { one: `# file as a ZIP of ${size}`, other: `# files as one ZIP of ${size}` }),
  archivePart: (files: number, asked: string, size: string) =>
    plural(files, {
      one: `# of ${asked} files as a ZIP of ${size}; the others are gone`,
      other: `# of ${asked} files as one ZIP of ${size}; the others are gone`,
    }),
  noArchive: 'These files are all gone.',
  dateTitle: (count: number) => plural(count, { one: 'Date of # file', other: 'Dates of # files' }),
  shift: 'Move all by',
  set: 'Set all to',
  days: 'Days',
  hours: 'Hours',
  minutes: 'Minutes',
  later: 'Later',
  earlier: 'Earlier',
  date: 'Date and time',
  example: (before: string, after: string) => `${before} becomes ${after}`,
  change: (count: number) => plural(count, { one: 'Change # date', other: 'Change # dates' }),
  keys: {
    t: 'Tag',
    r: 'Reviewed',
    p: 'Add to an album',
    s: 'Share',
    d: 'Change dates',
    Delete: 'Move to the trash',
  },
}

const de: typeof en = {
  title: 'Auswahl',
  bar: 'Was ausgewählt ist',
  selected: (count) => plural(count, { one: '# ausgewählt', other: '# ausgewählt' }),
  tag: 'Schlagwort',
  reviewed: 'Durchgesehen',
  dates: 'Datum',
  download: 'Herunterladen',
  trash: 'Papierkorb',
  more: 'Mehr',
  clear: 'Nichts auswählen',
  end: 'Beenden',
  progress: (done, all) => `${done} von ${all}`,
  areReviewed: (count) =>
    plural(count, { one: '# Datei ist durchgesehen', other: '# Dateien sind durchgesehen' }),
  areTrashed: (count) =>
    plural(count, { one: '# Datei ist im Papierkorb', other: '# Dateien sind im Papierkorb' }),
  areDated: (count) =>
    plural(count, {
      one: '# Datei hat ein neues Datum',
      other: '# Dateien haben ein neues Datum',
    }),
  notReviewed: (reason) => `Nicht als durchgesehen vermerkt: ${reason}`,
  notTrashed: (reason) => `Nicht in den Papierkorb gelegt: ${reason}`,
  notDated: (reason) => `Das Datum bleibt, wie es ist: ${reason}`,
  tooManyNamed: (most) =>
    plural(most, {
      one: 'Für ein ZIP lässt sich höchstens # Datei auswählen. Von einem ganzen Filter können es mehr sein: alles auswählen.',
      other:
        'Für ein ZIP lassen sich höchstens # Dateien auswählen. Von einem ganzen Filter können es mehr sein: alles auswählen.',
    }),
  archiveTooLarge: 'Ein ZIP fasst 100.000 Dateien und 200 GB. Wähle weniger aus.',
  archive: (files, size) =>
    plural(files, {
      one: `# Datei als ZIP von ${size}`,
      other: `# Dateien als ein ZIP von ${size}`,
    }),
  archivePart: (files, asked, size) =>
    plural(files, {
      one: `# von ${asked} Dateien als ZIP von ${size}; die anderen sind nicht mehr da`,
      other: `# von ${asked} Dateien als ein ZIP von ${size}; die anderen sind nicht mehr da`,
    }),
  noArchive: 'Keine dieser Dateien ist noch da.',
  dateTitle: (count) => plural(count, { one: 'Datum von # Datei', other: 'Datum von # Dateien' }),
  shift: 'Alle verschieben um',
  set: 'Alle setzen auf',
  days: 'Tage',
  hours: 'Stunden',
  minutes: 'Minuten',
  later: 'Später',
  earlier: 'Früher',
  date: 'Datum und Uhrzeit',
  example: (before, after) => `${before} wird ${after}`,
  change: (count) => plural(count, { one: '# Datum ändern', other: '# Daten ändern' }),
  keys: {
    t: 'Schlagwort hinzufügen',
    s: 'Teilen',
    r: 'Durchgesehen',
    p: 'In ein Album legen',
    d: 'Datum ändern',
    Delete: 'In den Papierkorb',
  },
}

export const bulk = text({ en, de })
