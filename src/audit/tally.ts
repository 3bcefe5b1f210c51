import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'
import { createPause } from '../pause.ts'
import {
  type CountedEntry,
  lastEntry,
  listAfter,
  listCounted,
  listLater,
  type Moment,
  type Span,
} from './queries.ts'

/** What entries are counted by. */
export type Kind = Pick<CountedEntry, 'user_id' | 'action' | 'object_type'>

/** Entries that follow each other in the order of time. */
interface Block {
  /** The first of them. */
  from: Moment
  size: number
  /** How many there are of each kind, by its number; of kinds behind its end, there are none. */
  counts: Uint16Array
}

/** Entries that follow each other, and how many of them are of some kinds. */
export interface Counted {
  span: Span
  entries: number
}

/**
 * How many entries of each kind the log has, for blocks of entries in the order of time: a page far back
 * is found without a look at what comes before it. An entry never changes; when some go, it is read anew.
 */
export interface Tally {
  /** The id up to which all entries are counted. */
  lastId: number
  /** The latest of them; null for none. */
  latest: Moment | null
  kinds: Kind[]
  /** The number of each kind, by its parts as a text. */
  numbers: Map<string, number>
  blocks: Block[]
}

/** Entries of a full block; it has up to twice as many after the clock was set back. */
export const BLOCK = 256
/** Entries that are read at a time. */
const PORTION = 2000

interface Kept {
  tally: Tally | null
  /** The reading that is under way, if there is one. */
  reading: Promise<void> | null
}

const kept = perConnection((): Kept => ({ tally: null, reading: null }))

/** Counts all entries of the log, in turns, for pages that are asked for later; once for all who want it. */
export async function readTally(db: Db, pause: () => Promise<void>): Promise<void> {
  const held = kept(db)
  held.reading ??= countAll(db, pause)
    .then((tally) => {
      held.tally = tally
    })
    .finally(() => {
      held.reading = null
    })
  await held.reading
}

/** Has them counted anew for the next who asks, after some were deleted. */
export function forgetTally(db: Db): void {
  const held = kept(db)
  held.tally = null
  held.reading?.then(() => {
    held.tally = null
  })
}

/** Counts them, unless that is done or under way: who waits for the reading of a request can't leave off. */
export async function readTallyAhead(db: Db, pause: () => Promise<void>): Promise<void> {
  const { tally, reading } = kept(db)
  if (!tally && !reading) await readTally(db, pause)
}

async function countAll(db: Db, pause: () => Promise<void>): Promise<Tally> {
  const tally: Tally = {
    lastId: lastEntry(db),
    latest: null,
    kinds: [],
    numbers: new Map(),
    blocks: [],
  }
  for (let last: Moment | null = null; ; ) {
    const entries = listLater(db, last, PORTION)
    for (const entry of entries) if (entry.id <= tally.lastId) add(db, tally, entry)
    if (entries.length < PORTION) return tally
    last = entries.at(-1)!
    await pause()
  }
}

/** Returns whether the entries are counted, but for newer ones, so that nobody waits for it. */
export function isTallied(db: Db): boolean {
  return kept(db).tally !== null
}

/** Begins to count the entries, in turns with requests: for those who ask next. */
export function beginTally(db: Db): void {
  // Nobody waits for it: pages are found without.
  currentTally(db).catch(() => {})
}

/** Returns the tally with all entries that there are; who asks first waits until they are counted. */
export async function currentTally(db: Db): Promise<Tally> {
  const held = kept(db)
  // One that was begun ahead leaves off when the server is to stop.
  while (!held.tally) {
    await (held.reading?.catch(() => {}) ?? readTally(db, createPause()))
  }
  const { tally } = held
  await follow(db, tally, setImmediate)
  return tally
}

/** Counts what is newer. Several may do so by turns: each portion is read and counted at once. */
async function follow(db: Db, tally: Tally, pause: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const entries = listAfter(db, tally.lastId, PORTION)
    for (const entry of entries) {
      tally.lastId = entry.id
      add(db, tally, entry)
    }
    if (entries.length < PORTION) return
    await pause()
  }
}

/** Yields the blocks, latest first, with their number of entries of the kinds that are asked for. */
export function* countedBlocks(tally: Tally, isAsked: (kind: Kind) => boolean): Generator<Counted> {
  const { blocks, kinds } = tally
  const asked = kinds.map(isAsked)
  for (let index = blocks.length - 1; index >= 0; index--) {
    const { counts } = blocks[index]!
    let entries = 0
    for (let number = 0; number < counts.length; number++) {
      if (asked[number]) entries += counts[number]!
    }
    yield { span: spanOf(tally, index), entries }
  }
}

function spanOf({ blocks, lastId }: Tally, index: number): Span {
  return { from: blocks[index]!.from, before: blocks[index + 1]?.from ?? null, lastId }
}

function add(db: Db, tally: Tally, entry: CountedEntry): void {
  const { blocks, latest } = tally
  if (!latest || isLater(entry, latest)) {
    tally.latest = momentOf(entry)
    const last = blocks.at(-1)
    if (!last || last.size >= BLOCK) blocks.push(emptyBlock(tally, entry))
    count(tally, blocks.at(-1)!, entry)
    return
  }
  // The clock was set back.
  const index = placeOf(blocks, entry)
  const block = blocks[index]!
  if (isLater(block.from, entry)) block.from = momentOf(entry)
  count(tally, block, entry)
  if (block.size < 2 * BLOCK) return
  const parts: Block[] = []
  for (const one of listCounted(db, spanOf(tally, index))) {
    if (parts.length === 0 || parts.at(-1)!.size >= BLOCK) parts.push(emptyBlock(tally, one))
    count(tally, parts.at(-1)!, one)
  }
  blocks.splice(index, 1, ...parts)
}

function count({ kinds, numbers }: Tally, block: Block, entry: CountedEntry): void {
  const { user_id, action, object_type } = entry
  const key = JSON.stringify([user_id, action, object_type])
  let number = numbers.get(key)
  if (number === undefined) {
    number = kinds.push({ user_id, action, object_type }) - 1
    numbers.set(key, number)
  }
  if (number >= block.counts.length) {
    const grown = new Uint16Array(kinds.length)
    grown.set(block.counts)
    block.counts = grown
  }
  block.counts[number]!++
  block.size++
}

const momentOf = ({ performed_at, id }: Moment): Moment => ({ performed_at, id })

const emptyBlock = ({ kinds }: Tally, first: Moment): Block => ({
  from: momentOf(first),
  size: 0,
  // A map of each would take twenty times the memory.
  counts: new Uint16Array(kinds.length),
})

function isLater(a: Moment, b: Moment): boolean {
  return a.performed_at === b.performed_at ? a.id > b.id : a.performed_at > b.performed_at
}

/** Returns the place of the last block that begins before a moment; 0 when none does. */
function placeOf(blocks: Block[], moment: Moment): number {
  let [low, high] = [0, blocks.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isLater(blocks[middle]!.from, moment)) high = middle - 1
    else low = middle
  }
  return low
}
