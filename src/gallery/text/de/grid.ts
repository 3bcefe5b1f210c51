import { plural } from '../../base/text.ts'
import type { en } from '../en/grid.ts'

export const de: typeof en = {
  photos: 'Fotos',
  files: (count) => plural(count, { one: '# Datei', other: '# Dateien' }),
  file: ({ moment, length, isNew, isSeen }) =>
    [
      length === null ? `Bild, ${moment}` : `Film von ${length}, ${moment}`,
      isNew && 'noch nicht durchgesehen',
      isSeen && 'geteilt',
    ]
      .filter(Boolean)
      .join(', '),
  notReviewed: 'Noch nicht durchgesehen',
  seen: 'Andere sehen es auch',
  selectDay: 'Diesen Tag auswählen',
  retry: 'Noch einmal versuchen',
  failed: 'Die Dateien konnten nicht geladen werden',
  date: 'Datum',
  title: 'Fotos',
  keys: {
    ArrowLeft: 'Vorige Datei',
    ArrowRight: 'Nächste Datei',
    ArrowUp: 'Datei darüber',
    ArrowDown: 'Datei darunter',
    Home: 'Anfang der Reihe',
    End: 'Ende der Reihe',
    'Shift+ArrowLeft': 'Nach links weiter auswählen',
    'Shift+ArrowRight': 'Nach rechts weiter auswählen',
    'Shift+ArrowUp': 'Nach oben weiter auswählen',
    'Shift+ArrowDown': 'Nach unten weiter auswählen',
    'Ctrl+Home': 'Erste Datei',
    'Ctrl+End': 'Letzte Datei',
    PageUp: 'Einen Bildschirm hinauf',
    PageDown: 'Einen Bildschirm hinunter',
    'Shift+PageUp': 'Einen Monat hinauf',
    'Shift+PageDown': 'Einen Monat hinunter',
    Space: 'Datei auswählen',
    'Ctrl+A': 'Alles auswählen',
    Escape: 'Nichts auswählen',
  },
}
