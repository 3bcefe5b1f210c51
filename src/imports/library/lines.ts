import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { createPause } from '../../base/pause.ts'
import { LIBRARY_FILE, LibraryLine, LONGEST_LINE } from '../../exports/library-format.ts'
import { chunksOf } from '../entries.ts'

export type Kind = LibraryLine['type']
export type LineOf<K extends Kind> = Extract<LibraryLine, { type: K }>

/** Where a line stands in the file, in bytes: with its comma, and without its end. */
export interface Place {
  start: number
  end: number
}

/** What a look through a whole `library.json` has found. */
export interface Index {
  sha256: Buffer
  /** Where the lines of each kind are, the first to the last. */
  ranges: Partial<Record<Kind, Place>>
  /** The files in their order, by their paths. */
  files: Map<string, Place>
}

// Lines with the same number may be mixed.
const ORDER: Record<Kind, number> = {
  library: 0,
  user: 1,
  category: 2,
  tag: 3,
  rule: 4,
  file: 5,
  pair: 6,
  pool: 7,
  pool_files: 7,
  dismissal: 8,
}
const HEAD = '[\n{"type":"library"'
// Users are all in memory while a library is imported.
const MOST_USERS = 10_000

const NEWLINE = 0x0a

/** Returns whether an open file begins as a `library.json` of an export. */
export async function isLibrary(source: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(HEAD.length), 0, HEAD.length, 0)
  return bytesRead === HEAD.length && buffer.toString('latin1') === HEAD
}

/**
 * Reads all of a `library.json`, and returns where its lines are. Throws a validation error that names the first line
 * which isn't right.
 */
export async function indexLibrary(
  source: FileHandle,
  isOver: () => boolean,
): Promise<Index | null> {
  const hash = createHash('sha256')
  const ranges: Index['ranges'] = {}
  const files: Index['files'] = new Map()
  const pause = createPause()
  let number = 0
  let users = 0
  let kind: Kind | null = null
  let isEnded = false
  for await (const { line, start, end } of rawLines(source, { hash })) {
    number++
    const text = line.toString('latin1', 0, 2)
    if (isOver()) return null
    if (number === 1) continue
    if (isEnded) throw wrong(number, 'nothing may follow the end')
    if (text === ']') {
      isEnded = true
      continue
    }
    const read: LibraryLine = parsed(line, number)
    const before: number = kind === null ? -1 : ORDER[kind]
    if ((before === -1) !== (read.type === 'library') || ORDER[read.type] < before) {
      throw wrong(number, 'is not in the order of an export')
    }
    kind = read.type
    if (kind === 'user' && ++users > MOST_USERS) throw wrong(number, 'has too many users')
    if (kind === 'pool_files' && !ranges.pool) throw wrong(number, 'has no album before it')
    const place = { start, end }
    ranges[kind] = { start: ranges[kind]?.start ?? start, end }
    if (read.type !== 'file') continue
    if (files.has(read.path)) throw wrong(number, 'names a file for the second time')
    files.set(read.path, place)
    await pause()
  }
  if (!isEnded) throw wrong(number, 'ends too early')
  return { sha256: hash.digest(), ranges, files }
}

/** Yields the lines of some kinds, each with its text. Throws a validation error when they are no longer right. */
export async function* linesOf<K extends Kind>(
  source: FileHandle,
  { ranges }: Pick<Index, 'ranges'>,
  ...kinds: K[]
): AsyncGenerator<{ line: LineOf<K>; text: string }> {
  const places = kinds.flatMap((kind) => ranges[kind] ?? [])
  if (places.length === 0) return
  const start = Math.min(...places.map((place) => place.start))
  const end = Math.max(...places.map((place) => place.end))
  for await (const { line } of rawLines(source, { start, end })) {
    const read = parsed(line, null)
    if (isOneOf(read, kinds)) yield { line: read, text: line.toString() }
  }
}

/** Returns the line of a file. Throws a validation error when it is no longer right. */
export async function fileAt(
  source: FileHandle,
  { start, end }: Place,
  path: string,
): Promise<LineOf<'file'>> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(end - start), 0, end - start, start)
  const line = parsed(buffer.subarray(0, bytesRead), null)
  if (line.type !== 'file' || line.path !== path) throw changed()
  return line
}

function isOneOf<K extends Kind>(line: LibraryLine, kinds: K[]): line is LineOf<K> {
  return kinds.some((kind) => kind === line.type)
}

// The bytes of a line are valid until the next one is read.
async function* rawLines(
  source: FileHandle,
  {
    start = 0,
    end = Number.POSITIVE_INFINITY,
    hash,
  }: Partial<Place> & { hash?: ReturnType<typeof createHash> },
): AsyncGenerator<Place & { line: Buffer }> {
  let pending: Buffer[] = []
  let length = 0
  let at = start
  for await (const chunk of chunksOf(source, start)) {
    hash?.update(chunk)
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, from)
      const part = chunk.subarray(from, newline === -1 ? chunk.length : newline)
      length += part.length
      if (length > LONGEST_LINE) {
        throw new AppError('validation_error', `${LIBRARY_FILE} has a line that is too long`)
      }
      if (newline === -1) {
        pending.push(Buffer.from(part))
        break
      }
      const line = pending.length === 0 ? Buffer.from(part) : Buffer.concat([...pending, part])
      yield { line, start: at, end: at + length }
      at += length + 1
      if (at > end) return
      pending = []
      length = 0
      from = newline + 1
    }
  }
  if (length > 0) yield { line: Buffer.concat(pending), start: at, end: at + length }
}

// A number is given for a file that is looked at for the first time.
function parsed(line: Buffer, number: number | null): LibraryLine {
  const hasComma = line.at(-1) === 0x2c
  try {
    if (!isUtf8(line)) throw wrong(number, 'is not UTF-8')
    const read = LibraryLine.safeParse(
      JSON.parse(line.toString('utf8', 0, line.length - Number(hasComma))),
    )
    if (read.success) return read.data
    const issue = read.error.issues[0]!
    throw wrong(number, `${issue.path.join('.')}: ${issue.message}`)
  } catch (error) {
    if (error instanceof AppError) throw error
    // What is nested too deeply overflows the stack.
    throw wrong(number, 'is no JSON object')
  }
}

function wrong(number: number | null, message: string): AppError {
  if (number === null) return changed()
  return new AppError('validation_error', `${LIBRARY_FILE}, line ${number}: ${message}`)
}

function changed(): AppError {
  return new AppError('conflict', `${LIBRARY_FILE} has changed meanwhile`)
}
