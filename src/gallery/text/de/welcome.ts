import { plural } from '../../base/text.ts'
import type { en } from '../en/welcome.ts'

export const de: typeof en = {
  hello: (name) => `Willkommen, ${name}`,
  intro: 'Drei Schritte; überspringe, was du magst.',
  pictures: 'Bilder hinzufügen',
  dropHere: 'irgendwo auf diese Seite ziehen, oder auswählen',
  areIn: (count) => plural(count, { one: '# ist da', other: '# sind da' }),
  tags: 'Ein paar Schlagwörter anlegen',
  tagsHint: 'wer, wo, wozu',
  newTag: 'Neues Schlagwort',
  people: 'Jemanden einladen',
  peopleHint: 'sie sehen, was du teilst',
  invite: 'Einladen',
  skip: 'Überspringen',
  skipStep: (step) => `Überspringen: ${step}`,
  done: 'erledigt',
  password: 'Ist das Passwort noch das erste?',
  changePassword: 'Hier ändern',
}
