import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { type PackedFiles, packFiles } from '../file-set.ts'
import { highestFile } from '../filter/sets.ts'
import { type CarriedTag, filesCarrying } from './counts-queries.ts'

/** The files that carry a tag. */
interface Carriers extends PackedFiles {
  /** The tag's `files_version` when they were read. */
  version: number
}

interface Kept {
  byTag: Map<number, Carriers>
  bytes: number
}

/** How many bytes are kept; beyond that, tags are read anew each time. */
const MOST_KEPT = 128 * 1024 * 1024
/** Of a tag on more files than this, so many row numbers are passed before others get a turn: 4 ms. */
const STRETCH = 20_000

const keptOf = perConnection((): Kept => ({ byTag: new Map(), bytes: 0 }))

/** Returns the files that carry a tag, if they are kept and still the same. */
export function keptCarriers(db: Db, { rid, files_version }: CarriedTag): Carriers | undefined {
  const known = keptOf(db).byTag.get(rid)
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
  forget(kept, rid)
  if (kept.bytes + carriers.files.byteLength <= MOST_KEPT) {
    kept.byTag.set(rid, carriers)
    kept.bytes += carriers.files.byteLength
  }
  return carriers
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
