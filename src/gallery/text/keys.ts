import { bulk } from './bulk.ts'
import { duplicates } from './duplicates.ts'
import { filter } from './filter.ts'
import { firstKeys } from './first-keys.ts'
import { map } from './map.ts'
import { pools } from './pools.ts'
import { review } from './review.ts'
import { slideshow } from './slideshow.ts'
import { tagBox } from './tag-box.ts'
import { tagPage } from './tag-page.ts'
import { trash } from './trash.ts'
import { viewer } from './viewer.ts'

type Words = () => { title: string; keys: Record<string, string> }

const everywhere = () => firstKeys().everywhere
const photos = () => firstKeys().photos

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
