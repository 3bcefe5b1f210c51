import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** The number of a file's bytes, and their SHA-256 in hex. */
export interface Digest {
  size: number
  sha256: string
}

// Bytes of a file that are in memory at once.
const PIECE = 2 ** 20
// Buffers that are not in use, at most as many as files were read at once.
const free: Buffer[] = []

/**
 * Reads a file to its end and returns its digest. `onPiece` is called with each piece, and must have finished with it
 * when it resolves. Throws the file system's errors, and the signal's reason when it is aborted.
 */
export async function readDigest(
  path: string,
  {
    signal,
    onPiece,
  }: { signal?: AbortSignal; onPiece?: (piece: Uint8Array) => Promise<void> } = {},
): Promise<Digest> {
  const hash = createHash('sha256')
  const handle = await open(path, 'r')
  const buffer = free.pop() ?? Buffer.allocUnsafe(PIECE)
  try {
    for (let size = 0; ; ) {
      signal?.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, PIECE, size)
      if (bytesRead === 0) return { size, sha256: hash.digest('hex') }
      const piece = buffer.subarray(0, bytesRead)
      hash.update(piece)
      await onPiece?.(piece)
      size += bytesRead
    }
  } finally {
    free.push(buffer)
    await handle.close()
  }
}

/** Returns whether two digests are of the same bytes. */
export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.size === other.size && one.sha256 === other.sha256
}
