import { createHash } from 'node:crypto'
import { type Bytes, streamFile } from './file-bytes.ts'

/** The number of a file's bytes, and their SHA-256 in hex. */
export interface Digest {
  size: number
  sha256: string
}

// Bytes of a file that are in memory at once.
const PIECE = 2 ** 20
// Buffers that are not in use, at most as many as files were read at once.
const free: Buffer<ArrayBuffer>[] = []

export interface DigestOptions {
  signal?: AbortSignal
  /** Is called with each piece, and must have finished with it when it resolves. */
  onPiece?: (piece: Uint8Array) => Promise<void>
}

/** Reads a file to its end and returns its digest. Throws as `digestOf` does. */
export function readDigest(path: string, options?: DigestOptions): Promise<Digest> {
  return digestOf((buffer) => streamFile(path, { buffer }), options)
}

/**
 * Returns the digest of bytes, which are to be read into a buffer. Throws the errors of reading, and the signal's
 * reason when it is aborted.
 */
export async function digestOf(
  read: (buffer: Buffer<ArrayBuffer>) => Promise<Bytes>,
  { signal, onPiece }: DigestOptions = {},
): Promise<Digest> {
  const hash = createHash('sha256')
  const buffer = free.pop() ?? Buffer.allocUnsafe(PIECE)
  let size = 0
  try {
    signal?.throwIfAborted()
    for await (const piece of await read(buffer)) {
      hash.update(piece)
      await onPiece?.(piece)
      size += piece.length
      signal?.throwIfAborted()
    }
    return { size, sha256: hash.digest('hex') }
  } finally {
    free.push(buffer)
  }
}

/** Returns whether two digests are of the same bytes. */
export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.size === other.size && one.sha256 === other.sha256
}
