import { text } from '../base/text.ts'

const en = {
  everywhere: {
    title: 'Everywhere',
    keys: {
      '?': 'Show all keys',
      'Ctrl+Z': 'Undo the last change',
    },
  },
  photos: {
    title: 'Photos',
    keys: {
      ArrowLeft: 'Previous photo',
      ArrowRight: 'Next photo',
      ArrowUp: 'Photo above',
      ArrowDown: 'Photo below',
      Home: 'Start of the row',
      End: 'End of the row',
      'Shift+ArrowLeft': 'Extend the selection to the left',
      'Shift+ArrowRight': 'Extend the selection to the right',
      'Shift+ArrowUp': 'Extend the selection upwards',
      'Shift+ArrowDown': 'Extend the selection downwards',
      'Ctrl+Home': 'First photo',
      'Ctrl+End': 'Last photo',
      PageUp: 'A screen up',
      PageDown: 'A screen down',
      'Shift+PageUp': 'A month up',
      'Shift+PageDown': 'A month down',
      f: 'Favourite, or no longer one',
      Space: 'Select the photo',
      'Shift+Space': 'Slideshow from this photo',
      'Ctrl+A': 'Select everything',
      Escape: 'Select nothing',
    },
  },
}

const de: typeof en = {
  everywhere: {
    title: 'Überall',
    keys: {
      '?': 'Alle Tasten zeigen',
      'Ctrl+Z': 'Letztes rückgängig machen',
    },
  },
  photos: {
    title: 'Fotos',
    keys: {
      ArrowLeft: 'Voriges Foto',
      ArrowRight: 'Nächstes Foto',
      ArrowUp: 'Foto darüber',
      ArrowDown: 'Foto darunter',
      Home: 'Anfang der Reihe',
      End: 'Ende der Reihe',
      'Shift+ArrowLeft': 'Nach links weiter auswählen',
      'Shift+ArrowRight': 'Nach rechts weiter auswählen',
      'Shift+ArrowUp': 'Nach oben weiter auswählen',
      'Shift+ArrowDown': 'Nach unten weiter auswählen',
      'Ctrl+Home': 'Erstes Foto',
      'Ctrl+End': 'Letztes Foto',
      PageUp: 'Einen Bildschirm hinauf',
      PageDown: 'Einen Bildschirm hinunter',
      'Shift+PageUp': 'Einen Monat hinauf',
      'Shift+PageDown': 'Einen Monat hinunter',
      f: 'Favorit, oder keiner mehr',
      Space: 'Foto auswählen',
      'Shift+Space': 'Diaschau ab diesem Foto',
      'Ctrl+A': 'Alles auswählen',
      Escape: 'Nichts auswählen',
    },
  },
}

/** The keys of the shell and the grid, whose other words load before the first picture. */
export const firstKeys = text({ en, de })
