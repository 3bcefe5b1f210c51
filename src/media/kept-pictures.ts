import { createBoundedMap } from '../bounded-map.ts'
import type { StoredPicture } from './stored-picture.ts'

/** Small pictures that are kept in memory, by the blobs of their contents. */
interface KeptPictures {
  /**
   * Returns a picture from memory when it was found under the same stamp before, else as `find` finds it,
   * null when it doesn't; a small one is then kept. Throws the file system's errors.
   */
  find(
    of: { blob: string; stamp: string },
    find: () => Promise<StoredPicture | null>,
  ): Promise<StoredPicture | null>
  forget(blob: string): void
}

/** How many bytes all pictures that are kept take at most, and how many one of them has. */
const LIMIT = 32 * 2 ** 20
const LARGEST = 64 * 2 ** 10
/** Bytes that a picture takes beside its own. */
const OVERHEAD = 512

/** Returns the memory of small pictures, with none yet. */
export function createKeptPictures(): KeptPictures {
  const kept = createBoundedMap<string, { stamp: string; picture: StoredPicture }>(
    LIMIT,
    ({ picture }) => picture.size + OVERHEAD,
  )
  return {
    async find({ blob, stamp }, find) {
      const known = kept.get(blob)
      if (known?.stamp === stamp) return known.picture
      const found = await find()
      if (!found || found.size > LARGEST) return found
      const handle = await found.open()
      try {
        const bytes = new Uint8Array(await handle.readFile())
        // It is being written anew; who opens it again is told what is wrong, if anything is.
        if (bytes.length !== found.size) return found
        const picture = { ...found, bytes }
        kept.set(blob, { stamp, picture })
        return picture
      } finally {
        await handle.close()
      }
    },
    forget: kept.delete,
  }
}
