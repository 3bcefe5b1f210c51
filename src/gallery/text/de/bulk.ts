import { plural } from '../../base/text.ts'
import type { en } from '../en/bulk.ts'

export const de: typeof en = {
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
    p: 'In einen Pool legen',
    d: 'Datum ändern',
    Delete: 'In den Papierkorb',
  },
}
