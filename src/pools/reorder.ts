import { type Incomplete, type Packed, packAll, unpack } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { idsOf, named } from './arrange.ts'
import { type Move, movedBy, movesFor, withSlots } from './moves.ts'
import { place } from './positions.ts'
import { type HiddenFiles, hiddenUpTo, type PoolRecord, seenFiles } from './queries.ts'
import { filesFrom, positionsOf, positionsOfKeys, type Ranked } from './ranks.ts'

// Over at most this many positions, an entry lists all files that moved or were passed by others.
const LISTED = 2000
// With more moves than this, an entry lists all of them as well, unless they are too many for it.
const MOVED = 500
// The most neighbours that an entry lists for each place, and about how many for all places together.
const [NEIGHBOURS, ALL_NEIGHBOURS] = [50, 4000]

/**
 * Arranges a manual pool: first the named files, then, in their old order, the others that the user sees; together they
 * occupy the same positions as before. Throws a validation error for a pool that is sorted automatically, and for a
 * file that the user does not see in it. `known` is the result of `findHidden`.
 */
export function reorderFiles(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  { file_ids, known = null }: { file_ids: string[]; known?: HiddenFiles | null },
): void {
  if (pool.sort_key !== 'manual') {
    throw invalid('file_ids', `can't be arranged: the pool is sorted by ${pool.sort_key}`)
  }
  const seen = new Map(seenFiles(tx, user, pool.rid, file_ids).map((file) => [file.id, file]))
  const first = file_ids.map((id) => {
    const file = seen.get(id)
    if (!file) throw invalid('file_ids', `names a file that is not in the pool: ${id}`)
    return file
  })
  const last = first.reduce((key, file) => Math.max(key, file.order_key), Number.MIN_SAFE_INTEGER)
  // Files after the last of the named stay where they are.
  const hidden = hiddenUpTo(tx, user, { pool: pool.rid, order_key: last }, known)
  const keys = [...first, ...hidden].map((file) => file.order_key)
  const positions = positionsOfKeys(tx, pool.rid, keys)
  const ranked = (files: typeof hidden): Ranked[] =>
    files.map((file) => ({ file: file.rid, position: positions.get(file.order_key)! }))
  const moves = movesFor(ranked(first), ranked(hidden))
  arrange(tx, user, pool, { moves, file_ids, hasHidden: hidden.length > 0 })
}

type Reordered = { files: Packed; former: Packed; internal?: { beside: Packed; breaks: Packed } }

/**
 * Brings the files of an audit entry back into their former order, as far as they are still in the pool: into their
 * present places, or beside their former neighbours. Returns false when that moves none, when they are in another order
 * now, or when all former neighbours of one are gone.
 */
export function reorderBack(tx: Tx, user: User, pool: PoolRecord, entry: Reordered): boolean {
  const files = unpack(entry.files)
  const present = positionsOf(tx, pool.rid, files)
  const at = new Map(present.map(({ file, position }) => [file, position]))
  const expected = files.filter((file) => at.has(file))
  if (present.some(({ file }, index) => file !== expected[index])) return false
  const former = unpack(entry.former).map((index) => files[index]!)
  const order = former.filter((file) => at.has(file))
  const moves = entry.internal
    ? movesBack(former, at, {
        beside: new Set(unpack(entry.internal.beside).map((index) => files[index]!)),
        breaks: new Set(unpack(entry.internal.breaks).map((index) => former[index]!)),
      })
    : order
        .map((file, index) => ({ file, from: at.get(file)!, to: present[index]!.position }))
        .filter(({ from, to }) => from !== to)
  if (!moves || moves.every(({ from, to }) => from === to)) return false
  const ids = idsOf(tx, entry.internal ? moves.map(({ file }) => file) : order)
  arrange(tx, user, pool, { moves, file_ids: ids, hasHidden: entry.internal === undefined })
  return true
}

// Returns null when all former neighbours of a file are gone.
function movesBack(
  former: number[],
  at: Map<number, number>,
  { beside, breaks }: { beside: Set<number>; breaks: Set<number> },
): Move[] | null {
  const goes = former.filter((file) => at.has(file) && !beside.has(file))
  const left = withSlots(goes.map((file) => at.get(file)!).sort((a, b) => a - b))
  const moves: Move[] = []
  // Where the next files go: after the last that stayed, or before the next one.
  let slot: number | null = null
  let waiting: number[] = []
  const put = (file: number, to: number) =>
    moves.push({ file, from: at.get(file)!, to: to + moves.length })
  for (const file of former) {
    if (breaks.has(file)) {
      if (waiting.length > 0) return null
      slot = null
    }
    const position = at.get(file)
    if (position === undefined) continue
    if (!beside.has(file)) {
      if (slot === null) waiting.push(file)
      else put(file, slot)
      continue
    }
    const stays = left.slotOf(position)
    for (const other of waiting) put(other, stays)
    waiting = []
    slot = stays + 1
  }
  return waiting.length > 0 ? null : moves
}

// The moves are ordered by their new positions.
function arrange(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  {
    moves,
    file_ids,
    hasHidden,
  }: {
    moves: Move[]
    file_ids: string[]
    /** Whether there are files in between that the user doesn't see. */
    hasHidden: boolean
  },
): void {
  if (moves.length === 0) return
  const places = moves.map(({ file, to }) => ({ file, position: to }))
  const from = moves.map((move) => move.from).sort((a, b) => a - b)
  const first = Math.min(from[0]!, moves[0]!.to)
  const span = Math.max(from.at(-1)!, moves.at(-1)!.to) + 1 - first

  // Hidden files keep their positions but not their neighbours, which a later change by a user who doesn't see the
  // hidden files would change again.
  const isListed = hasHidden || moves.length > MOVED || span <= LISTED
  const reach = Math.max(1, Math.min(NEIGHBOURS, Math.floor(ALL_NEIGHBOURS / moves.length)))
  const passed = () => filesFrom(tx, pool.rid, first, span)
  const around = (positions: number[]) => filesAround(tx, pool.rid, positions, reach)
  const before = { passed: isListed ? passed() : [], around: around(from) }
  place(tx, pool.rid, places)
  let lists: Reordered | Incomplete = isListed
    ? listAll(before.passed, passed())
    : { incomplete: true }
  if ('incomplete' in lists) {
    const to = moves.map((move) => move.to)
    lists = listNearest(moves, [...before.around, ...around(to)])
  }
  const details = { moved: movedBy(moves), ...named(file_ids), ...lists }
  audit(tx, user, 'file_pool_reorder', { type: 'pool', id: pool.id }, details)
}

function listAll(before: number[], after: number[]): Reordered | Incomplete {
  const files = after.filter((file, index) => before[index] !== file)
  const indexes = new Map(files.map((file, index) => [file, index]))
  const former = before.flatMap((file) => indexes.get(file) ?? [])
  // A file that was passed on both sides may be where it was.
  return packAll({ files, former })
}

interface Neighbour {
  file: number
  /** How many of the files that stay are before it. */
  slot: number
}

// The positions ascend; files at these positions are left out.
function filesAround(tx: Tx, pool: number, positions: number[], reach: number): Neighbour[] {
  const first = Math.max(0, positions[0]! - reach)
  // Includes all files in between: finding each stretch would take as long as reading many files.
  const files = filesFrom(tx, pool, first, positions.at(-1)! + reach + 1 - first)
  const near = new Set(
    positions.flatMap((position) =>
      Array.from({ length: 2 * reach + 1 }, (_, n) => position - reach + n),
    ),
  )
  const left = withSlots(positions)
  return [...near].flatMap((position) => {
    const file = files[position - first]
    return file === undefined || left.has(position) ? [] : { file, slot: left.slotOf(position) }
  })
}

function listNearest(moves: Move[], near: Neighbour[]): Reordered | Incomplete {
  const stays = [...new Map(near.map((file) => [file.file, file])).values()]
  const sequence = (side: 'from' | 'to') => {
    const going = moves
      .toSorted((a, b) => a[side] - b[side])
      .map((move, index) => ({ file: move.file, slot: move[side] - index, goes: true }))
    const staying = stays.map((stay) => ({ ...stay, goes: false }))
    // A file that moves into a slot is before the one that stays there.
    return [...going, ...staying].sort((a, b) => a.slot - b.slot || Number(b.goes) - Number(a.goes))
  }
  const [before, after] = [sequence('from'), sequence('to')]
  const files = after.map(({ file }) => file)
  const indexes = new Map(files.map((file, index) => [file, index]))
  const former = before.map(({ file }) => indexes.get(file)!)
  const beside = [...after.keys()].filter((index) => !after[index]!.goes)
  const breaks = [...before.keys()].filter((index) => {
    const last = before[index - 1]
    return last && before[index]!.slot !== (last.goes ? last.slot : last.slot + 1)
  })
  const packed = packAll({ files, former, beside, breaks })
  if ('incomplete' in packed) return packed
  const { beside: besides, breaks: gaps, ...shown } = packed
  return { ...shown, internal: { beside: besides, breaks: gaps } }
}
