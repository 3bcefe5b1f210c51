import { plural, text } from '../base/text.ts'

const files = (count: number) => plural(count, { one: '# photo', other: '# photos' })

const en = {
  trash: 'Trash',
  files,
  empty: 'Empty the trash',
  isEmpty: 'The trash is empty',
  goAfter: (days: number) =>
    plural(Math.round(days), {
      one: 'Photos are deleted for good after a day in the trash. Open one to see when it goes.',
      other: 'Photos are deleted for good after # days in the trash. Open one to see when it goes.',
    }),
  stay: 'Nothing is deleted by itself. Photos stay here until somebody deletes them.',
  selection: 'What to do with the selection',
  selected: (count: string) => `${count} selected`,
  restore: 'Restore',
  deleteForGood: 'Delete for good',
  clear: 'Select nothing',
  restored: (count: number) =>
    plural(count, { one: '# photo is back', other: '# photos are back' }),
  notRestored: (reason: string) => `Not restored: ${reason}`,
  deleted: (count: number) =>
    plural(count, { one: '# photo is deleted', other: '# photos are deleted' }),
  notDeleted: (reason: string) => `Not deleted: ${reason}`,
  question: (count: number) => `Delete ${files(count)} for good?`,
  live: (pairs: number, count: number) =>
    count === 1
      ? 'It is a live photo: picture and film are both deleted.'
      : plural(pairs, {
          one: '# of them is a live photo: of that, picture and film are both deleted.',
          other: '# of them are live photos: of these, picture and film are both deleted.',
        }),
  warning: 'They are removed from the disk, and nothing can bring them back.',
  typeCount: (count: string) => `Type ${count}`,
  deleteFiles: (count: number) => `Delete ${files(count)}`,
  title: 'Trash',
  keys: { r: 'Restore', Delete: 'Delete for good' },
}

const filesInGerman = (count: number) => plural(count, { one: '# Foto', other: '# Fotos' })

const de: typeof en = {
  trash: 'Papierkorb',
  files: filesInGerman,
  empty: 'Leeren',
  isEmpty: 'Der Papierkorb ist leer',
  goAfter: (days) =>
    plural(Math.round(days), {
      one: 'Nach einem Tag im Papierkorb werden Fotos endgültig gelöscht. Wann, steht bei jedem geöffneten.',
      other:
        'Nach # Tagen im Papierkorb werden Fotos endgültig gelöscht. Wann, steht bei jedem geöffneten.',
    }),
  stay: 'Nichts wird von selbst gelöscht. Fotos bleiben hier, bis jemand sie löscht.',
  selection: 'Was mit der Auswahl geschieht',
  selected: (count) => `${count} ausgewählt`,
  restore: 'Wiederherstellen',
  deleteForGood: 'Endgültig löschen',
  clear: 'Nichts auswählen',
  restored: (count) => plural(count, { one: '# Foto ist zurück', other: '# Fotos sind zurück' }),
  notRestored: (reason) => `Nicht wiederhergestellt: ${reason}`,
  deleted: (count) => plural(count, { one: '# Foto ist gelöscht', other: '# Fotos sind gelöscht' }),
  notDeleted: (reason) => `Nicht gelöscht: ${reason}`,
  question: (count) => `${filesInGerman(count)} endgültig löschen?`,
  live: (pairs, count) =>
    count === 1
      ? 'Es ist ein Live-Foto: Bild und Film werden beide gelöscht.'
      : plural(pairs, {
          one: '# davon ist ein Live-Foto: Davon werden Bild und Film gelöscht.',
          other: '# davon sind Live-Fotos: Davon werden Bild und Film gelöscht.',
        }),
  warning: 'Sie verschwinden vom Speicher, und nichts bringt sie zurück.',
  typeCount: (count) => `${count} eintippen`,
  deleteFiles: (count) => `${filesInGerman(count)} löschen`,
  title: 'Papierkorb',
  keys: { r: 'Wiederherstellen', Delete: 'Endgültig löschen' },
}

export const trash = text({ en, de })
