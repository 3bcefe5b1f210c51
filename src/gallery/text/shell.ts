import { plural, text } from '../base/text.ts'

const en = {
  signOut: 'Sign out',
  screens: 'Screens',
  photos: 'Photos',
  inbox: 'Inbox',
  trash: 'Trash',
  pools: 'Albums',
  map: 'Map',
  favourites: 'Favourites',
  duplicates: 'Duplicates',
  tags: 'Tags',
  import: 'Import',
  users: 'People',
  audit: 'Activity',
  settings: 'Settings',
  about: 'About',
  more: 'More',
  order: 'Order',
  slideshow: 'Slideshow',
  allKeys: 'Keys',
  account: 'account and more',
  toContent: 'Skip the tags',
  newVersion: 'The server has a new version.',
  damaged: (count: number) =>
    plural(count, {
      one: '# photo is damaged on the server',
      other: '# photos are damaged on the server',
    }),
  leaveOut: (tag: string) => `Leave ${tag} out`,
}

const de: typeof en = {
  signOut: 'Abmelden',
  screens: 'Ansichten',
  photos: 'Fotos',
  inbox: 'Eingang',
  trash: 'Papierkorb',
  pools: 'Alben',
  map: 'Karte',
  favourites: 'Favoriten',
  duplicates: 'Duplikate',
  tags: 'Schlagwörter',
  import: 'Import',
  users: 'Personen',
  audit: 'Protokoll',
  settings: 'Einstellungen',
  about: 'Über Tagstead',
  more: 'Mehr',
  order: 'Reihenfolge',
  slideshow: 'Diaschau',
  allKeys: 'Tasten',
  account: 'Konto und mehr',
  toContent: 'An den Schlagwörtern vorbei',
  newVersion: 'Der Server hat eine neue Version.',
  damaged: (count) =>
    plural(count, {
      one: '# Foto ist auf dem Server beschädigt',
      other: '# Fotos sind auf dem Server beschädigt',
    }),
  leaveOut: (tag) => `${tag} weglassen`,
}

export const shell = text({ en, de })
