import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { countContents, creatorsOf, equalFiles, libraryState } from './contents-queries.ts'

interface EqualContents {
  state: string
  /** The files of each such content by their row numbers, ascending. */
  groups: number[][]
  /** The creator of each file, by its row number. */
  creatorOf: Uint32Array
}

const cacheOf = perConnection((): { current: EqualContents | null } => ({ current: null }))

// How many contents are read before other requests have a turn.
const STRETCH = 2000
const PREFIXES = 2 ** 32
// More than any SHA-256.
const BEYOND = new Uint8Array(33).fill(255)

/**
 * Returns the files of equal contents, which are cached until a content comes, goes or is replaced, or files get
 * another creator. They are read in turns with other requests.
 */
export async function equalContents(db: Db, pause: () => Promise<void>): Promise<EqualContents> {
  const cache = cacheOf(db)
  const state = libraryState(db).contents
  if (cache.current?.state === state) return cache.current
  const groups: number[][] = []
  for (const range of ranges(Math.ceil(countContents(db) / STRETCH))) {
    for (const files of equalFiles(db, range)) groups.push(files)
    await pause()
  }
  const creatorOf = new Uint32Array(countContents(db) + 1)
  const files = groups.flat()
  for (let at = 0; at < files.length; at += STRETCH) {
    for (const [rid, creator] of creatorsOf(db, files.slice(at, at + STRETCH))) {
      // A file that has come meanwhile is in no group that was read.
      if (rid < creatorOf.length) creatorOf[rid] = creator
    }
    await pause()
  }
  cache.current = { state, groups: inOrder(groups, creatorOf.length), creatorOf }
  return cache.current
}

// Ranges of SHA-256 of equal length are evenly filled, since sums are spread evenly.
function* ranges(count: number): Generator<{ from: Uint8Array; to: Uint8Array }> {
  for (let index = 0; index < count; index++) {
    const isLast = index === count - 1
    yield { from: prefix(index / count), to: isLast ? BEYOND : prefix((index + 1) / count) }
  }
}

function prefix(share: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(Math.floor(share * PREFIXES))
  return bytes
}

// Sorts the groups by their first files, which are below `end`; this is far quicker than comparing them.
function inOrder(groups: number[][], end: number): number[][] {
  const numberAt = new Uint32Array(end)
  for (const [index, [first]] of groups.entries()) numberAt[first!] = index + 1
  const ordered: number[][] = []
  for (const number of numberAt) if (number > 0) ordered.push(groups[number - 1]!)
  return ordered
}
