import { open } from 'node:fs/promises'
import { isOfSystem } from './outcome.ts'

/** A file of which only a limited amount is read. */
export interface BoundedFile {
  /** Bytes. */
  size: number
  /** Returns the bytes from `start` to `end` or the end of the file; throws when they are more than may be read. */
  read(start: number, end: number): Promise<Buffer>
}

/** Bytes; the index of a day-long film is this large. */
const MAX_READ = 32 * 2 ** 20

/**
 * Returns what `use` makes of the file, which is open while `use` runs; `maxRead` is in bytes. Throws the first error
 * of the disk that reading met, even when `use` copes with what it could not read.
 */
export async function withBoundedFile<Result>(
  path: string,
  use: (file: BoundedFile) => Promise<Result>,
  maxRead = MAX_READ,
): Promise<Result> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const read = async (start: number, end: number) => {
      const length = end - start
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    }
    return await withinBounds({ size, read }, use, maxRead)
  } finally {
    await handle.close()
  }
}

/** Does what `withBoundedFile` does, with a file that is already open. */
export async function withinBounds<Result>(
  file: BoundedFile,
  use: (file: BoundedFile) => Promise<Result>,
  maxRead = MAX_READ,
): Promise<Result> {
  const { size } = file
  let left = maxRead
  let failure: unknown
  const read = async (start: number, end: number) => {
    const length = Math.max(0, Math.min(end, size) - start)
    // What isn't read isn't counted: a smaller read may still fit.
    if (length > left) throw new Error('more than may be read')
    left -= length
    try {
      return await file.read(start, start + length)
    } catch (error) {
      if (isOfSystem(error)) failure ??= error
      throw error
    }
  }
  const [used] = await Promise.allSettled([use({ size, read })])
  if (failure !== undefined) throw failure
  if (used.status === 'rejected') throw used.reason
  return used.value
}

/** Returns bytes as a file. */
export function inMemory(bytes: Buffer): BoundedFile {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) }
}

/** Returns a part of a file as a file. */
export function partOf({ read }: BoundedFile, start: number, end: number): BoundedFile {
  const size = Math.max(0, end - start)
  return { size, read: (from, to) => read(start + from, start + Math.min(to, size)) }
}

/** Returns a file that can be read `times` times; after that, reading throws. */
export function readAtMost({ size, read }: BoundedFile, times: number): BoundedFile {
  let left = times
  return {
    size,
    async read(start, end) {
      if (left-- <= 0) throw new Error('more than may be read')
      return read(start, end)
    },
  }
}

/** Returns a file that is read in blocks of at least `length` bytes, of which the last one is cached. */
export function readInBlocks({ size, read }: BoundedFile, length: number): BoundedFile {
  let block: Buffer = Buffer.alloc(0)
  let first = 0
  return {
    size,
    async read(start, end) {
      if (start < first || Math.min(end, size) > first + block.length) {
        if (end - start >= length) return read(start, end)
        block = await read(start, start + length)
        first = start
      }
      return block.subarray(start - first, end - first)
    },
  }
}
