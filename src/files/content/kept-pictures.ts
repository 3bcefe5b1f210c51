import { createBoundedMap } from '../../bounded-map.ts'
import type { StoredPicture } from '../../media/storage.ts'

/** A picture whose bytes are in memory. */
type KeptPicture = Required<StoredPicture>

/** How many bytes all pictures that are kept take at most, and how many one of them has. */
const LIMIT = 32 * 2 ** 20
const LARGEST = 64 * 2 ** 10
/** Bytes that a picture takes beside its own. */
const OVERHEAD = 512

// A thumbnail is sent in less time than the way to the disk takes, by threads that also write uploads.
const kept = createBoundedMap<string, KeptPicture>(LIMIT, ({ size }) => size + OVERHEAD)

/**
 * Returns the picture that a key stands for, which never changes, from memory, or as `find` finds it, null
 * when it doesn't; a small one is then kept for those who ask next. Throws the file system's errors.
 */
export async function keptPicture(
  key: string,
  find: () => Promise<StoredPicture | null>,
): Promise<StoredPicture | null> {
  const known = kept.get(key)
  if (known) return known
  const found = await find()
  if (!found || found.size > LARGEST) return found
  const handle = await found.open()
  try {
    const bytes = new Uint8Array(await handle.readFile())
    const picture = { ...found, size: bytes.length, bytes }
    if (bytes.length > 0) kept.set(key, picture)
    return picture
  } finally {
    await handle.close()
  }
}
