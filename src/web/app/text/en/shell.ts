export const en = {
  name: 'Name',
  password: 'Password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  wrong: 'Name or password is wrong.',
  blocked: 'This account is blocked.',
  navigation: 'Screens',
  notFound: 'There is no such page',
  toPhotos: 'Go to the photos',
}
