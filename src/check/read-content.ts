import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** So much of a content is in memory at once, in bytes. */
const PIECE = 2 ** 20
/** Those that are not in use: one for each file that was read at once. */
const free: Buffer[] = []

/**
 * Reads a file to its end, hands each piece to `use`, which must be done with it when it resolves, and returns the
 * sha256 and the size in bytes. Throws the file system's errors, and the signal's
 * reason when it is aborted.
 */
export async function readThrough(
  path: string,
  signal: AbortSignal,
  use: (piece: Uint8Array) => Promise<void> = async () => {},
): Promise<{ size: number; sha256: Uint8Array }> {
  const hash = createHash('sha256')
  const handle = await open(path, 'r')
  const buffer = free.pop() ?? Buffer.allocUnsafe(PIECE)
  try {
    for (let size = 0; ; ) {
      signal.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, PIECE, size)
      if (bytesRead === 0) return { size, sha256: hash.digest() }
      const piece = buffer.subarray(0, bytesRead)
      hash.update(piece)
      await use(piece)
      size += bytesRead
    }
  } finally {
    free.push(buffer)
    await handle.close()
  }
}
