import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { createDirectory, type Listed } from './directory.ts'

interface Entry extends Listed {
  blob: string
}

/** An archive to be made. */
export interface Zip {
  add(entry: Entry): void
  /** Returns the size in bytes of the archive, and its bytes, which are read as they are taken. */
  end(): { size: number; bytes: AsyncGenerator<Uint8Array<ArrayBuffer>> }
}

interface Source {
  open: (blob: string) => Promise<FileHandle>
  onUnread: (blob: string, error: unknown) => void
}

/** The last file of an archive with missing contents, which lists them. */
export const MISSING = 'MISSING.txt'
const INTRODUCTION = 'These files could not be read; where nothing was, there are zeros:\n'
const REST_ROOM = 32
/** Room for its text in bytes; if nothing is missing, a comment takes its place. */
const MOST_MISSING = 60_000

// Bytes of a large file that are read and sent at once; small files are sent together.
const CHUNK = 2 ** 19
const TOGETHER = 2 ** 18

/**
 * Returns an empty archive of uncompressed contents. Zeros take the place of what can't be read. Nothing is opened
 * before the first byte is requested.
 */
export function createZip(source: Source): Zip {
  const directory = createDirectory()
  const blobs: string[] = []
  let room = INTRODUCTION.length + REST_ROOM
  return {
    add({ blob, ...listed }) {
      directory.add(listed)
      blobs.push(blob)
      room += Buffer.byteLength(listed.name) + 1
    },
    end() {
      directory.add({ name: MISSING, size: Math.min(room, MOST_MISSING), clock: Date.now() })
      return { size: directory.size(), bytes: ahead(write(directory, blobs, source)) }
    },
  }
}

/** Makes the next value while one is taken. */
async function* ahead<Value>(source: AsyncGenerator<Value, void>): AsyncGenerator<Value, void> {
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // The next value may fail when nobody takes it any more.
      next.catch(() => {})
      yield value
    }
  } finally {
    await source.return()
  }
}

type Directory = ReturnType<typeof createDirectory>

async function* write(directory: Directory, blobs: string[], source: Source) {
  const missing: string[] = []
  let left = directory.size()
  let chunk = Buffer.alloc(0)
  let filled = 0
  const renew = (most: number) => {
    const full = chunk.subarray(0, filled)
    left -= filled
    // The chunk has its own memory, not that of a shared pool, since it is handed on.
    chunk = Buffer.allocUnsafeSlow(Math.min(most, left))
    filled = 0
    return full
  }
  function* put(bytes: Buffer) {
    for (let done = 0; done < bytes.length; ) {
      const copied = bytes.copy(chunk, filled, done)
      done += copied
      filled += copied
      if (filled === chunk.length) yield renew(TOGETHER)
    }
  }
  async function* putFile(at: number, read: Read) {
    const size = directory.sizeOf(at)
    let crc = 0
    const isLarge = size >= CHUNK
    yield* put(directory.header(at))
    // Copying is much faster when the offset within a page is the same in the file and in memory.
    if (isLarge) yield renew(CHUNK)
    for (let position = 0; position < size; ) {
      const room = chunk.subarray(filled, filled + size - position)
      const bytes = await read(room, position)
      crc = crc32(room.subarray(0, bytes), crc)
      position += bytes
      filled += bytes
      if (filled === chunk.length) yield renew(isLarge ? CHUNK : TOGETHER)
    }
    yield* put(directory.descriptor(at, crc))
  }

  renew(TOGETHER)
  let at = 0
  for (const blob of blobs) {
    const content = createContent(blob, source)
    try {
      yield* putFile(at, content.read)
    } finally {
      await content.close()
    }
    if (!content.isWhole()) missing.push(directory.nameOf(at))
    at = directory.after(at)
  }
  if (missing.length > 0) {
    const text = noteOf(missing, directory.sizeOf(at))
    yield* putFile(at, async (piece, position) => text.copy(piece, 0, position))
  }
  for (const bytes of directory.end({ hasLast: missing.length > 0 })) yield* put(bytes)
}

/** Fills a piece from a position, as far as one read can, and returns how many bytes. */
type Read = (piece: Buffer, position: number) => Promise<number>

/** Gives zeros from where on the content can't be read. */
function createContent(blob: string, { open, onUnread }: Source) {
  let handle: FileHandle | undefined
  let isWhole = true
  const read: Read = async (piece, position) => {
    handle ??= await open(blob)
    const { bytesRead } = await handle.read(piece, 0, piece.length, position)
    if (bytesRead === 0) throw new Error('A stored file is shorter than when it was stored')
    return bytesRead
  }
  const readOrFill: Read = async (piece, position) => {
    try {
      if (isWhole) return await read(piece, position)
    } catch (error) {
      isWhole = false
      onUnread(blob, error)
    }
    return piece.fill(0).length
  }
  return { read: readOrFill, isWhole: () => isWhole, close: async () => handle?.close() }
}

/** Returns a text of exactly `size` bytes that names as many files as fit. */
function noteOf(names: string[], size: number): Buffer {
  let text = INTRODUCTION
  let room = size - INTRODUCTION.length - REST_ROOM
  let named = 0
  for (const name of names) {
    room -= Buffer.byteLength(name) + 1
    if (room < 0) break
    text += `${name}\n`
    named++
  }
  if (named < names.length) text += `and ${names.length - named} more\n`
  return Buffer.alloc(size, '\n').fill(text, 0, Buffer.byteLength(text))
}
