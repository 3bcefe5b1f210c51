import { text } from '../base/text.ts'

const en = {
  welcome: (name: string) => `Welcome, ${name}`,
  dropHere: 'Drop photos and videos anywhere on this page, or choose them.',
  nothingShared: 'Nothing has been shared with you yet.',
  noFavourites: 'No favourites yet',
  byKey: 'Click the heart of a photo, or press F. Only you can see your favourites.',
  byTap: 'Open a photo and tap its heart. Only you can see your favourites.',
}

const de: typeof en = {
  welcome: (name) => `Willkommen, ${name}`,
  dropHere: 'Fotos und Videos irgendwo auf diese Seite ziehen, oder auswählen.',
  nothingShared: 'Noch hat niemand etwas mit dir geteilt.',
  noFavourites: 'Noch keine Favoriten',
  byKey: 'Das Herz an einem Foto anklicken, oder F drücken. Nur du siehst deine Favoriten.',
  byTap: 'Ein Foto öffnen und auf das Herz tippen. Nur du siehst deine Favoriten.',
}

export const noPhotos = text({ en, de })
