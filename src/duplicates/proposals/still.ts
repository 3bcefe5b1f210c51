import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { canMove, isAnimated } from '../../media/animation.ts'
import type { Storage } from '../../media/storage.ts'
import { blobsOf } from './smaller-queries.ts'

// How many contents are remembered; a content never changes under its name.
const KNOWN = 100_000
const STRETCH = 2000

const knownOf = perConnection(() => new LRUCache<string, boolean>({ max: KNOWN }))

/**
 * Returns the files whose pictures have several frames. Each content that may have several is read once; one that can't
 * be read counts as having them.
 */
export async function movingPictures(
  { db, storage }: { db: Db; storage: Storage },
  rids: number[],
  pause: () => Promise<void>,
): Promise<Set<number>> {
  const known = knownOf(db)
  const moving = new Set<number>()
  const asked = [...new Set(rids)]
  for (let from = 0; from < asked.length; from += STRETCH) {
    for (const { rid, mime_type, blob } of blobsOf(db, asked.slice(from, from + STRETCH))) {
      if (!canMove(mime_type)) continue
      const moves = known.get(blob) ?? (await look(storage, { mime_type, blob }))
      if (moves !== null) known.set(blob, moves)
      if (moves ?? true) moving.add(rid)
      await pause()
    }
    await pause()
  }
  return moving
}

// Returns null when the content can't be read now.
async function look(
  storage: Storage,
  { mime_type, blob }: { mime_type: string; blob: string },
): Promise<boolean | null> {
  try {
    const file = await storage.open(blob)
    try {
      return await isAnimated(file, mime_type)
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
