import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** What is known of a file's bytes: how many there are, and their SHA-256 in hex. */
export interface Digest {
  size: number
  sha256: string
}

const PIECE = 2 ** 20

/**
 * Reads a file to its end, in pieces of 1 MiB, each of which `onPiece` is given until it resolves, and returns its
 * digest. Throws the file system's error.
 */
export async function readDigest(
  path: string,
  onPiece: (bytes: Uint8Array) => unknown = () => {},
): Promise<Digest> {
  const handle = await open(path, 'r')
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(PIECE)
    for (let size = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE, size)
      if (bytesRead === 0) return { size, sha256: hash.digest('hex') }
      const piece = buffer.subarray(0, bytesRead)
      hash.update(piece)
      await onPiece(piece)
      size += bytesRead
    }
  } finally {
    await handle.close()
  }
}
