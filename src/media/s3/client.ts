import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { XmlElement } from '@rgrove/parse-xml'
import type { StoreSettings } from '../../base/store-settings.ts'
import { type Digest, digestOf, isSameDigest } from '../digest.ts'
import { type Bytes, filling, type ReadRange, SHORTER, streamFile } from '../file-bytes.ts'
import {
  asS3Error,
  childrenOf,
  createSend,
  type S3Deps,
  S3Error,
  textDigest,
  textOf,
  xmlOf,
} from './request.ts'

/** An upload in parts that was begun and neither completed nor aborted. */
export interface OpenUpload {
  name: string
  id: string
}

/** The objects below a prefix of a bucket, by their names without it. All throw an S3Error. */
export interface S3 {
  /**
   * Stores a file under a name; resolves once the store has all of it. The store compares each request's bytes with
   * their digest, and with `isReadBack`, the object is read again. Throws an error when the file is not what its digest
   * says.
   */
  put(name: string, file: Digest & { path: string }): Promise<void>
  /** Stores a text under a name, unless there is an object; returns whether it did. */
  create(name: string, text: string): Promise<boolean>
  /** Returns an object's size in bytes and the digest that was stored with it, or null when there is none. */
  head(name: string): Promise<{ size: number; sha256: string | null } | null>
  /**
   * Returns the bytes as `streamFile` does. They are read in pieces, so that few are in memory, and what is cut off
   * goes on where it was.
   */
  stream(name: string, range?: ReadRange): Promise<Bytes>
  /** Removes an object, if there is one. */
  remove(name: string): Promise<void>
  /** Yields all objects whose names begin with `start`, in the order of their names, with their sizes in bytes. */
  list(start?: string): AsyncGenerator<{ name: string; size: number }, void>
  /** Yields the uploads in parts that are open. */
  listUploads(): AsyncGenerator<OpenUpload, void>
  /** Removes an open upload, and returns the size of its parts in bytes. */
  abort(upload: OpenUpload): Promise<number>
}

interface Options extends Partial<S3Deps> {
  /** The most bytes that are stored by one request. */
  single?: number
  /** Bytes of the parts of larger files. */
  part?: number
  /** The most bytes that are read by one request. */
  piece?: number
}

const MiB = 2 ** 20
const MOST_PARTS = 10_000
const [SINGLE, PART, PIECE] = [64 * MiB, 16 * MiB, 8 * MiB]
// Milliseconds for storing bytes, beside those that the slowest line takes for them, in bytes a second.
const [STORING, SLOWEST] = [30_000, 64 * 1024]
// Milliseconds without a byte after which a store that sends an object counts as away.
const SILENCE = 8000
// How often the reading of one object goes on after it was cut off.
const MOST_CUTS = 5

/** Returns how many requests store that many bytes. */
export function requestsToPut(bytes: number): number {
  if (bytes <= SINGLE) return 1
  const parts = Math.ceil(bytes / Math.max(PART, Math.ceil(bytes / MOST_PARTS)))
  // The parts are begun, listed and completed.
  return parts + 3
}

/** Returns how many requests read that many bytes. */
export function requestsToGet(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PIECE))
}

/** Returns the client of a store. */
export function createS3(
  settings: StoreSettings,
  { single = SINGLE, part = PART, piece = PIECE, ...given }: Options = {},
): S3 {
  const deps: S3Deps = {
    clock: Date.now,
    wait: (ms, signal) => pause(ms, undefined, { signal }),
    after(ms, fn) {
      const timer = setTimeout(fn, ms)
      return () => clearTimeout(timer)
    },
    ...given,
  }
  const send = createSend(settings, deps)
  const { prefix } = settings
  const nameOf = (key: string) => key.slice(prefix.length)
  const metadata = (sha256: string) => ({ 'x-amz-meta-sha256': sha256 })
  const limitFor = (bytes: number) => STORING + (bytes / SLOWEST) * 1000
  const drain = async (response: Response) => {
    await response.arrayBuffer()
    return response.headers
  }

  async function putWhole(name: string, { path, size, sha256 }: Digest & { path: string }) {
    const body = await openAsBlob(path)
    if (body.size !== size) throw new Error('A file is not what was written')
    const asked = { method: 'PUT', name, body, sha256, headers: metadata(sha256) }
    await send({ ...asked, limit: limitFor(size) }, drain)
  }

  async function putParts(name: string, { path, size, sha256 }: Digest & { path: string }) {
    const begun = { method: 'POST', name, query: { uploads: '' }, headers: metadata(sha256) }
    const id = textOf(await send(begun, xmlOf), 'UploadId')
    const query = { uploadId: id }
    const puts: Promise<string>[] = []
    try {
      const blob = await openAsBlob(path)
      const length = Math.max(part, Math.ceil(size / MOST_PARTS))
      const whole = createHash('sha256')
      for (let start = 0; start < size; start += length) {
        const end = Math.min(start + length, size)
        // Two parts are on their way at once.
        await puts.at(-2)
        const digest = await digestOf((buffer) => streamFile(path, { start, end, buffer }), {
          onPiece: async (bytes) => void whole.update(bytes),
        })
        const asked = {
          ...{ method: 'PUT', name, query: { ...query, partNumber: `${puts.length + 1}` } },
          ...{ body: blob.slice(start, end), sha256: digest.sha256, limit: limitFor(end - start) },
        }
        puts.push(send(asked, drain).then((headers) => headers.get('etag') ?? ''))
        // It is told where it is waited for.
        puts.at(-1)!.catch(() => {})
      }
      const etags = await Promise.all(puts)
      if (whole.digest('hex') !== sha256) throw new Error('A file is not what was written')
      const sizes = await partSizes(name, id)
      const isWhole = etags.every((_, n) => sizes[n] === Math.min(length, size - n * length))
      if (!isWhole) throw new S3Error('away', 'The store has not all parts of an upload')
      const list = etags.map(
        (etag, n) =>
          `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag.replace(/[&<]/g, '')}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      const asked = { method: 'POST', name, query, body, sha256: textDigest(body) }
      await send({ ...asked, limit: limitFor(size) }, xmlOf)
    } catch (error) {
      // A part that arrives after the upload is removed would stay.
      await Promise.allSettled(puts)
      // The answer to what completed it may have been lost.
      const found = await s3.head(name).catch(() => null)
      if (found?.size === size && found.sha256 === sha256) return
      // What stays is swept by the next start.
      await send({ method: 'DELETE', name, query }, drain).catch(() => {})
      if ((error as S3Error).trouble !== 'absent') throw error
      throw new S3Error('away', 'The store has removed an upload that was under way')
    }
  }

  // Yields the pages of a list. `following` returns what asks for the next one.
  async function* pagesOf(
    asked: { name?: string; query: Record<string, string> },
    following: (page: XmlElement) => Record<string, string>,
  ): AsyncGenerator<XmlElement, void> {
    for (let more: Record<string, string> = {}; ; ) {
      const query = { ...asked.query, ...more }
      const page = await send({ ...asked, method: 'GET', query }, xmlOf)
      yield page
      if (textOf(page, 'IsTruncated') !== 'true') return
      more = following(page)
      if (!Object.values(more)[0]) throw new S3Error('refused', 'The store sends half a list')
    }
  }

  async function partSizes(name: string, id: string): Promise<number[]> {
    const sizes: number[] = []
    const pages = pagesOf({ name, query: { uploadId: id } }, (page) => ({
      'part-number-marker': textOf(page, 'NextPartNumberMarker'),
    }))
    for await (const page of pages) {
      for (const one of childrenOf(page, 'Part')) {
        sizes[Number(textOf(one, 'PartNumber')) - 1] = Number(textOf(one, 'Size'))
      }
    }
    return sizes
  }

  // Opens one piece of an object.
  function open(name: string, start: number, end: number) {
    const range = `bytes=${start}-${Math.min(end, start + piece) - 1}`
    return send({ method: 'GET', name, range }, async (response, ending) => {
      const sent = response.headers.get('content-range') ?? ''
      const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(sent) ?? []
      if (response.status !== 206 || Number(from) !== start) {
        ending.abort()
        throw new S3Error('refused', 'The store sends no ranges')
      }
      return { total: Number(total), chunks: chunksOf(response, ending, deps) }
    })
  }

  async function* piecesOf(
    name: string,
    opened: Awaited<ReturnType<typeof open>>,
    { start = 0, end }: ReadRange,
  ): Bytes {
    const until = Math.min(end ?? opened.total, opened.total)
    let [at, cuts, next] = [start, 0, opened]
    for (;;) {
      const stop = Math.min(until, at + piece)
      try {
        for await (const chunk of next.chunks) {
          at += chunk.length
          yield chunk
        }
        if (at < stop) throw new S3Error('away', 'The store stopped in the middle of an object')
        cuts = 0
      } catch (error) {
        if (!(error instanceof S3Error) || error.trouble !== 'away' || ++cuts > MOST_CUTS)
          throw error
      }
      if (at >= until) break
      next = await open(name, at, until)
    }
    // What is there is of use, as in an archive.
    if (until < (end ?? until)) throw new Error(SHORTER)
  }

  const s3: S3 = {
    async put(name, file) {
      await (file.size > single ? putParts(name, file) : putWhole(name, file))
      if (!settings.isReadBack) return
      const found = await digestOf((buffer) => s3.stream(name, { buffer }))
      if (!isSameDigest(found, file)) {
        throw new S3Error('refused', 'The store has something else than what it was sent')
      }
    },
    async create(name, text) {
      const headers = { 'if-none-match': '*' }
      try {
        await send({ method: 'PUT', name, headers, body: text, sha256: textDigest(text) }, drain)
        return true
      } catch (error) {
        if ((error as S3Error).trouble === 'exists') return false
        throw error
      }
    },
    async head(name) {
      try {
        const headers = await send({ method: 'HEAD', name }, drain)
        const size = Number(headers.get('content-length'))
        return { size, sha256: headers.get('x-amz-meta-sha256') }
      } catch (error) {
        if ((error as S3Error).trouble === 'absent') return null
        throw error
      }
    },
    async stream(name, range = {}) {
      const { start = 0, end = Number.POSITIVE_INFINITY, buffer } = range
      const bytes = piecesOf(name, await open(name, start, end), range)
      return buffer ? filling(buffer, bytes) : bytes
    },
    async remove(name) {
      try {
        await send({ method: 'DELETE', name }, drain)
      } catch (error) {
        if ((error as S3Error).trouble !== 'absent') throw error
      }
    },
    async *list(start = '') {
      const query = { 'list-type': '2', prefix: prefix + start }
      const pages = pagesOf({ query }, (page) => ({
        'continuation-token': textOf(page, 'NextContinuationToken'),
      }))
      for await (const page of pages) {
        for (const one of childrenOf(page, 'Contents')) {
          yield { name: nameOf(textOf(one, 'Key')), size: Number(textOf(one, 'Size')) }
        }
      }
    },
    async *listUploads() {
      const pages = pagesOf({ query: { uploads: '', prefix } }, (page) => ({
        'key-marker': textOf(page, 'NextKeyMarker'),
        'upload-id-marker': textOf(page, 'NextUploadIdMarker'),
      }))
      for await (const page of pages) {
        for (const one of childrenOf(page, 'Upload')) {
          yield { name: nameOf(textOf(one, 'Key')), id: textOf(one, 'UploadId') }
        }
      }
    },
    async abort({ name, id }) {
      const sizes = await partSizes(name, id)
      await send({ method: 'DELETE', name, query: { uploadId: id } }, drain)
      return sizes.reduce((sum, size) => sum + size, 0)
    },
  }
  return s3
}

// Yields the body of an answer as it comes. Ends the connection when that isn't wanted any more, or nothing comes.
async function* chunksOf(
  response: Response,
  ending: AbortController,
  { after }: S3Deps,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = response.body?.getReader()
  if (!reader) return
  let isOver = false
  try {
    while (!isOver) {
      const clear = after(SILENCE, () => ending.abort())
      const { done, value } = await reader
        .read()
        .catch((error) => {
          throw asS3Error(error, ending.signal)
        })
        .finally(clear)
      isOver = done
      if (value) yield value as Uint8Array<ArrayBuffer>
    }
  } finally {
    if (!isOver) ending.abort()
  }
}
