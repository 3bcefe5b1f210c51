import { plural, text } from '../base/text.ts'

/** The description of a file whose name the grid doesn't have. */
interface Said {
  moment: string
  /** Of a film. */
  length: string | null
  isNew: boolean
  /** Whether other users see it as well. */
  isSeen: boolean
}

const en = {
  photos: 'Photos',
  files: (count: number) => plural(count, { one: '# file', other: '# files' }),
  file: ({ moment, length, isNew, isSeen }: Said) =>
    [
      length === null ? `Picture, ${moment}` : `Video of ${length}, ${moment}`,
      isNew && 'not reviewed yet',
      isSeen && 'shared',
    ]
      .filter(Boolean)
      .join(', '),
  notReviewed: 'Not reviewed yet',
  seen: 'Others can see it',
  selectDay: 'Select these',
  retry: 'Try again',
  failed: 'The files could not be loaded',
  date: 'Date',
  title: 'Photos',
  keys: {
    ArrowLeft: 'Previous file',
    ArrowRight: 'Next file',
    ArrowUp: 'File above',
    ArrowDown: 'File below',
    Home: 'Start of the row',
    End: 'End of the row',
    'Shift+ArrowLeft': 'Extend the selection to the left',
    'Shift+ArrowRight': 'Extend the selection to the right',
    'Shift+ArrowUp': 'Extend the selection upwards',
    'Shift+ArrowDown': 'Extend the selection downwards',
    'Ctrl+Home': 'First file',
    'Ctrl+End': 'Last file',
    PageUp: 'A screen up',
    PageDown: 'A screen down',
    'Shift+PageUp': 'A month up',
    'Shift+PageDown': 'A month down',
    Space: 'Select the file',
    'Ctrl+A': 'Select everything',
    Escape: 'Select nothing',
  },
}

const de: typeof en = {
  photos: 'Fotos',
  files: (count) => plural(count, { one: '# Datei', other: '# Dateien' }),
  file: ({ moment, length, isNew, isSeen }) =>
    [
      length === null ? `Bild, ${moment}` : `Film von ${length}, ${moment}`,
      isNew && 'noch nicht durchgesehen',
      isSeen && 'geteilt',
    ]
      .filter(Boolean)
      .join(', '),
  notReviewed: 'Noch nicht durchgesehen',
  seen: 'Andere sehen es auch',
  selectDay: 'Diese auswählen',
  retry: 'Noch einmal versuchen',
  failed: 'Die Dateien konnten nicht geladen werden',
  date: 'Datum',
  title: 'Fotos',
  keys: {
    ArrowLeft: 'Vorige Datei',
    ArrowRight: 'Nächste Datei',
    ArrowUp: 'Datei darüber',
    ArrowDown: 'Datei darunter',
    Home: 'Anfang der Reihe',
    End: 'Ende der Reihe',
    'Shift+ArrowLeft': 'Nach links weiter auswählen',
    'Shift+ArrowRight': 'Nach rechts weiter auswählen',
    'Shift+ArrowUp': 'Nach oben weiter auswählen',
    'Shift+ArrowDown': 'Nach unten weiter auswählen',
    'Ctrl+Home': 'Erste Datei',
    'Ctrl+End': 'Letzte Datei',
    PageUp: 'Einen Bildschirm hinauf',
    PageDown: 'Einen Bildschirm hinunter',
    'Shift+PageUp': 'Einen Monat hinauf',
    'Shift+PageDown': 'Einen Monat hinunter',
    Space: 'Datei auswählen',
    'Ctrl+A': 'Alles auswählen',
    Escape: 'Nichts auswählen',
  },
}

export const grid = text({ en, de })
