import type { en } from '../en/shell.ts'

export const de: typeof en = {
  name: 'Name',
  password: 'Passwort',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  wrong: 'Name oder Passwort ist falsch.',
  blocked: 'Dieses Konto ist gesperrt.',
  navigation: 'Ansichten',
  notFound: 'Diese Seite gibt es nicht',
  toPhotos: 'Zu den Fotos',
}
