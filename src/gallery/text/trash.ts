import { plural, text } from '../base/text.ts'

const files = (count: number) => plural(count, { one: '# file', other: '# files' })

const en = {
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
  warning: 'They are removed from the disk, and nothing can bring them back.',
  typeCount: (count: string) => `Type ${count}`,
  deleteFiles: (count: number) => `Delete ${files(count)}`,
  title: 'Trash',
  keys: { r: 'Restore', Delete: 'Delete for good' },
}

const filesInGerman = (count: number) => plural(count, { one: '# Datei', other: '# Dateien' })

const de: typeof en = {
  trash: 'Papierkorb',
  files: filesInGerman,
  empty: 'Leeren',
  isEmpty: 'Der Papierkorb ist leer.',
  selection: 'Was mit der Auswahl geschieht',
  selected: (count) => `${count} ausgewählt`,
  restore: 'Wiederherstellen',
  deleteForGood: 'Endgültig löschen',
  clear: 'Nichts auswählen',
  restored: (count) => plural(count, { one: '# Datei ist zurück', other: '# Dateien sind zurück' }),
  notRestored: (reason) => `Nicht wiederhergestellt: ${reason}`,
  deleted: (count) =>
    plural(count, { one: '# Datei ist gelöscht', other: '# Dateien sind gelöscht' }),
  notDeleted: (reason) => `Nicht gelöscht: ${reason}`,
  question: (count) => `${filesInGerman(count)} endgültig löschen?`,
  warning: 'Sie verschwinden vom Speicher, und nichts bringt sie zurück.',
  typeCount: (count) => `${count} eintippen`,
  deleteFiles: (count) => `${filesInGerman(count)} löschen`,
  title: 'Papierkorb',
  keys: { r: 'Wiederherstellen', Delete: 'Endgültig löschen' },
}

export const trash = text({ en, de })
