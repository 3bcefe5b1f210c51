import { text } from '../base/text.ts'
import { bulk } from './bulk.ts'
import { duplicates } from './duplicates.ts'
import { filter } from './filter.ts'
import { map } from './map.ts'
import { pools } from './pools.ts'
import { review } from './review.ts'
import { slideshow } from './slideshow.ts'
import { tagBox } from './tag-box.ts'
import { tagPage } from './tag-page.ts'
import { trash } from './trash.ts'
import { viewer } from './viewer.ts'

// These stand here and not with the other words of the shell and the grid, which load before the first picture.
const everywhere = text({
  en: {
    title: 'Everywhere',
    keys: {
      '?': 'Show all keys',
      'Ctrl+Z': 'Undo the last change',
    },
  },
  de: {
    title: 'Überall',
    keys: {
      '?': 'Alle Tasten zeigen',
      'Ctrl+Z': 'Letztes rückgängig machen',
    },
  },
})

const photos = text({
  en: {
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
  de: {
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
})

type Words = () => { title: string; keys: Record<string, string> }

/** The words of each feature that has keys, in the order in which they are shown. */
const ALL: Words[] = [
  everywhere,
  photos,
  filter,
  tagBox,
  tagPage,
  bulk,
  viewer,
  slideshow,
  review,
  pools,
  map,
  duplicates,
  trash,
]

/** The features of those who only look, and keys of these that change something. */
const LOOKING: Words[] = [everywhere, photos, filter, viewer, slideshow, pools, map]
const CHANGING = /^(Ctrl\+Z|Ctrl\+Shift\+.+|Delete|[knps[\]])$/

/** Returns all keys with their meanings by feature; only those that change nothing if `looksOnly`. */
export function keyWords(looksOnly: boolean): { title: string; keys: [string, string][] }[] {
  const isShown = (key: string) => !looksOnly || !CHANGING.test(key)
  return (looksOnly ? LOOKING : ALL).map((words) => {
    const { title, keys } = words()
    return { title, keys: Object.entries(keys).filter(([key]) => isShown(key)) }
  })
}
