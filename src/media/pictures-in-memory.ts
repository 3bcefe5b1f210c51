import { LRUCache } from 'lru-cache'
import type { StoredPicture } from './stored-picture.ts'

interface CachedPictures {
  /**
   * Returns a picture that was read under the same stamp before, else what `look` finds, null when that is nothing; a
   * small one is cached once it is read as a whole. Throws what `look` throws.
   */
  find(
    of: { blob: string; stamp: string },
    look: () => Promise<StoredPicture | null>,
  ): Promise<StoredPicture | null>
  evict(blob: string): void
}

// In bytes, of all cached pictures, and of a single one.
const LIMIT = 32 * 2 ** 20
const LARGEST = 64 * 2 ** 10
// Bytes that a picture takes beside its own.
const OVERHEAD = 512

/** Returns an empty cache of small pictures. */
export function createPicturesInMemory(): CachedPictures {
  const cache = new LRUCache<string, { stamp: string; picture: StoredPicture }>({
    maxSize: LIMIT,
    sizeCalculation: ({ picture }) => picture.size + OVERHEAD,
  })
  return {
    async find({ blob, stamp }, look) {
      const known = cache.get(blob)
      if (known?.stamp === stamp) return known.picture
      const found = await look()
      if (!found || found.size > LARGEST) return found
      return {
        ...found,
        async whole() {
          const bytes = await found.read()
          // It is being written anew; opening it again reports the error, if there is one.
          if (bytes.length !== found.size) return null
          cache.set(blob, { stamp, picture: { ...found, whole: async () => bytes } })
          return bytes
        },
      }
    },
    evict: (blob) => void cache.delete(blob),
  }
}
