import { type FileHandle, open } from 'node:fs/promises'

/** Bytes in pieces, as they are taken. What they are read from is closed once they are taken or given up. */
export type Bytes = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

/** Which bytes to read; by default all. */
export interface ReadRange {
  start?: number
  /** Not included; when given, there must be as many bytes. */
  end?: number
  /**
   * What each piece fills but for the last one, in place of the one before; by default, each has memory of its own.
   */
  buffer?: Buffer<ArrayBuffer>
  /** Whether local copies of what is in a store don't count. */
  isFresh?: boolean
  /**
   * The digest of all bytes, its sha256 in hex. What is read of a store from its start to its end is copied, so that it
   * need not be asked again.
   */
  copyAs?: { size: number; sha256: string }
}

const PIECE = 2 ** 19

/** What is said of a content that has fewer bytes than are asked for. */
export const SHORTER = 'A stored file is shorter than when it was stored'

/**
 * Opens a file and returns its bytes, which must be taken or given up after the first piece. Throws the file system's
 * errors; while they are taken, also when there are fewer than `end` asks for.
 */
export async function streamFile(path: string, range: ReadRange = {}): Promise<Bytes> {
  return piecesOf(await open(path, 'r'), range)
}

async function* piecesOf(
  handle: FileHandle,
  { start = 0, end = Number.POSITIVE_INFINITY, buffer }: ReadRange,
): Bytes {
  try {
    for (let at = start; at < end; ) {
      const length = Math.min(buffer?.length ?? PIECE, end - at)
      // A piece may be handed on, so it needs its own memory instead of a shared pool's.
      const piece = buffer ?? Buffer.allocUnsafeSlow(length)
      let filled = 0
      let isOver = false
      while (filled < length && !isOver) {
        const { bytesRead } = await handle.read(piece, filled, length - filled, at + filled)
        filled += bytesRead
        isOver = bytesRead === 0
      }
      if (filled > 0) yield piece.subarray(0, filled)
      if (isOver && end === Number.POSITIVE_INFINITY) return
      if (isOver) throw new Error(SHORTER)
      at += filled
    }
  } finally {
    await handle.close()
  }
}

/** Yields bytes that begin at a place; when they fail, goes on with those that `goOn` returns from where they ended. */
export async function* readOn(
  bytes: Bytes,
  start: number,
  goOn: (at: number, error: unknown) => Promise<Bytes>,
): Bytes {
  let at = start
  try {
    for await (const piece of bytes) {
      at += piece.length
      yield piece
    }
  } catch (error) {
    yield* await goOn(at, error)
  }
}

/** Yields the same bytes in pieces that fill the buffer, but for the last one. */
export async function* filling(buffer: Buffer<ArrayBuffer>, bytes: Bytes): Bytes {
  let filled = 0
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length; ) {
      const copied = Math.min(buffer.length - filled, chunk.length - taken)
      buffer.set(chunk.subarray(taken, taken + copied), filled)
      filled += copied
      taken += copied
      if (filled < buffer.length) continue
      yield buffer
      filled = 0
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

/** Returns the bytes from `start` up to `end` as one piece, whose memory is its own. Throws as `stream` does. */
export async function readRange(
  stream: (range: ReadRange) => Promise<Bytes>,
  { start, end }: { start: number; end: number },
): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafeSlow(end - start)
  for await (const _ of await stream({ start, end, buffer }));
  return buffer
}
