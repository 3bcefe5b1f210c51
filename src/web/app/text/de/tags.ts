import type { en } from '../en/tags.ts'

export const de: typeof en = {
  tags: 'Tags',
  noCategory: 'Ohne Kategorie',
  noTags: 'Noch keine Tags. Mit der Taste T auf einem Bild entsteht eines.',
  hint: 'Klick: nur diese. Umschalt und Klick: auch diese. Alt und Klick: ohne diese.',
  retry: 'Noch einmal versuchen',
}
