import { countBits } from '../../base/bits.ts'
import type { Db } from '../../db/client.ts'
import { listFinerHashes } from './queries.ts'

// Of 32 bits each.
const WORDS = 8

/**
 * Within this many of 256 bits, two finer hashes are of the same picture. Two of three copies of photographs are; chats
 * of one layout with other words are at least 24 bits apart, letters 30.
 */
export const NEAR = 20
/**
 * Beyond this many bits, they are of different pictures: a photograph with a frame of 4 % is up to 90 bits from itself,
 * as are the nearest of a thousand unrelated ones. In between, the thumbnails decide.
 */
export const FAR = 90

/** The state of a file without a finer hash. */
export const UNKNOWN = 0
export const TELLING = 1
/** Too plain to be distinguished from another picture. */
export const PLAIN = 2
/** The file is gone. */
export const GONE = 3

/** The finer hashes of files; the state of each file is at its own index. */
export interface FinerHashes {
  /** UNKNOWN, TELLING, PLAIN or GONE. */
  states: Uint8Array
  /** WORDS words of each file. */
  words: Int32Array
  /** The file that stands for all files of the same content, often itself. */
  twins: Int32Array
}

const PAGE = 5000
// Of a finer hash.
const BYTES = 32

/**
 * Returns the finer hashes of the files whose indexes in `rids` are listed; all others are UNKNOWN. Equal contents look
 * alike, whichever of their pictures was hashed, so one of them stands for all. A file that has no finer hash counts as
 * `without`.
 */
export function readFinerHashes(
  db: Db,
  { rids, listed, without }: { rids: Float64Array; listed: Int32Array; without: number },
): FinerHashes {
  const finer: FinerHashes = {
    states: new Uint8Array(rids.length),
    words: new Int32Array(rids.length * WORDS),
    twins: new Int32Array(rids.length),
  }
  for (let file = 0; file < rids.length; file++) finer.twins[file] = file
  // The bytes are never compared with those of another byte order.
  const bytes = new Uint8Array(finer.words.buffer)
  const contents = new Map<string, number>()
  const firstWith = (sha256: Uint8Array, file: number) => {
    const content = Buffer.from(sha256).toString('latin1')
    const first = contents.get(content) ?? file
    contents.set(content, first)
    return first
  }
  const unknown: { file: number; sha256: Uint8Array }[] = []
  for (let start = 0; start < listed.length; start += PAGE) {
    const page = listed.subarray(start, start + PAGE)
    const asked = Array.from(page, (file) => rids[file]!)
    for (const { place, hash, isPlain, sha256 } of listFinerHashes(db, asked)) {
      const file = page[place]!
      if (sha256 === null) finer.states[file] = GONE
      else if (hash === null) unknown.push({ file, sha256 })
      else {
        bytes.set(hash, file * BYTES)
        finer.states[file] = isPlain === 1 ? PLAIN : TELLING
        finer.twins[file] = firstWith(sha256, file)
      }
    }
  }
  // A file with a hash stands for those of the same content without one.
  for (const { file, sha256 } of unknown) {
    finer.states[file] = without
    finer.twins[file] = firstWith(sha256, file)
  }
  return finer
}

/** Returns a key that only equal finer hashes have. */
export function keyOf({ words }: FinerHashes, file: number): string {
  return String.fromCharCode(
    ...new Uint16Array(words.slice(file * WORDS, (file + 1) * WORDS).buffer),
  )
}

/** Returns in how many bits the finer hashes of two files differ; where that is over `limit`, some number over it. */
export function finerDistance(words: Int32Array, a: number, b: number, limit: number): number {
  let [x, y] = [a * WORDS, b * WORDS]
  const end = x + WORDS
  let distance = 0
  while (x < end && distance <= limit) {
    distance += countBits(words[x]! ^ words[y]!, words[x + 1]! ^ words[y + 1]!)
    x += 2
    y += 2
  }
  return distance
}
