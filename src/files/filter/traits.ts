import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { read, type Synchronous } from '../../db/write.ts'
import { type Followed, follow, isCurrent, UNREAD } from '../sets/changes.ts'
import { traitAmong, traitStretch } from '../sets/queries.ts'
import { addFile, type FileSet, removeFile } from './bitset.ts'
import type { Trait } from './tree.ts'

interface Carriers extends Followed {
  files: FileSet
}

/** How many files are read before other requests get a turn: about 5 ms. */
const STRETCH = 20_000

const carriersOf = perConnection(() => new Map<string, Carriers>())

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
    for (const trait of traits) await followTrait(db, trait)
    // While one followed, others may have fallen behind.
    const used = read(db, () => {
      for (const state of states.values()) if (!isCurrent(db, state)) return null
      return { result: use((trait) => states.get(trait.value)!.files) }
    })
    if (used) return used.result
  }
}

function keptOf(db: Db, { column, value }: Trait): Carriers {
  const kept = carriersOf(db)
  const key = `${column} ${value}`
  const state = kept.get(key) ?? {
    of: 'trait_changes',
    seq: UNREAD,
    reading: null,
    files: new Uint32Array(0),
  }
  kept.set(key, state)
  return state
}

async function followTrait(db: Db, trait: Trait): Promise<void> {
  const state = keptOf(db, trait)
  await follow(db, state, {
    readAll: async () => {
      state.files = await readTrait(db, trait)
    },
    take: (rids) => {
      for (const rid of rids) removeFile(state.files, rid)
      for (const rid of traitAmong(db, trait, rids)) state.files = addFile(state.files, rid)
    },
  })
}

async function readTrait(db: Db, trait: Trait): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (let after = 0; ; ) {
    const rids = traitStretch(db, trait, { after, length: STRETCH })
    for (const rid of rids) files = addFile(files, rid)
    if (rids.length < STRETCH) return files
    after = rids.at(-1)!
    await setImmediate()
  }
}
