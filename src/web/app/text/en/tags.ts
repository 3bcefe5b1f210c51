export const en = {
  tags: 'Tags',
  noCategory: 'No category',
  noTags: 'No tags yet. Press T on a picture to make one.',
  hint: 'Click: these alone. Shift and click: these too. Alt and click: without these.',
  retry: 'Try again',
}
