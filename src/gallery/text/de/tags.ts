import type { en } from '../en/tags.ts'

export const de: typeof en = {
  tags: 'Schlagwörter',
  noCategory: 'Ohne Kategorie',
  noTags: 'Noch keine Schlagwörter. Öffne ein Bild und füge eines hinzu.',
  hint: 'Klick: nur diese. Umschalt und Klick: auch diese. Alt und Klick: ohne diese.',
  without: (name) => `Ohne ${name}`,
  editTags: 'Schlagwörter ändern',
  share: (name) => `Wer ${name} sehen darf`,
  retry: 'Noch einmal versuchen',
}
