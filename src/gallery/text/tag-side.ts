import { text } from '../base/text.ts'

const en = {
  tags: 'Tags',
  noCategory: 'No category',
  noTags: 'No tags yet.',
  newTag: 'New tag',
  hint: 'Click: only these. Shift-click: these as well. Alt-click: without these.',
  with: (name: string) => `${name} as well`,
  without: (name: string) => `Without ${name}`,
  editTags: 'Edit tags',
  share: (name: string) => `Who may see ${name}`,
  retry: 'Try again',
}

const de: typeof en = {
  tags: 'Schlagwörter',
  noCategory: 'Ohne Kategorie',
  noTags: 'Noch keine Schlagwörter.',
  newTag: 'Neues Schlagwort',
  hint: 'Klick: nur diese. Umschalt und Klick: auch diese. Alt und Klick: ohne diese.',
  with: (name) => `Auch ${name}`,
  without: (name) => `Ohne ${name}`,
  editTags: 'Schlagwörter ändern',
  share: (name) => `Wer ${name} sehen darf`,
  retry: 'Noch einmal versuchen',
}

export const tagSide = text({ en, de })
