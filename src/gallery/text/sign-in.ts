import { text } from '../base/text.ts'

const en = {
  name: 'Name',
  password: 'Password',
  signIn: 'Sign in',
  wrong: 'Name or password is wrong.',
  blocked: 'This account is blocked.',
  passwordPlease: 'Your password, please',
  sessionEnded: (name: string) =>
    `Your session ended, ${name}. What you selected and typed is still here.`,
  wrongPassword: 'That is not your password.',
  goOn: 'Continue',
}

const de: typeof en = {
  name: 'Name',
  password: 'Passwort',
  signIn: 'Anmelden',
  wrong: 'Name oder Passwort ist falsch.',
  blocked: 'Dieses Konto ist gesperrt.',
  passwordPlease: 'Bitte dein Passwort',
  sessionEnded: (name) =>
    `Deine Sitzung ist zu Ende, ${name}. Was du ausgewählt und geschrieben hast, bleibt.`,
  wrongPassword: 'Das ist nicht dein Passwort.',
  goOn: 'Weiter',
}

export const signIn = text({ en, de })
