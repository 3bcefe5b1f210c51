import { text } from '../base/text.ts'

const en = {
  isNone: 'No longer a favourite',
  none: 'No favourites yet',
  byKey: 'Click the heart of a photo, or press F. Only you can see your favourites.',
  byTap: 'Open a photo and tap its heart. Only you can see your favourites.',
}

const de: typeof en = {
  isNone: 'Kein Favorit mehr',
  none: 'Noch keine Favoriten',
  byKey: 'Das Herz an einem Foto anklicken, oder F drücken. Nur du siehst deine Favoriten.',
  byTap: 'Ein Foto öffnen und auf das Herz tippen. Nur du siehst deine Favoriten.',
}

export const favourites = text({ en, de })
