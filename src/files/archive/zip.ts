import { crc32 } from 'node:zlib'
import type { Bytes } from '../../media/file-bytes.ts'
import type { Storage } from '../../media/storage.ts'
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

interface Source extends Pick<Storage, 'stream'> {
  onUnread: (blob: string, error: unknown) => void
}

/** The last file of an archive with missing contents, which lists them. */
export const MISSING = 'MISSING.txt'
const INTRODUCTION = 'These files could not be read; where nothing was, there are zeros:\n'
const REST_ROOM = 32
/** Room for its text in bytes; if nothing is missing, a comment takes its place. */
const MOST_MISSING = 60_000

// Bytes of small pieces that are sent together, and of zeros at once.
const TOGETHER = 2 ** 18
const ZEROS = 2 ** 19

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
      return { size: directory.size(), bytes: prefetched(write(directory, blobs, source)) }
    },
  }
}

/**
 * Returns the bytes of an archive whose contents are found while it is sent, so that its size isn't known. Zeros take
 * the place of what can't be read.
 */
export function streamedZip(
  entries: AsyncIterable<Entry>,
  source: Source,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const directory = createDirectory()
  async function* blobs() {
    let room = INTRODUCTION.length + REST_ROOM
    for await (const { blob, ...listed } of entries) {
      directory.add(listed)
      room += Buffer.byteLength(listed.name) + 1
      yield blob
    }
    directory.add({ name: MISSING, size: Math.min(room, MOST_MISSING), clock: Date.now() })
  }
  return prefetched(write(directory, blobs(), source))
}

/** Makes the next value while one is taken. */
async function* prefetched<Value>(
  source: AsyncGenerator<Value, void>,
): AsyncGenerator<Value, void> {
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

async function* write(
  directory: Directory,
  blobs: Iterable<string> | AsyncIterable<string>,
  source: Source,
): Bytes {
  const missing: string[] = []
  let chunk = Buffer.allocUnsafeSlow(TOGETHER)
  let filled = 0
  const renew = () => {
    const full = chunk.subarray(0, filled)
    // The chunk has its own memory, not that of a shared pool, since it is handed on.
    chunk = Buffer.allocUnsafeSlow(TOGETHER)
    filled = 0
    return full
  }
  function* put(bytes: Uint8Array<ArrayBuffer>) {
    if (bytes.length >= TOGETHER) {
      if (filled > 0) yield renew()
      yield bytes
      return
    }
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + chunk.length - filled)
      chunk.set(part, filled)
      done += part.length
      filled += part.length
      if (filled === chunk.length) yield renew()
    }
  }
  async function* putFile(at: number, pieces: Bytes | [Buffer<ArrayBuffer>]) {
    let crc = 0
    yield* put(directory.header(at))
    for await (const piece of pieces) {
      crc = crc32(piece, crc)
      yield* put(piece)
    }
    yield* put(directory.descriptor(at, crc))
  }

  const buffer = Buffer.allocUnsafeSlow(TOGETHER - 1)
  let at = 0
  for await (const blob of blobs) {
    const [name, size] = [directory.nameOf(at), directory.sizeOf(at)]
    const onUnread = (error: unknown) => {
      missing.push(name)
      source.onUnread(blob, error)
    }
    // What is only copied needs no memory of its own.
    const range = { end: size, ...(size < TOGETHER && { buffer }) }
    yield* putFile(
      at,
      orZeros(() => source.stream(blob, range), size, onUnread),
    )
    at = directory.after(at)
  }
  if (missing.length > 0) yield* putFile(at, [noteOf(missing, directory.sizeOf(at))])
  for (const bytes of directory.end({ hasLast: missing.length > 0 })) yield* put(bytes)
  if (filled > 0) yield renew()
}

/** Gives zeros from where on the bytes can't be read. */
async function* orZeros(
  open: () => Promise<Bytes>,
  size: number,
  onUnread: (error: unknown) => void,
): Bytes {
  let left = size
  try {
    for await (const piece of await open()) {
      left -= piece.length
      yield piece
    }
  } catch (error) {
    onUnread(error)
  }
  for (; left > 0; left -= Math.min(left, ZEROS)) yield Buffer.alloc(Math.min(left, ZEROS))
}

/** Returns a text of exactly `size` bytes that names as many files as fit. */
function noteOf(names: string[], size: number): Buffer<ArrayBuffer> {
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
