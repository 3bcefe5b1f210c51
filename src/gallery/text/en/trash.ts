import { plural } from '../../base/text.ts'

const files = (count: number) => plural(count, { one: '# file', other: '# files' })

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
  restored: (count: number) => plural(count, { one: '# file is back', other: '# files are back' }),
  notRestored: (reason: string) => `Not restored: ${reason}`,
  deleted: (count: number) =>
    plural(count, { one: '# file is deleted', other: '# files are deleted' }),
  notDeleted: (reason: string) => `Not deleted: ${reason}`,
  question: (count: number) => `Delete ${files(count)} for good?`,
  warning: 'They leave the disk, and nothing brings them back.',
  typeCount: (count: string) => `Type ${count}`,
  deleteFiles: (count: number) => `Delete ${files(count)}`,
  title: 'Trash',
  keys: { r: 'Restore', Delete: 'Delete for good' },
}
