import { countBits } from '../../bits.ts'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { type FileSet, hasFile } from '../filter/bitset.ts'
import { filesCarrying } from './counts-queries.ts'

/** The files that carry a tag: as a set where that is smaller, else as their row numbers. */
export interface Carriers {
  /** The tag's `files_version` when they were read. */
  version: number
  isSet: boolean
  files: Uint32Array
}

interface Kept {
  byTag: Map<number, Carriers>
  bytes: number
}

/** How many bytes are kept; beyond that, tags are read anew each time. */
const MOST_KEPT = 128 * 1024 * 1024
/** How many files are read before other requests get a turn: about 4 ms. */
const STRETCH = 20_000

const keptOf = perConnection((): Kept => ({ byTag: new Map(), bytes: 0 }))

/**
 * Returns the files that carry a tag, which are kept as long as they are the same; `pause` is called
 * between stretches of what is read.
 */
export async function carriersOf(
  db: Db,
  tag: { rid: number; files_version: number },
  pause: () => Promise<void>,
): Promise<Carriers> {
  const kept = keptOf(db)
  const known = kept.byTag.get(tag.rid)
  if (known?.version === tag.files_version) return known
  const read = { version: tag.files_version, ...(await readCarriers(db, tag.rid, pause)) }
  forget(kept, tag.rid)
  if (kept.bytes + read.files.byteLength <= MOST_KEPT) {
    kept.byTag.set(tag.rid, read)
    kept.bytes += read.files.byteLength
  }
  return read
}

/** Loses from memory the files of all tags but these. */
export function keepOnly(db: Db, tags: { rid: number }[]): void {
  const kept = keptOf(db)
  if (kept.byTag.size <= tags.length) return
  const present = new Set(tags.map((tag) => tag.rid))
  for (const rid of kept.byTag.keys()) if (!present.has(rid)) forget(kept, rid)
}

function forget(kept: Kept, rid: number): void {
  kept.bytes -= kept.byTag.get(rid)?.files.byteLength ?? 0
  kept.byTag.delete(rid)
}

async function readCarriers(db: Db, tag: number, pause: () => Promise<void>) {
  const parts: number[][] = []
  let count = 0
  let after = 0
  for (;;) {
    const part = filesCarrying(db, tag, { after, limit: STRETCH })
    parts.push(part)
    count += part.length
    after = part.at(-1) ?? after
    if (part.length < STRETCH) break
    await pause()
  }
  const words = (after >>> 5) + 1
  const isSet = count > words
  const files = new Uint32Array(isSet ? words : count)
  let at = 0
  for (const part of parts) {
    for (const rid of part) {
      if (isSet) files[rid >>> 5]! |= 1 << (rid & 31)
      else files[at++] = rid
    }
  }
  return { isSet, files }
}

/** Returns how many of the files of a tag are in a set. */
export function countAmong({ isSet, files }: Carriers, among: FileSet): number {
  let count = 0
  if (!isSet) {
    for (let i = 0; i < files.length; i++) if (hasFile(among, files[i]!)) count++
    return count
  }
  const shared = Math.min(files.length, among.length)
  for (let i = 0; i < shared; i++) {
    const both = files[i]! & among[i]!
    if (both !== 0) count += countBits(both)
  }
  return count
}
