import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import yauzl, { type ZipFile } from 'yauzl'
import { AppError } from '../base/errors.ts'
import { isOfSystem } from '../media/outcome.ts'
import {
  type FolderEntry,
  isArchived,
  isSameFile,
  oldestFirst,
  type Seen,
  unfitPath,
} from './entries.ts'
import type { ImportFolder } from './folder.ts'
import { type RawName, readable } from './raw-name.ts'
import { REASONS } from './reasons.ts'
import { setOf } from './takeout/names.ts'
import type { ArchivedFile, SourceFolder } from './tree.ts'

// A smaller file is only read to its stated size; a larger one must not be so much larger than what it is read from.
const BOMB_SIZE = 2 ** 30
const BOMB_RATIO = 200
// In bytes, of a directory that are read at once.
const BLOCK = 64 * 1024
// In bytes, as file systems have it.
const LONGEST_NAME = 255
const IS_LINK = 0o120000
const KIND = 0o170000

/** What is needed to read a file of a ZIP: there may be millions of them. */
interface Place
  extends Pick<
    yauzl.Entry,
    | 'compressedSize'
    | 'compressionMethod'
    | 'crc32'
    | 'generalPurposeBitFlag'
    | 'relativeOffsetOfLocalHeader'
    | 'uncompressedSize'
  > {
  part: Part
  seen: Seen
}

interface Part {
  raw: RawName
  zip: ZipFile
  opened: FileHandle
  seen: Seen
  files: { path: string; place: Place; unfit: string | null }[]
}

/**
 * Puts the files in the ZIPs of Google Takeout in the place of these among the entries of a folder, which stay open as
 * long as it; returns all, oldest first. All ZIPs of one export are one folder. What can't be a file of a folder, is
 * encrypted or would unpack to very much more than its part of the ZIP is unfit; a ZIP that can't be read is an entry
 * that failed. Nothing is unpacked to the disk. Stops once `isOver` returns true.
 */
export async function withArchives(
  outer: Pick<ImportFolder, 'hold'>,
  entries: FolderEntry[],
  isOver: () => boolean = () => false,
): Promise<FolderEntry[]> {
  const sets = new Map<string, FolderEntry[]>()
  const others: FolderEntry[] = []
  for (const entry of entries) {
    const { name, folder, unfit, failure } = entry
    const set = unfit || failure || !/\.zip$/i.test(name) ? null : setOf(name)
    if (set === null) others.push(entry)
    else {
      const root = folder.known(`${set}.zip`)
      sets.set(root, [...(sets.get(root) ?? []), entry])
    }
  }
  if (sets.size === 0) return entries
  for (const [root, zips] of sets) {
    if (isOver()) break
    const byName = zips.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of await entriesOfSet(outer, { root, zips: byName, isOver }))
      others.push(entry)
  }
  return oldestFirst(others)
}

async function entriesOfSet(
  outer: Pick<ImportFolder, 'hold'>,
  { root, zips, isOver }: { root: string; zips: FolderEntry[]; isOver: () => boolean },
): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  const { folder: source, folders } = zips[0]!
  const name = basename(root)
  const places = new Map<string, Place>()
  const folderAt = new Map<string, SourceFolder>()
  for (const zip of zips) {
    if (isOver()) break
    const part = await openPart(zip, isOver)
    if ('failure' in part) {
      entries.push({ ...zip, failure: part.failure })
      continue
    }
    outer.hold(() => part.opened.close())
    for (const { path, place, unfit } of part.files) {
      const other = places.get(path)
      // What describes an album is in each part that has pictures of it.
      if (other?.crc32 === place.crc32 && other.seen.size === place.seen.size) continue
      const key = other ? `${zip.name}/${path}` : path
      places.set(key, place)
      const ways = unfit === REASONS.oddPath ? [] : key.split('/').slice(0, -1)
      const known = `${root}/${key}`
      const above = known.slice(0, known.lastIndexOf('/'))
      const within = folderAt.get(above) ?? folderOf(above, { root, places, source })
      folderAt.set(above, within)
      const file = known.slice(above.length + 1)
      entries.push({
        folder: within,
        known,
        name: file.slice(0, LONGEST_NAME),
        raw: file,
        folders: [...folders, name, ...ways],
        modified: place.seen.mtimeMs,
        seen: place.seen,
        seenAt: Date.now(),
        unfit,
      })
    }
  }
  return entries
}

// The directory has two short pieces for each file.
class BlockReader extends yauzl.RandomAccessReader {
  #opened: FileHandle
  #block = Buffer.alloc(0)
  #start = 0

  constructor(opened: FileHandle) {
    super()
    this.#opened = opened
  }

  override _readStreamForRange(start: number, end: number) {
    return Readable.from(this.#pieces(start, end), { objectMode: false })
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ) {
    this.#piece(position, length).then(
      (piece) => done(null, piece.copy(into, offset)),
      (error) => done(error),
    )
  }

  async *#pieces(start: number, end: number) {
    for (let at = start; at < end; ) {
      const piece = Buffer.allocUnsafe(Math.min(BLOCK, end - at))
      const { bytesRead } = await this.#opened.read(piece, 0, piece.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  }

  async #piece(position: number, length: number): Promise<Buffer> {
    const isIn = () => position + length <= this.#start + this.#block.length
    if (position < this.#start || !isIn()) {
      const block = Buffer.allocUnsafe(Math.max(length, BLOCK))
      const { bytesRead } = await this.#opened.read(block, 0, block.length, position)
      this.#block = block.subarray(0, bytesRead)
      this.#start = position
    }
    if (!isIn()) throw new Error('The archive ends too early')
    return this.#block.subarray(position - this.#start, position - this.#start + length)
  }
}

async function openPart(
  { folder, raw, seen }: FolderEntry,
  isOver: () => boolean,
): Promise<Part | { failure: unknown }> {
  const opened = await folder.open(raw)
  if (!opened || isArchived(opened)) return { failure: new AppError('conflict', REASONS.gone) }
  try {
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false }
    const reader = new BlockReader(opened)
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, seen.size, options)
    const part: Part = { raw, zip, opened, seen, files: [] }
    for await (const found of zip.eachEntry()) {
      if (isOver()) break
      const path = pathOf(found)
      if (path.endsWith('/')) continue
      part.files.push({ path, place: placeOf(found, part), unfit: whyUnfit(found, path) })
    }
    return part
  } catch (error) {
    await opened.close()
    const failure = isOfSystem(error) ? error : new AppError('conflict', REASONS.brokenZip)
    return { failure }
  }
}

function pathOf(found: yauzl.Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = found
  return yauzl
    .getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    .toWellFormed()
}

function placeOf(found: yauzl.Entry, part: Part): Place {
  const { compressedSize, compressionMethod, generalPurposeBitFlag } = found
  const { relativeOffsetOfLocalHeader, uncompressedSize } = found
  const modified = found.getLastModDate().getTime()
  const { dev, ino, ctimeMs, mtimeMs } = part.seen
  const times = { mtimeMs: Number.isFinite(modified) ? modified : mtimeMs, ctimeMs }
  return {
    ...{ compressedSize, compressionMethod, generalPurposeBitFlag, crc32: found.crc32 },
    ...{ relativeOffsetOfLocalHeader, uncompressedSize, part },
    seen: { dev, ino, nlink: 1, size: uncompressedSize, ...times },
  }
}

function whyUnfit(found: yauzl.Entry, path: string): string | null {
  const { compressedSize, uncompressedSize, externalFileAttributes } = found
  const names = path.split('/')
  const isOdd = (name: string) =>
    name === '' || name === '.' || name.includes('\0') || Buffer.byteLength(name) > LONGEST_NAME
  if (yauzl.validateFileName(path) !== null || names.some(isOdd)) return REASONS.oddPath
  if (((externalFileAttributes >>> 16) & KIND) === IS_LINK) return REASONS.link
  if (found.isEncrypted()) return REASONS.encrypted
  const isBomb = uncompressedSize > BOMB_SIZE && uncompressedSize > BOMB_RATIO * compressedSize
  if (isBomb) return REASONS.bomb
  return unfitPath(names) ?? (uncompressedSize === 0 ? REASONS.empty : null)
}

function folderOf(
  known: string,
  { root, places, source }: { root: string; places: Map<string, Place>; source: SourceFolder },
): SourceFolder {
  const place = (name: RawName) => places.get(`${known}/${name}`.slice(root.length + 1))
  // Another file may have taken the name of a ZIP.
  const isThere = async ({ part }: Place) => {
    const now = await source.look(part.raw)
    return now !== null && isSameFile(now, part.seen)
  }
  return {
    isArchive: true,
    known: (name) => `${known}/${readable(name)}`,
    async look(name) {
      const found = place(name)
      return found && (await isThere(found)) ? statusOf(found) : null
    },
    async open(name) {
      const found = place(name)
      return found && (await isThere(found)) ? openPlace(found) : null
    },
    async pathTo() {
      throw new AppError('conflict', REASONS.movedFile)
    },
    removeIf: async () => 'other',
  }
}

const statusOf = ({ seen }: Place) => ({ ...seen, isFile: () => true }) satisfies Partial<Stats>

function openPlace(place: Place): ArchivedFile {
  return {
    stat: async () => statusOf(place),
    chunks: () => chunksOf(place),
    async close() {},
  }
}

// The library ends a stream with an error when it has other than the stated bytes, and doesn't look at the checksum.
async function* chunksOf({ part, seen: _, ...of }: Place): AsyncGenerator<Uint8Array> {
  const found = Object.assign(new yauzl.Entry(), of)
  let sum = 0
  try {
    for await (const chunk of await part.zip.openReadStreamPromise(found)) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw isOfSystem(error) ? error : new AppError('conflict', REASONS.brokenInZip)
  }
  if (sum !== of.crc32) throw new AppError('conflict', REASONS.brokenInZip)
}
