import { plural, text } from '../base/text.ts'

/** The description of a file whose name the grid doesn't have. */
interface Said {
  moment: string
  /** Of a video. */
  length: string | null
  isNew: boolean
  /** Whether other users see it as well. */
  isSeen: boolean
  /** How many photos its tile stands for. */
  count: number
  isLiked: boolean
  /** Whether a film is one with it. */
  isLive: boolean
}

const en = {
  photos: 'Photos',
  files: (count: number) => plural(count, { one: '# photo', other: '# photos' }),
  file: ({ moment, length, isNew, isSeen, isLiked, isLive, count }: Said) =>
    [
      length !== null
        ? `Video of ${length}, ${moment}`
        : `${count > 1 ? `Series of ${count} photos` : isLive ? 'Live photo' : 'Photo'}, ${moment}`,
      isNew && 'not reviewed yet',
      isSeen && 'shared',
      isLiked && 'favourite',
    ]
      .filter(Boolean)
      .join(', '),
  notReviewed: 'Not reviewed yet',
  seen: 'Others can see it',
  live: 'Live',
  selectDay: 'Select these',
  slideshow: 'Slideshow',
  playDay: (name: string) => `Slideshow: ${name}`,
  retry: 'Try again',
  failed: 'The photos could not be loaded',
  date: 'Date',
  title: 'Photos',
  keys: {
    ArrowLeft: 'Previous photo',
    ArrowRight: 'Next photo',
    ArrowUp: 'Photo above',
    ArrowDown: 'Photo below',
    Home: 'Start of the row',
    End: 'End of the row',
    'Shift+ArrowLeft': 'Extend the selection to the left',
    'Shift+ArrowRight': 'Extend the selection to the right',
    'Shift+ArrowUp': 'Extend the selection upwards',
    'Shift+ArrowDown': 'Extend the selection downwards',
    'Ctrl+Home': 'First photo',
    'Ctrl+End': 'Last photo',
    PageUp: 'A screen up',
    PageDown: 'A screen down',
    'Shift+PageUp': 'A month up',
    'Shift+PageDown': 'A month down',
    f: 'Favourite, or no longer one',
    Space: 'Select the photo',
    'Shift+Space': 'Slideshow from this photo',
    'Ctrl+A': 'Select everything',
    Escape: 'Select nothing',
  },
}

const de: typeof en = {
  photos: 'Fotos',
  files: (count) => plural(count, { one: '# Foto', other: '# Fotos' }),
  file: ({ moment, length, isNew, isSeen, isLiked, isLive, count }) =>
    [
      length !== null
        ? `Video von ${length}, ${moment}`
        : `${count > 1 ? `Serie von ${count} Fotos` : isLive ? 'Live-Foto' : 'Foto'}, ${moment}`,
      isNew && 'noch nicht durchgesehen',
      isSeen && 'geteilt',
      isLiked && 'Favorit',
    ]
      .filter(Boolean)
      .join(', '),
  notReviewed: 'Noch nicht durchgesehen',
  seen: 'Andere sehen es auch',
  live: 'Live',
  selectDay: 'Diese auswählen',
  slideshow: 'Diaschau',
  playDay: (name) => `Diaschau: ${name}`,
  retry: 'Noch einmal versuchen',
  failed: 'Die Fotos konnten nicht geladen werden',
  date: 'Datum',
  title: 'Fotos',
  keys: {
    ArrowLeft: 'Voriges Foto',
    ArrowRight: 'Nächstes Foto',
    ArrowUp: 'Foto darüber',
    ArrowDown: 'Foto darunter',
    Home: 'Anfang der Reihe',
    End: 'Ende der Reihe',
    'Shift+ArrowLeft': 'Nach links weiter auswählen',
    'Shift+ArrowRight': 'Nach rechts weiter auswählen',
    'Shift+ArrowUp': 'Nach oben weiter auswählen',
    'Shift+ArrowDown': 'Nach unten weiter auswählen',
    'Ctrl+Home': 'Erstes Foto',
    'Ctrl+End': 'Letztes Foto',
    PageUp: 'Einen Bildschirm hinauf',
    PageDown: 'Einen Bildschirm hinunter',
    'Shift+PageUp': 'Einen Monat hinauf',
    'Shift+PageDown': 'Einen Monat hinunter',
    f: 'Favorit, oder keiner mehr',
    Space: 'Foto auswählen',
    'Shift+Space': 'Diaschau ab diesem Foto',
    'Ctrl+A': 'Alles auswählen',
    Escape: 'Nichts auswählen',
  },
}

export const grid = text({ en, de })
