import { plural } from '../../base/text.ts'

export const en = {
  hello: (name: string) => `Welcome, ${name}`,
  intro: 'Three steps; skip what you like.',
  pictures: 'Add pictures',
  dropHere: 'drop them anywhere on this page, or choose them',
  areIn: (count: number) => plural(count, { one: '# is in', other: '# are in' }),
  tags: 'Make a few tags',
  tagsHint: 'who, where, what for',
  newTag: 'New tag',
  people: 'Invite somebody',
  peopleHint: 'they see what you share',
  invite: 'Invite',
  skip: 'Skip',
  skipStep: (step: string) => `Skip: ${step}`,
  done: 'done',
  password: 'Is the password still the first one?',
  changePassword: 'Change it here',
}
