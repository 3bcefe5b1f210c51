import type { WriteAs } from '../../auth/write-as.ts'
import { createPause } from '../../base/pause.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { type Dismissed, dismissedPairs } from '../queries.ts'
import { libraryState } from './contents-queries.ts'
import { addItems, findProposals, keepProposals, type Proposal, type ProposalDeps } from './find.ts'
import type { Merge } from './merge.ts'
import type { ProposalsSettle, SettleResult } from './schema.ts'
import { contentKey, mergeableEqual, type Proposed, settleProposals } from './settle.ts'

const MOST_TRIES = 3
// Items that are looked at before other requests have a turn.
const AT_ONCE = 500
// Looking at more equal files would take too long for an answer.
const MOST_READ = 10_000

/** Merges, in one write, what was proposed to a user, and caches what is left of the proposals. */
export async function settleFound(
  deps: ProposalDeps,
  user: User,
  request: ProposalsSettle,
  write: WriteAs,
): Promise<SettleResult> {
  for (let tries = 1; ; tries++) {
    const proposals = await findProposals(deps, user)
    const settled = write((tx, user) => {
      // Changes that happen while proposals are found make them stale again, but not without end.
      const isStale = libraryState(tx).proposals !== proposals.state
      if (isStale && tries < MOST_TRIES) return null
      const proposed = { items: proposals.items, dismissed: dismissedPairs(tx) }
      const done = settleProposals(tx, user, proposed, request)
      return { ...done, proposed, isStale, state: libraryState(tx).proposals }
    })
    if (!settled) continue
    const { result, merges, proposed, isStale, state } = settled
    if (!isStale && merges.length > 0) {
      const items = await itemsLeft(deps.db, { user, pause: createPause() }, proposed, merges)
      if (items) keepProposals(deps, user, { state, items })
    }
    return result
  }
}

interface Looking {
  user: User
  pause: () => Promise<void>
}

/**
 * Returns what is left of what was proposed to a user after some of it was merged: as if it was found anew, except for
 * pictures of several sizes that can be merged only now. Null when it has to be found anew, since there are equal files
 * that can be merged only now, or too many to look at. Other requests have turns meanwhile, so it may miss their
 * changes.
 */
export async function itemsLeft(
  db: Db,
  looking: Looking,
  { items, dismissed }: Proposed,
  merges: Merge[],
): Promise<Proposal[] | null> {
  const read = await setsLeft(db, looking, dismissed, merges)
  if (!read) return null
  const { setsOf, all, identical } = read
  const out = new Set(merges.flatMap(({ discard }) => discard.map((file) => file.rid)))
  for (const rid of identical) out.add(rid)
  const reported = new Set<number[][]>()
  const instead = ({ why, files }: Proposal): number[][] | null => {
    if (why === 'smaller') {
      if (!files.some((rid) => out.has(rid))) return null
      return out.has(files[0]!) ? [] : [files.filter((rid) => !out.has(rid))]
    }
    const changed = files.find((rid) => setsOf.has(rid))
    if (changed === undefined) return null
    const sets = setsOf.get(changed)!
    if (reported.has(sets)) return []
    reported.add(sets)
    return sets
  }

  const left: Proposal[] = []
  let sets: number[][] | null = null
  for (const [index, item] of items.entries()) {
    if (index % AT_ONCE === 0) await looking.pause()
    // The items of the same files come one after another.
    if (item.from === 0) {
      sets = instead(item)
      for (const files of sets ?? []) addItems(left, { why: item.why, files })
    }
    if (!sets) left.push(item)
  }
  return all.every((sets) => sets.length === 0 || reported.has(sets)) ? left : null
}

// What can be merged of the files that are equal to some that were merged.
interface SetsLeft {
  /** The sets for each of these files. */
  setsOf: Map<number, number[][]>
  /** The sets of each content and creator. */
  all: number[][][]
  /** The files of all sets. */
  identical: Set<number>
}

async function setsLeft(
  db: Db,
  { user, pause }: Looking,
  dismissed: Dismissed,
  merges: Merge[],
): Promise<SetsLeft | null> {
  let count = 0
  const known = new Map<string, number[][]>()
  const setsOf = new Map<number, number[][]>()
  for (const file of merges.flatMap(({ keep, discard }) => [keep, ...discard])) {
    const key = contentKey(file)
    if (!known.has(key)) {
      const { files, merged } = mergeableEqual(db, user, file, dismissed)
      known.set(key, merged)
      count += files.length
      if (count > MOST_READ) return null
      await pause()
      for (const { rid } of files) setsOf.set(rid, merged)
    }
    setsOf.set(file.rid, known.get(key)!)
  }
  const all = [...known.values()]
  return { setsOf, all, identical: new Set(all.flat(2)) }
}
