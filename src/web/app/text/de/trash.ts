import { plural } from '../../base/text.ts'
import type { en } from '../en/trash.ts'

const files = (count: number) => plural(count, { one: '# Datei', other: '# Dateien' })
const others = (skipped: number) =>
  skipped === 0
    ? ''
    : plural(skipped, { one: '; # gehört jemand anderem', other: '; # gehören anderen' })

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
  restored: (count, skipped) =>
    plural(count, { one: '# Datei ist zurück', other: '# Dateien sind zurück' }) + others(skipped),
  deleted: (count, skipped) =>
    plural(count, { one: '# Datei ist gelöscht', other: '# Dateien sind gelöscht' }) +
    others(skipped),
  question: (count) => `${files(count)} endgültig löschen?`,
  warning: 'Sie verschwinden vom Speicher, und nichts bringt sie zurück.',
  typeCount: (count) => `${count} eintippen`,
  deleteFiles: (count) => `${files(count)} löschen`,
  title: 'Papierkorb',
  keys: { r: 'Wiederherstellen', Delete: 'Endgültig löschen' },
}
