import type { Db } from '../../db/client.ts'
import { read, type Synchronous } from '../../db/write.ts'
import { isCurrent } from '../changes/follow.ts'
import {
  type FollowedSet,
  followedSets,
  followSet,
  readInTurns,
  setByKey,
} from '../changes/followed-set.ts'
import type { FileSet } from '../file-set.ts'
import type { Trait } from '../find/tree.ts'
import { traitAmong, traitStretch } from './traits-queries.ts'

/** How many files are read before other requests get a turn: about 5 ms. */
const STRETCH = 20_000

const carriersOf = followedSets()

/**
 * Calls `use` with the sets of the files that have each of the traits, trashed and hidden ones included,
 * all in one state of the library that lasts for the call. They are kept, 125 kB of a million files
 * each, and follow every change; the first call reads them in turns with other requests.
 */
export async function withTraits<Result>(
  db: Db,
  traits: Trait[],
  use: (setOf: (trait: Trait) => FileSet) => Synchronous<Result>,
): Promise<Result> {
  const states = new Map(traits.map((trait) => [trait.value, keptOf(db, trait)]))
  for (;;) {
    for (const trait of traits) await followTrait(db, trait, states.get(trait.value)!)
    // While one followed, others may have fallen behind.
    const used = read(db, () => {
      for (const state of states.values()) if (!isCurrent(db, state)) return null
      return { result: use((trait) => states.get(trait.value)!.files) }
    })
    if (used) return used.result
  }
}

function keyOf({ column, value }: Trait): string {
  return `${column} ${value}`
}

function keptOf(db: Db, trait: Trait): FollowedSet {
  return setByKey(carriersOf(db), keyOf(trait), 'trait_changes')
}

function followTrait(db: Db, trait: Trait, state: FollowedSet): Promise<void> {
  return followSet(db, carriersOf(db), {
    key: keyOf(trait),
    state,
    readAll: (pause) =>
      readInTurns<number>(
        (after) => traitStretch(db, trait, { after: after ?? 0, length: STRETCH }),
        pause,
      ),
    among: (rids) => traitAmong(db, trait, rids),
  })
}
