import { bulk } from './bulk.ts'
import { duplicates } from './duplicates.ts'
import { filter } from './filter.ts'
import { grid } from './grid.ts'
import { pools } from './pools.ts'
import { review } from './review.ts'
import { shell } from './shell.ts'
import { tagBox } from './tag-box.ts'
import { tagPage } from './tag-page.ts'
import { trash } from './trash.ts'
import { viewer } from './viewer.ts'

/** The words of each feature that has keys, in the order in which they are shown. */
export const KEY_WORDS: (() => { title: string; keys: Record<string, string> })[] = [
  shell,
  grid,
  filter,
  tagBox,
  tagPage,
  bulk,
  viewer,
  review,
  pools,
  duplicates,
  trash,
]
