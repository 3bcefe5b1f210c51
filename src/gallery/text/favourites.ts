import { text } from '../base/text.ts'

const en = {
  isNone: 'No longer a favourite',
}

const de: typeof en = {
  isNone: 'Kein Favorit mehr',
}

export const favourites = text({ en, de })
