import { plural } from '../../base/text.ts'
import type { en } from '../en/trash.ts'

const files = (count: number) => plural(count, { one: '# Datei', other: '# Dateien' })

export const de: typeof en = {
  trash: 'Papierkorb',
  files,
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
  question: (count) => `${files(count)} endgültig löschen?`,
  warning: 'Sie verschwinden vom Speicher, und nichts bringt sie zurück.',
  typeCount: (count) => `${count} eintippen`,
  deleteFiles: (count) => `${files(count)} löschen`,
  title: 'Papierkorb',
  keys: { r: 'Wiederherstellen', Delete: 'Endgültig löschen' },
}
