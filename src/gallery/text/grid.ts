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
}

export const grid = text({ en, de })
