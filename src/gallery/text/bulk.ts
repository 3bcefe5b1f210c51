import { plural, text } from '../base/text.ts'

const en = {
  title: 'Selection',
  bar: 'Selected photos',
  selected: (count: number) => plural(count, { one: '# selected', other: '# selected' }),
  tag: 'Tag',
  favourite: 'Favourite',
  reviewed: 'Reviewed',
  dates: 'Dates',
  turn: 'Turn',
  turnLeft: 'Turn left',
  turnRight: 'Turn right',
  slideshow: 'Slideshow',
  download: 'Download',
  withSidecars: 'Download with sidecars (XMP)',
  trash: 'Trash',
  more: 'More',
  clear: 'Select nothing',
  end: 'Stop',
  progress: (done: string, all: string) => `${done} of ${all}`,
  areReviewed: (count: number) =>
    plural(count, { one: '# photo is reviewed', other: '# photos are reviewed' }),
  areFavourites: (count: number) =>
    plural(count, { one: '# photo is a favourite', other: '# photos are favourites' }),
  areNone: (count: number) =>
    plural(count, {
      one: '# photo is no longer a favourite',
      other: '# photos are no longer favourites',
    }),
  areTrashed: (count: number) =>
    plural(count, { one: '# photo is in the trash', other: '# photos are in the trash' }),
  areDated: (count: number) =>
    plural(count, { one: '# photo has a new date', other: '# photos have new dates' }),
  areTurned: (count: number) =>
    plural(count, { one: '# photo is turned', other: '# photos are turned' }),
  notReviewed: (reason: string) => `Not reviewed: ${reason}`,
  notHearted: (reason: string) => `Favourites not changed: ${reason}`,
  notTrashed: (reason: string) => `Not moved to the trash: ${reason}`,
  notDated: (reason: string) => `The dates stay as they are: ${reason}`,
  notTurned: (reason: string) => `Not turned: ${reason}`,
  tooManyNamed: (most: number) =>
    plural(most, {
      one: 'You can choose at most # photo for one ZIP. To download more, select everything in a filter.',
      other:
        'You can choose at most # photos for one ZIP. To download more, select everything in a filter.',
    }),
  archiveTooLarge: 'One ZIP holds at most 100,000 photos and 200 GB. Select fewer.',
  archive: (files: number, size: string) =>
    plural(files, { one: `# photo as a ZIP of ${size}`, other: `# photos as one ZIP of ${size}` }),
  archivePart: (files: number, asked: string, size: string) =>
    plural(files, {
      one: `# of ${asked} photos as a ZIP of ${size}; the others are gone`,
      other: `# of ${asked} photos as one ZIP of ${size}; the others are gone`,
    }),
  noArchive: 'These photos are all gone.',
  dateTitle: (count: number) =>
    plural(count, { one: 'Date of # photo', other: 'Dates of # photos' }),
  shift: 'Move all by',
  set: 'Set all to',
  days: 'Days',
  hours: 'Hours',
  minutes: 'Minutes',
  later: 'Later',
  earlier: 'Earlier',
  example: (before: string, after: string) => `${before} becomes ${after}`,
  change: (count: number) => plural(count, { one: 'Change # date', other: 'Change # dates' }),
  keys: {
    t: 'Tag',
    f: 'Favourites, or no longer',
    r: 'Reviewed',
    p: 'Add to an album',
    s: 'Share',
    d: 'Change dates',
    '[': 'Turn left',
    ']': 'Turn right',
    Delete: 'Move to the trash',
  },
}

const de: typeof en = {
  title: 'Auswahl',
  bar: 'Was ausgewählt ist',
  selected: (count) => plural(count, { one: '# ausgewählt', other: '# ausgewählt' }),
  tag: 'Schlagwort',
  favourite: 'Favorit',
  reviewed: 'Durchgesehen',
  dates: 'Datum',
  turn: 'Drehen',
  turnLeft: 'Nach links drehen',
  turnRight: 'Nach rechts drehen',
  slideshow: 'Diaschau',
  download: 'Herunterladen',
  withSidecars: 'Mit Begleitdateien herunterladen (XMP)',
  trash: 'Papierkorb',
  more: 'Mehr',
  clear: 'Nichts auswählen',
  end: 'Beenden',
  progress: (done, all) => `${done} von ${all}`,
  areReviewed: (count) =>
    plural(count, { one: '# Foto ist durchgesehen', other: '# Fotos sind durchgesehen' }),
  areFavourites: (count) =>
    plural(count, { one: '# Foto ist ein Favorit', other: '# Fotos sind Favoriten' }),
  areNone: (count) =>
    plural(count, {
      one: '# Foto ist kein Favorit mehr',
      other: '# Fotos sind keine Favoriten mehr',
    }),
  areTrashed: (count) =>
    plural(count, { one: '# Foto ist im Papierkorb', other: '# Fotos sind im Papierkorb' }),
  areDated: (count) =>
    plural(count, {
      one: '# Foto hat ein neues Datum',
      other: '# Fotos haben ein neues Datum',
    }),
  areTurned: (count) => plural(count, { one: '# Foto ist gedreht', other: '# Fotos sind gedreht' }),
  notReviewed: (reason) => `Nicht als durchgesehen vermerkt: ${reason}`,
  notHearted: (reason) => `Favoriten nicht geändert: ${reason}`,
  notTrashed: (reason) => `Nicht in den Papierkorb gelegt: ${reason}`,
  notDated: (reason) => `Das Datum bleibt, wie es ist: ${reason}`,
  notTurned: (reason) => `Nicht gedreht: ${reason}`,
  tooManyNamed: (most) =>
    plural(most, {
      one: 'Für ein ZIP lässt sich höchstens # Foto auswählen. Von einem ganzen Filter können es mehr sein: alles auswählen.',
      other:
        'Für ein ZIP lassen sich höchstens # Fotos auswählen. Von einem ganzen Filter können es mehr sein: alles auswählen.',
    }),
  archiveTooLarge: 'Ein ZIP fasst 100.000 Fotos und 200 GB. Wähle weniger aus.',
  archive: (files, size) =>
    plural(files, {
      one: `# Foto als ZIP von ${size}`,
      other: `# Fotos als ein ZIP von ${size}`,
    }),
  archivePart: (files, asked, size) =>
    plural(files, {
      one: `# von ${asked} Fotos als ZIP von ${size}; die anderen sind nicht mehr da`,
      other: `# von ${asked} Fotos als ein ZIP von ${size}; die anderen sind nicht mehr da`,
    }),
  noArchive: 'Keines dieser Fotos ist noch da.',
  dateTitle: (count) => plural(count, { one: 'Datum von # Foto', other: 'Datum von # Fotos' }),
  shift: 'Alle verschieben um',
  set: 'Alle setzen auf',
  days: 'Tage',
  hours: 'Stunden',
  minutes: 'Minuten',
  later: 'Später',
  earlier: 'Früher',
  example: (before, after) => `${before} wird ${after}`,
  change: (count) => plural(count, { one: '# Datum ändern', other: '# Daten ändern' }),
  keys: {
    t: 'Schlagwort hinzufügen',
    f: 'Favoriten, oder keine mehr',
    s: 'Teilen',
    r: 'Durchgesehen',
    p: 'In ein Album legen',
    d: 'Datum ändern',
    '[': 'Nach links drehen',
    ']': 'Nach rechts drehen',
    Delete: 'In den Papierkorb',
  },
}

export const bulk = text({ en, de })
