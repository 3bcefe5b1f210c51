import { plural } from '../../base/text.ts'

const files = (count: number) => plural(count, { one: '# file', other: '# files' })
const others = (skipped: number) =>
  skipped === 0
    ? ''
    : plural(skipped, { one: '; # belongs to somebody else', other: '; # belong to others' })

export const en = {
  trash: 'Trash',
  files,
  empty: 'Empty the trash',
  isEmpty: 'The trash is empty.',
  selection: 'What to do with the selection',
  selected: (count: string) => `${count} selected`,
  restore: 'Restore',
  deleteForGood: 'Delete for good',
  clear: 'Select nothing',
  restored: (count: number, skipped: number) =>
    plural(count, { one: '# file is back', other: '# files are back' }) + others(skipped),
  deleted: (count: number, skipped: number) =>
    plural(count, { one: '# file is deleted', other: '# files are deleted' }) + others(skipped),
  question: (count: number) => `Delete ${files(count)} for good?`,
  warning: 'They leave the disk, and nothing brings them back.',
  typeCount: (count: string) => `Type ${count}`,
  deleteFiles: (count: number) => `Delete ${files(count)}`,
  title: 'Trash',
  keys: { r: 'Restore', Delete: 'Delete for good' },
}
