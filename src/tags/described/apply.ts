import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { noClaims, placesOf, wayTo } from './places.ts'
import { type DescribedOptions, requireFewLevels, type Wanted } from './wanted.ts'

/** What a file got: the paths of its tags as they are listed, and whether it got a caption. */
export interface Applied {
  paths: string[][]
  caption: boolean
}

/** Finds and makes the tags of descriptions, for one run. */
export interface Describer {
  /**
   * Returns the row numbers of the tags to put on a file by hand; what follows by rules is not among them. What `had`
   * has is not put on again, nor what is above it. Throws conflict for too many tags, and what creating tags,
   * categories and rules throws.
   */
  tagsFor(tx: Tx, user: User, wanted: Wanted[], had?: Applied): number[]
}

/** Returns a describer for one run. */
export function createDescriber({ is_public }: Pick<DescribedOptions, 'is_public'>): Describer {
  const claims = noClaims()
  return {
    tagsFor(tx, user, wanted, had) {
      requireFewLevels(wanted)
      const places = placesOf(tx, user, { is_public, claims })
      const before = new Set(had?.paths.flatMap(levelsOf).map((level) => JSON.stringify(level)))
      const named = new Set<number>()
      for (const one of wanted) {
        const levels = wayTo(places, one)
        for (const [at, { key, tag }] of levels.entries()) {
          const below = levels[at + 1]
          const isByHand = !below || below.above === 'by_hand'
          if (isByHand && !before.has(JSON.stringify(key))) named.add(tag.rid)
        }
      }
      return [...named]
    },
  }
}

function levelsOf(path: string[]): string[][] {
  return path.map((_, at) => path.slice(0, at + 1))
}
