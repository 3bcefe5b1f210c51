export const en = {
  tags: 'Tags',
  noCategory: 'No category',
  noTags: 'No tags yet. Open a picture and add one.',
  hint: 'Click: these alone. Shift and click: these too. Alt and click: without these.',
  without: (name: string) => `Without ${name}`,
  editTags: 'Edit tags',
  share: (name: string) => `Who may see ${name}`,
  retry: 'Try again',
}
