import { plural } from '../../base/text.ts'

/** Words that several features use, and those of toasts. */
export const en = {
  undo: 'Undo',
  undone: 'Undone',
  undonePartly: (left: number) =>
    plural(left, {
      one: 'Undone but for # file, which has been changed since',
      other: 'Undone but for # files, which have been changed since',
    }),
  close: 'Close',
  cancel: 'Cancel',
  keys: { 'Ctrl+Z': 'Undo', '?': 'Show all keys' },
}
