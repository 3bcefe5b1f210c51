import { plural } from '../../base/text.ts'
import type { en } from '../en/common.ts'

export const de: typeof en = {
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht',
  undonePartly: (left) =>
    plural(left, {
      one: 'Rückgängig bis auf # Datei, die seither geändert wurde',
      other: 'Rückgängig bis auf # Dateien, die seither geändert wurden',
    }),
  close: 'Schließen',
  cancel: 'Abbrechen',
  keys: { 'Ctrl+Z': 'Rückgängig machen', '?': 'Alle Tasten zeigen' },
}
