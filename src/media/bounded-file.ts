import { open } from 'node:fs/promises'

/** A file of which only a limited amount is read. */
export interface BoundedFile {
  /** Bytes. */
  size: number
  /**
   * Returns the bytes from `start` to `end` or the end of the file; throws when they are too many.
   */
  read(start: number, end: number): Promise<Buffer>
}

/** Bytes; the index of a day-long film is this large. */
const MAX_READ = 32 * 2 ** 20

/** Returns what `use` makes of the file, which is open while it runs; `maxRead` is in bytes. */
export async function withBoundedFile<Result>(
  path: string,
  use: (file: BoundedFile) => Promise<Result>,
  maxRead = MAX_READ,
): Promise<Result> {
  const handle = await open(path, 'r')
  let left = maxRead
  try {
    const { size } = await handle.stat()
    const read = async (start: number, end: number) => {
      const length = Math.max(0, Math.min(end, size) - start)
      // What isn't read isn't counted: a smaller read may do for the next question.
      if (length > left) throw new Error('more than may be read')
      left -= length
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    }
    return await use({ size, read })
  } finally {
    await handle.close()
  }
}
