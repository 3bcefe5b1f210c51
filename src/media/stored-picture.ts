import { open, readFile, stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { type Bytes, type ReadRange, streamFile } from './file-bytes.ts'
import { isOfUnreadable } from './outcome.ts'
import { unlessAbsent } from './unless-absent.ts'

/** A picture that is stored: a derivative, or the placeholder. */
export interface StoredPicture {
  stream: (range?: ReadRange) => Promise<Bytes>
  /** Returns all bytes, however many they have become. */
  read: () => Promise<Uint8Array<ArrayBuffer>>
  /** Bytes. */
  size: number
  /** Returns all bytes of a picture that is then cached in memory; null when they can't be had. */
  whole?: () => Promise<Uint8Array<ArrayBuffer> | null>
}

// How a JPEG begins and ends: ITU T.81, B.1.1.3, start and end of image.
const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])
// How many whole pictures are remembered.
const KNOWN = 100_000

/** Returns the picture at a path, or null when there is none. */
export async function findPicture(path: string): Promise<StoredPicture | null> {
  const found = await unlessAbsent(stat(path))
  if (!found) return null
  const read = async () => new Uint8Array(await readFile(path))
  return { stream: (range) => streamFile(path, range), read, size: found.size }
}

/**
 * Returns a function that returns the picture at a path, or null when there is none, or none that begins and ends as a
 * JPEG does: after a power cut, a picture may have its name and length without its bytes, and a broken disk may make
 * one unreadable. Each is checked once.
 */
export function createPictureFinder(): typeof findPicture {
  const known = new LRUCache<string, true>({ max: KNOWN })
  return async (path) => {
    const found = await findPicture(path)
    if (!found || known.get(path)) return found
    if (!(await isWhole(path, found.size))) return null
    known.set(path, true)
    return found
  }
}

async function isWhole(path: string, size: number): Promise<boolean> {
  if (size < START.length + END.length) return false
  try {
    return await hasBothEnds(path, size)
  } catch (error) {
    if (isOfUnreadable(error)) return false
    throw error
  }
}

async function hasBothEnds(path: string, size: number): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const at = async (place: number) =>
      (await handle.read(Buffer.alloc(START.length), 0, START.length, place)).buffer
    return (await at(0)).equals(START) && (await at(size - END.length)).equals(END)
  } finally {
    await handle.close()
  }
}
