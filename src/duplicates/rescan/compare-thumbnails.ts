import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { decodeContent } from '../../background/decode.ts'
import { isFullDisk } from '../../background/kind.ts'
import { whyUnreadable } from '../../files/content/readable.ts'
import type { TurnedFile } from '../../files/looks/turn-queries.ts'
import { isOfUnreadable } from '../../media/outcome.ts'
import type { Groups, HashedFiles } from './found.ts'
import type { RescanDeps } from './hash-untried.ts'
import { contentOf } from './queries.ts'
import { showTheSame } from './show-the-same.ts'

// Greys that are cached, of 4 KB each.
const GREYS = 10_000
const TRIED = 4
// When the system refuses to look at this many files in a row, it has no resources to give for now.
const REFUSED = 8
// Milliseconds until the next try, each time; after the last, the rest is left.
const PAUSES = [100, 2000]

// What takes much time or memory runs one after the other: a content, or what failed at the first try.
const inTurn = pLimit(1)

interface Looked {
  /** How many pairs were looked at, with this one. */
  count: number
  /** The two groups, if they show the same. */
  alike: [a: number, b: number] | null
  /** Whether one of them could not be seen now, though it may be seen later. */
  isUnseen: boolean
}

// Luminances; `none` where there are none, `refused` where the system gave no resources to look, `unseen` where there
// are none now for another reason, like a content that can't be read.
type Grey = Uint8Array | 'none' | 'refused' | 'unseen'

/**
 * Looks at the thumbnails of pairs of groups, given as `createUndecidedPairs` returns them, and makes missing ones. Ends
 * early when the system refuses for seconds to look at anything. Throws errors that would affect any file, such as a
 * full disk.
 */
export async function* compareThumbnails(
  deps: RescanDeps,
  hashes: HashedFiles,
  groups: Groups,
  pairs: Int32Array,
): AsyncGenerator<Looked> {
  const kept = new LRUCache<number, Grey>({ max: GREYS })
  const refusedGroups = new Set<number>()
  let [refused, paused] = [0, 0]
  const look = async (rid: number) => {
    const grey = await greyOfFile(deps, { rid, asOf: hashes.asOf })
    refused = grey === 'refused' ? refused + 1 : 0
    return grey
  }
  const greyOf = async (group: number) => {
    const grey = kept.get(group) ?? (await greyOfAny(filesOf(hashes, groups, group), look))
    kept.set(group, grey)
    if (grey === 'refused') refusedGroups.add(group)
    return grey
  }
  for (let at = 0; at < pairs.length; ) {
    const [a, b] = [pairs[at]!, pairs[at + 1]!]
    const [left, right] = await Promise.all([greyOf(a), greyOf(b)])
    const pause = PAUSES[paused]
    if (refused >= REFUSED && pause !== undefined) {
      await setTimeout(pause)
      paused++
      refused = 0
      for (const group of refusedGroups) kept.delete(group)
      refusedGroups.clear()
      continue
    }
    at += 2
    const isAlike =
      typeof left !== 'string' && typeof right !== 'string' && showTheSame(left, right)
    const isUnseen = [left, right].some((grey) => grey === 'refused' || grey === 'unseen')
    yield { count: at / 2, alike: isAlike ? [a, b] : null, isUnseen }
    if (refused >= REFUSED) {
      const leftOut = (pairs.length - at) / 2
      deps.log.warn('the system refuses to look at thumbnails', { leftOut })
      return
    }
  }
}

// Returns row numbers.
function filesOf({ starts, rids }: HashedFiles, { places, of }: Groups, group: number): number[] {
  const place = places[group]!
  const found: number[] = []
  for (let file = starts[place]!; file < starts[place + 1]! && found.length < TRIED; file++) {
    if (of[file] === group) found.push(rids[file]!)
  }
  return found
}

async function greyOfAny(rids: number[], look: (rid: number) => Promise<Grey>): Promise<Grey> {
  let result: Grey = 'none'
  for (const rid of rids) {
    const grey = await look(rid)
    if (typeof grey !== 'string') return grey
    if (grey !== 'none') result = grey
  }
  return result
}

async function greyOfFile(deps: RescanDeps, file: { rid: number; asOf: number }): Promise<Grey> {
  const { db, disk, log, storage } = deps
  // A file that has got another content since then is judged by the next rescan.
  const content = contentOf(db, file)
  if (content === undefined) return 'none'
  try {
    const grey = await greyOfThumbnail(deps, content)
    if (grey !== 'none') return grey
    if (!disk.hasRoom()) return 'unseen'
    const { state } = await inTurn(() => decodeContent(deps, content))
    if (state !== 'made') return state === 'pending' ? 'refused' : 'none'
    return await greyOfThumbnail(deps, content)
  } catch (error) {
    if (isFullDisk(error)) throw error
    const why = await whyUnreadable(storage, content.blob, error)
    if (why === 'lost') return 'none'
    log.warn('could not look at a content', { blob: content.blob, error: String(error) })
    // Where the content can be read, the thumbnail can't be written, and perhaps no other can.
    return why === 'unread' ? 'unseen' : 'refused'
  }
}

async function greyOfThumbnail(
  { decoder, storage }: RescanDeps,
  { blob, rotation }: Pick<TurnedFile, 'blob' | 'rotation'>,
): Promise<Grey> {
  try {
    const looked = await storage.withThumbnail(
      blob,
      async (path) =>
        (await decoder.lookAtThumbnail({ path, rotation })) ??
        (await inTurn(() => decoder.lookAtThumbnail({ path, rotation, isSecondTry: true }))),
    )
    if (!looked) return 'refused'
    return looked.shown?.grey ?? 'none'
  } catch (error) {
    if (isOfUnreadable(error)) return 'none'
    throw error
  }
}
