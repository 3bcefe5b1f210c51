import { text } from '../base/text.ts'

const en = { nothing: 'There is nothing here', toPhotos: 'Go to the photos' }

const de: typeof en = { nothing: 'Hier ist nichts', toPhotos: 'Zu den Fotos' }

export const noScreen = text({ en, de })
