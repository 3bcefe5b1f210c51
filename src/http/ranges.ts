import type { Context } from 'hono'
import { AppError } from '../base/errors.ts'
import { type Bytes, type ReadRange, readRange } from '../media/file-bytes.ts'
import type { PaceLimit } from './clients/pace.ts'
import type { AppEnv } from './env.ts'
import { stream } from './stream.ts'

// Up to this size, bytes are sent whole; beyond it, in chunks read as the client takes them.
const WHOLE_LIMIT = 2 ** 20

interface SentFile {
  stream: (range: ReadRange) => Promise<Bytes>
  /** Returns the file for the runtime to read by itself, or null where it can't. */
  asBlob?: () => Promise<Blob | null>
  /** Bytes. */
  size: number
  inMemory?: (range: Range) => InMemory | Promise<InMemory>
  /** Includes its quotes. */
  etag: string
  /** Milliseconds since 1970-01-01 UTC. */
  modified: number
  /** Whether no other bytes ever had `modified` in its second, so that a date identifies them. */
  isDateStrong: boolean
  headers: Record<string, string>
}

type InMemory = Uint8Array<ArrayBuffer> | null

// Both ends are included.
interface Range {
  start: number
  end: number
}

/**
 * Answers a GET or HEAD of a file: 200, 206 for a single byte range, or 304. Cuts off a client that takes a large file
 * slower than `pace`. Throws range_not_satisfiable for a range outside the file.
 */
export async function sendFile(
  c: Context<AppEnv>,
  file: SentFile,
  pace?: PaceLimit,
): Promise<Response> {
  const lastModified = new Date(file.modified).toUTCString()
  const headers: Record<string, string> = {
    ...file.headers,
    ETag: file.etag,
    'Last-Modified': lastModified,
    'Accept-Ranges': 'bytes',
  }
  if (isUnchanged(c, file)) return c.body(null, 304, withoutContentType(headers))

  const range = requestedRange(c, file, lastModified)
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const length = end - start + 1
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${file.size}`
  headers['Content-Length'] = String(length)
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return c.body(null, status, headers)
  const found = await file.inMemory?.({ start, end })
  if (found) return c.body(found, status, headers)

  if (length > WHOLE_LIMIT && sendsLength(c, range)) {
    const blob = await file.asBlob?.()
    if (blob && blob.size !== file.size) throw new Error('A content has not the size of its file')
    // Hono's types don't include Blob, but it passes one on.
    if (blob) return c.body(blob.slice(start, end + 1) as never, status, headers)
  }
  const sent = { start, end: end + 1 }
  if (length <= WHOLE_LIMIT) return c.body(await readRange(file.stream, sent), status, headers)
  return c.body(stream(c, await file.stream(sent), { pace }), status, headers)
}

// Bun sends the length of a file that it reads by itself, but not of a stream. It would apply the range header to a
// file that has to be sent whole in spite of it.
function sendsLength(c: Context<AppEnv>, range: Range | undefined): boolean {
  return 'Bun' in globalThis && (range !== undefined || c.req.header('range') === undefined)
}

function withoutContentType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'),
  )
}

function isUnchanged(c: Context<AppEnv>, file: SentFile): boolean {
  const known = c.req.header('if-none-match')
  if (known !== undefined) return namesEtag(known, file.etag)
  // A picture may be made or turned anew, which leaves its date as it is.
  if (!file.isDateStrong) return false
  const since = Date.parse(c.req.header('if-modified-since') ?? '')
  // The header is in whole seconds.
  return Math.floor(file.modified / 1000) * 1000 <= since
}

// Returns undefined to send the whole file, as when the header is malformed.
function requestedRange(
  c: Context<AppEnv>,
  file: SentFile,
  lastModified: string,
): Range | undefined {
  const condition = c.req.header('if-range')
  const isDate = file.isDateStrong && condition === lastModified
  if (condition !== undefined && condition !== file.etag && !isDate) return undefined
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(c.req.header('range')?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined

  const range =
    first === ''
      ? { start: Math.max(0, file.size - Number(last)), end: file.size - 1 }
      : { start: Number(first), end: Math.min(Number(last || Infinity), file.size - 1) }
  if (range.start <= range.end) return range
  throw new AppError('range_not_satisfiable', 'The range is outside the file', {
    headers: { 'Content-Range': `bytes */${file.size}` },
  })
}

/**
 * Returns whether an If-None-Match header matches an entity tag (RFC 9110, section 13.1.2): in a
 * list, by `*`, as a weak tag or not.
 */
export function namesEtag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
