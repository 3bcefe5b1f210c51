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

/** Of all that may be kept; what is beyond is read anew each time, since each count goes through all tags. */
const MOST_KEPT = 1 / 2
/** Of a tag on more files than this, so many row numbers are passed before others get a turn: 4 ms. */
const STRETCH = 20_000

/** By the row numbers of the tags. */
const keptOf = keptMap<number, Carriers>(({ files }) => files.byteLength)

/** Returns the files that carry a tag, if they are kept and still the same. */
export function keptCarriers(db: Db, { rid, files_version }: CarriedTag): Carriers | undefined {
  const known = keptOf(db).get(rid)
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
  const kept = keptOf(db)
  const { rid, files_version: version } = tag
  const carriers = { version, ...(await filesOfTag(db, tag, pause)) }
  kept.delete(rid)
  const room = budgetOf(db).limit * MOST_KEPT - kept.weight()
  if (carriers.files.byteLength <= room) kept.set(rid, carriers)
  return carriers
}

/** Loses from memory the files of all tags but these. */
export function keepOnly(db: Db, tags: { rid: number }[]): void {
  const kept = keptOf(db)
  const present = new Set(tags.map((tag) => tag.rid))
  for (const rid of kept.keys()) if (!present.has(rid)) kept.delete(rid)
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
