import type { Db } from '../../db/client.ts'
import { budgetOf, keptMap } from '../../db/kept.ts'
import { type PackedFiles, packFiles } from '../file-set.ts'
import { highestFile } from '../filter/sets.ts'
import { type CarriedTag, filesCarrying } from './counts-queries.ts'

/** The files that carry a tag. */
interface Carriers extends PackedFiles {
  /** The tag's `files_version` when they were read. */
  version: number
}

/** The files of all tags that are kept, and how many bytes they take. */
interface AllCarriers {
  byTag: Map<number, Carriers>
  bytes: number
}

/** Of all that may be kept; what is beyond is read anew each time, since each count goes through all tags. */
const MOST_KEPT = 1 / 2
/** What a tag takes beside its files, in bytes. */
const TAG_BYTES = 200
/** Of a tag on more files than this, so many row numbers are passed before others get a turn: 4 ms. */
const STRETCH = 20_000

/**
 * Kept and lost together: counts go through the tags in one order, so that each one that has to be read
 * again would drive out the one that is asked for next.
 */
const keptOf = keptMap<'all', AllCarriers>(({ bytes }) => bytes)

function allKept(db: Db): AllCarriers {
  return keptOf(db).get('all') ?? { byTag: new Map(), bytes: 0 }
}

/** Returns the files that carry a tag, if they are kept and still the same. */
export function keptCarriers(db: Db, { rid, files_version }: CarriedTag): Carriers | undefined {
  const known = allKept(db).byTag.get(rid)
  return known?.version === files_version ? known : undefined
}

/**
 * Reads the files that carry a tag and keeps them; `pause` is called between stretches of what is
 * read.
 */
export async function readCarriers(
  db: Db,
  tag: CarriedTag,
  pause: () => Promise<void>,
): Promise<Carriers> {
  const { rid, files_version: version } = tag
  const carriers = { version, ...(await filesOfTag(db, tag, pause)) }
  const kept = allKept(db)
  forget(kept, rid)
  const bytes = bytesOf(carriers)
  if (kept.bytes + bytes <= budgetOf(db).limit * MOST_KEPT) {
    kept.byTag.set(rid, carriers)
    kept.bytes += bytes
  }
  keptOf(db).set('all', kept)
  return carriers
}

/** Loses from memory the files of all tags but these. */
export function keepOnly(db: Db, tags: { rid: number }[]): void {
  const kept = allKept(db)
  const present = new Set(tags.map((tag) => tag.rid))
  for (const rid of kept.byTag.keys()) if (!present.has(rid)) forget(kept, rid)
}

function forget(kept: AllCarriers, rid: number): void {
  const known = kept.byTag.get(rid)
  if (!known) return
  kept.byTag.delete(rid)
  kept.bytes -= bytesOf(known)
}

function bytesOf({ files }: Carriers): number {
  return files.byteLength + TAG_BYTES
}

async function filesOfTag(db: Db, tag: CarriedTag, pause: () => Promise<void>) {
  const highest = highestFile(db)
  const step = tag.file_count <= STRETCH ? highest : STRETCH
  const parts: number[][] = []
  for (let after = 0; after < highest; after += step) {
    if (after > 0) await pause()
    parts.push(filesCarrying(db, tag.rid, { after, last: after + step }))
  }
  return packFiles(parts)
}
