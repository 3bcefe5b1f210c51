import { plural, text } from '../base/text.ts'

const en = {
  hello: (name: string) => `Welcome, ${name}`,
  intro: 'Three steps. Skip any you like.',
  pictures: 'Add photos',
  dropHere: 'Drop them anywhere on this page, or choose them',
  chooseHere: 'Choose them, or take one now',
  areIn: (count: number) => plural(count, { one: '# added', other: '# added' }),
  tags: 'Create a few tags',
  tagsHint: 'Who, where, what for',
  newTag: 'New tag',
  people: 'Invite somebody',
  peopleHint: 'They see what you share',
  invite: 'Invite',
  stepsLeft: (count: number) => plural(count, { one: '# step left', other: '# steps left' }),
  skip: 'Skip',
  skipStep: (step: string) => `Skip: ${step}`,
  done: 'done',
  password: 'Are you still using the first password?',
  changePassword: 'Change it here',
}

const de: typeof en = {
  hello: (name) => `Willkommen, ${name}`,
  intro: 'Drei Schritte; überspringe, was du magst.',
  pictures: 'Fotos hinzufügen',
  dropHere: 'Irgendwo auf diese Seite ziehen, oder auswählen',
  chooseHere: 'Auswählen, oder gleich eins aufnehmen',
  areIn: (count) => plural(count, { one: '# ist da', other: '# sind da' }),
  tags: 'Ein paar Schlagwörter anlegen',
  tagsHint: 'Wer, wo, wozu',
  newTag: 'Neues Schlagwort',
  people: 'Jemanden einladen',
  peopleHint: 'Sie sehen, was du teilst',
  invite: 'Einladen',
  stepsLeft: (count) => plural(count, { one: 'noch # Schritt', other: 'noch # Schritte' }),
  skip: 'Überspringen',
  skipStep: (step) => `Überspringen: ${step}`,
  done: 'erledigt',
  password: 'Ist das Passwort noch das erste?',
  changePassword: 'Hier ändern',
}

export const welcome = text({ en, de })
