import { ApiError } from '../../base/error.ts'
import { MOST_FILES } from '../../base/listing.ts'
import { dayOf, monthKey } from '../days.ts'
import type { Bucket } from '../engine.ts'
import { type Blocks, blockAt } from './blocks.ts'
import { type CellPage, cellOf } from './columns.ts'
import { loadedPosition } from './loaded.ts'
import type { ListingSource } from './source.ts'

/** What is loaded of a listing. */
export interface Known {
  source: ListingSource
  /** Null for sorts without months. */
  buckets: readonly Bucket[] | null
  blocks: Blocks
}

interface Part {
  first: number
  count: number
  cursor: string | null
}

/** The most blocks that are searched for a file in a listing without months. */
const LOOKED_THROUGH = 25

/** Returns the files around one that is not loaded; null at the ends. Throws an ApiError. */
export async function readNeighbours({ source }: Known, id: string) {
  const [before, behind] = await Promise.all([
    source.cells({ anchor: id, direction: 'backward', limit: 2 }),
    source.cells({ anchor: id, limit: 2 }),
  ])
  return {
    previous: before.ids.length > 1 ? cellOf(before, 0) : null,
    next: behind.ids.length > 1 ? cellOf(behind, 1) : null,
  }
}

/** Loads a file and returns its position; null if the listing doesn't contain it. */
export async function findPosition(known: Known, id: string): Promise<number | null> {
  const { source, buckets, blocks } = known
  const loaded = loadedPosition(known, id)
  if (loaded !== null) return loaded
  const reported = source.positionOf?.(id)
  if (reported !== undefined) {
    await blocks.load(blockAt(blocks.list, reported))
    return loadedPosition(known, id)
  }
  if (!buckets) {
    for (let index = 0; index < Math.min(LOOKED_THROUGH, blocks.list.length); index++) {
      await blocks.load(index)
      const position = loadedPosition(known, id)
      if (position !== null) return position
    }
    return null
  }
  const page = await source.cells({ anchor: id, limit: 1 }).catch(nullWhereNone)
  if (page?.ids[0] !== id) return null
  for (const part of await likelyParts(known, page)) {
    const index = (await idsOf(source, part.cursor, part.count)).indexOf(id)
    if (index === -1) continue
    const position = part.first + index
    await blocks.load(blockAt(blocks.list, position))
    return loadedPosition(known, id) ?? position
  }
  return null
}

function nullWhereNone(error: unknown): null {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null
  throw error
}

/** Returns the ids of the files from a position to before another, or to the end of the listing. */
export async function idsBetween(
  known: Known,
  from: number,
  end = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const { source, blocks } = known
  const [start, last] = [blockAt(blocks.list, from), blockAt(blocks.list, end - 1)]
  const range = blocks.list.slice(start, last + 1)
  const first = range[0]
  if (!first || end <= from) return []
  if (range.every(({ files }) => files)) {
    const ids = range.flatMap(({ files }) => files!.ids)
    return ids.slice(from - first.first, end - first.first)
  }
  let begin = start
  while (begin > first.run && blocks.list[begin]!.cursor === null) begin--
  const { first: skipped, cursor } = blocks.list[begin]!
  return (await idsOf(source, cursor, end - skipped)).slice(from - skipped)
}

/** Returns the position of the first file of a loaded file's day and the one after the last. */
export async function dayRange(known: Known, position: number): Promise<[number, number]> {
  const { blocks } = known
  const index = blockAt(blocks.list, position)
  const block = blocks.list[index]!
  const day = dayOf(block.files!.t[position - block.first]!)
  const isOfDay = (time: number) => dayOf(time) === day
  const start = await edge(known, index, day, -1)
  const end = await edge(known, index, day, 1)
  const [head, tail] = [blocks.list[start]!, blocks.list[end]!]
  return [
    head.first + head.files!.t.findIndex(isOfDay),
    tail.first + tail.files!.t.findLastIndex(isOfDay) + 1,
  ]
}

/** Loads and returns the farthest block in a direction that has files of the day. */
async function edge(known: Known, from: number, day: number, step: 1 | -1): Promise<number> {
  const { list } = known.blocks
  const reaches = async (index: number) => {
    const block = list[index]
    if (!block) return false
    await known.blocks.load(index)
    const { t } = block.files ?? { t: [] }
    return t.some((time) => dayOf(time) === day)
  }
  // In strides that double, then halve: a day may have 300,000 files.
  let stride = 1
  let index = from
  while (await reaches(index + stride * step)) {
    index += stride * step
    stride *= 2
  }
  for (; stride >= 1; stride = Math.floor(stride / 2)) {
    if (await reaches(index + stride * step)) index += stride * step
  }
  await known.blocks.load(index)
  return index
}

/** Returns the buckets that may contain the file of a page, the likeliest first. */
async function likelyParts({ source, buckets }: Known, page: CellPage): Promise<Part[]> {
  const time = page.t[0]!
  const key = monthKey(dayOf(time))
  let first = 0
  const parts = (buckets ?? []).map(({ count, cursor, key: own }) => {
    const part = { first, count, cursor, isOfMonth: own === key }
    first += count
    return part
  })
  let low = parts.findIndex(({ isOfMonth }) => isOfMonth)
  let high = parts.findLastIndex(({ isOfMonth }) => isOfMonth)
  // A year alone comes after its December.
  const rankOf = (key = '') => (key.length > 4 ? key : `${key}-13`)
  const isDescending = rankOf(buckets?.at(0)?.key) >= rankOf(buckets?.at(-1)?.key)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const { cursor } = parts[middle]!
    const [begins] = (await source.cells({ ...(cursor === null ? {} : { cursor }), limit: 1 })).t
    if (begins !== undefined && (isDescending ? begins >= time : begins <= time)) low = middle
    else high = middle - 1
  }
  // Files of one second may be on both sides of a boundary; around midnight, so may those of two zones.
  return [parts[low], parts[low - 1], parts[low + 1]].filter((part) => part !== undefined)
}

async function idsOf(
  source: ListingSource,
  start: string | null,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  let cursor = start
  do {
    const limit = Math.min(MOST_FILES, count - ids.length)
    const page = await source.ids({ ...(cursor === null ? {} : { cursor }), limit })
    ids.push(...page.ids)
    cursor = page.next_cursor
  } while (cursor !== null && ids.length < count)
  return ids
}
