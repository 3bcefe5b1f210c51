import { plural, text } from '../base/text.ts'

const en = {
  title: 'Map',
  keys: {
    '+': 'Zoom in',
    '-': 'Zoom out',
    '0': 'Show all places',
    ArrowLeft: 'To the west',
    ArrowRight: 'To the east',
    ArrowUp: 'To the north',
    ArrowDown: 'To the south',
  },
  show: (count: number) => plural(count, { one: 'Show this photo', other: 'Show these # photos' }),
  none: 'No photos in sight',
  places: 'Places in sight',
  near: (count: number, town: string) =>
    `${plural(count, { one: '# photo', other: '# photos' })} near ${town}`,
  at: (count: number, position: string) =>
    `${plural(count, { one: '# photo', other: '# photos' })} at ${position}`,
  north: (degrees: string) => `${degrees} N`,
  south: (degrees: string) => `${degrees} S`,
  east: (degrees: string) => `${degrees} E`,
  west: (degrees: string) => `${degrees} W`,
  nowhere: 'No photo says where it was taken',
  ofFilter: 'None of these photos says where it was taken',
}

const de: typeof en = {
  title: 'Karte',
  keys: {
    '+': 'Näher heran',
    '-': 'Weiter weg',
    '0': 'Alle Orte zeigen',
    ArrowLeft: 'Nach Westen',
    ArrowRight: 'Nach Osten',
    ArrowUp: 'Nach Norden',
    ArrowDown: 'Nach Süden',
  },
  show: (count) => plural(count, { one: 'Dieses Foto zeigen', other: 'Diese # Fotos zeigen' }),
  none: 'Kein Foto im Bild',
  places: 'Orte im Bild',
  near: (count, town) => `${plural(count, { one: '# Foto', other: '# Fotos' })} bei ${town}`,
  at: (count, position) => `${plural(count, { one: '# Foto', other: '# Fotos' })} bei ${position}`,
  north: (degrees) => `${degrees} N`,
  south: (degrees) => `${degrees} S`,
  east: (degrees) => `${degrees} O`,
  west: (degrees) => `${degrees} W`,
  nowhere: 'Kein Foto sagt, wo es aufgenommen wurde',
  ofFilter: 'Keines dieser Fotos sagt, wo es aufgenommen wurde',
}

/** The map of where photos were taken. */
export const map = text({ en, de })
