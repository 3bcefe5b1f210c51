import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { createDirectory, type Listed } from './directory.ts'

/** A file of an archive. */
interface Entry extends Listed {
  blob: string
}

/** An archive that is to be made. */
export interface Zip {
  add(entry: Entry): void
  /** Returns the archive of what was added: how many bytes it has, and these, read as they are taken. */
  end(): { size: number; bytes: AsyncGenerator<Uint8Array<ArrayBuffer>> }
}

/** Where contents are opened, and what is called for one that can't be read, or not to its end. */
interface Source {
  open: (blob: string) => Promise<FileHandle>
  onUnread: (blob: string, error: unknown) => void
}

/** The last file of an archive from which something is missing, which names what that is. */
export const MISSING = 'MISSING.txt'
const INTRODUCTION = 'These files could not be read; where nothing was, there are zeros:\n'
const REST_ROOM = 32
/** What its text has room for, in bytes: where nothing is missing, a comment takes its place. */
const MOST_MISSING = 60_000

/** Bytes that are read and sent at once of a large file; those of many small ones are sent together. */
const CHUNK = 2 ** 19
const TOGETHER = 2 ** 18

/**
 * Returns an archive of contents as they are, of none yet. In the place of what can't be read there are
 * zeros. Nothing is opened before the first byte is asked for.
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

/** Yields what `source` does, of which the next is made while one is taken. */
async function* ahead<Value>(source: AsyncGenerator<Value, void>): AsyncGenerator<Value, void> {
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // It may fail when nobody takes it any more.
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
    // It has its own memory, not that of a shared pool, since it is handed on.
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
    // What is at the same place of a page in the file and in memory is copied much faster.
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

/** Fills a piece with what is at a position, as far as it can at once, and returns how far. */
type Read = (piece: Buffer, position: number) => Promise<number>

/** Returns what reads a content, and gives zeros from where on that can't be read. */
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

/** Returns a text of exactly `size` bytes that names as many files as it has room for. */
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
