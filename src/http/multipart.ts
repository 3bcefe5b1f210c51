import Busboy, { type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { Context } from 'hono'
import { CLAIM_AHEAD } from '../base/disk.ts'
import { AppError, invalid, overQuota } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Storage } from '../media/storage.ts'
import type { TemporaryCopy, TemporaryFile } from '../media/temporary.ts'
import { freeMemory, nextChunk } from './body.ts'
import { createPace, type PaceLimit, SLOWEST } from './clients/pace.ts'
import { cleanFilename } from './disposition.ts'
import type { AppEnv } from './env.ts'

const TEXT_LIMIT = 2 ** 20
const FIELD_LIMIT = 20
// Bytes that a form may add to its file, for its texts and the heads of its parts.
const FORM_LIMIT = 2 * TEXT_LIMIT

/** A form whose file is in `tmp/`, synced and hashed. */
export interface Upload {
  file: {
    temporary: TemporaryCopy
    /** Bytes. */
    size: number
    sha256: Uint8Array
    filename: string | null
    /** Whether the quota of its user counts these bytes already. */
    isCounted?: boolean
  }
  fields: Record<string, string>
}

/** An upload's share of its creator's quota, in bytes. */
export interface QuotaShare {
  /** Returns how many bytes the file may have at this moment. */
  left(): number
  /** Reserves the bytes that the file has, or will have soon. */
  take(bytes: number): void
  /** Releases what was taken. */
  end(): void
}

export interface UploadOptions {
  storage: Storage
  /** Names of the text fields; others are ignored. */
  fields?: readonly string[]
  /** Bytes. */
  maxUploadSize: number
  quota?: QuotaShare | undefined
  log: Log
  pace?: PaceLimit
}

/**
 * Reads a form with exactly one file, in the part `file`, and its text fields. The caller keeps or discards the
 * temporary file; after a failure, nothing is left of it. Throws validation_error for anything but a complete,
 * well-formed form, payload_too_large and insufficient_storage without reading on, and timeout when the client is
 * slower than `pace`.
 */
export async function readUpload(c: Context<AppEnv>, options: UploadOptions): Promise<Upload> {
  // Until the body has been read to its end, the connection can't carry another request.
  c.header('Connection', 'close')
  const length = Number(c.req.header('content-length')) || 0
  const form = openForm(c.req.header('content-type') ?? '', length, options)
  if (length > options.maxUploadSize + FORM_LIMIT) throw tooLarge(options.maxUploadSize)
  // A file has at least one byte.
  if (!takeQuota(options.quota, 1, length)) throw overQuota()
  const temporary = await options.storage.createTemporary(length)
  try {
    await receive(c, form, temporary, options)
    if (!form.hasFile) throw invalid('file', 'is required')
    if (form.fileSize === 0) throw invalid('file', 'must not be empty')
    const { size, sha256 } = await temporary.finish()
    return {
      file: { temporary, size, sha256, filename: form.filename },
      fields: Object.fromEntries(form.fields),
    }
  } catch (error) {
    await temporary.discard().catch((cause) => {
      options.log.warn('a temporary file could not be discarded', { error: cause })
    })
    throw error
  }
}

interface Form {
  parser: BusboyInstance
  fields: Map<string, string>
  hasFile: boolean
  filename: string | null
  fileSize: number
  pending: Uint8Array[]
  /** The first error; nothing is read after it. */
  failure: AppError | undefined
  /** Called on a failure, after which the parser may never call back. */
  wake: () => void
}

/**
 * Takes from the quota the bytes that have come and a piece of those that a body of `length` bytes still has to bring.
 * Takes nothing and returns false when the whole body is larger than what is left.
 */
export function takeQuota(quota: QuotaShare | undefined, size: number, length: number): boolean {
  if (!quota) return true
  const least = Math.max(size, length - FORM_LIMIT)
  const hasRoom = least <= quota.left()
  // A refused upload must not take room from others.
  if (hasRoom) quota.take(Math.min(least, size + CLAIM_AHEAD))
  else quota.end()
  return hasRoom
}

function openForm(
  contentType: string,
  length: number,
  { maxUploadSize, fields = [], quota }: UploadOptions,
): Form {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw invalid('body', 'must be sent as multipart/form-data')
  }
  const form: Form = {
    parser: openParser(contentType),
    fields: new Map(),
    hasFile: false,
    filename: null,
    fileSize: 0,
    pending: [],
    failure: undefined,
    wake: () => {},
  }
  const fail = (error: AppError) => {
    form.failure ??= error
    form.wake()
  }
  const names = new Set<string>()
  const text = { bytes: 0, parts: 0 }
  form.parser.on('file', (name, stream, filename, _encoding, mimeType) => {
    // A form that ends inside a part raises the error on the part too.
    stream.on('error', () => fail(invalid('body', 'is incomplete')))
    if (!name) return fail(invalid('body', 'has a part without a name'))
    const isFile = filename !== undefined || mimeType === 'application/octet-stream'
    if (isFile !== (name === 'file')) {
      return fail(invalid(name, isFile ? 'must not be a file' : 'must be a file, with a filename'))
    }
    const isKnown = isFile || fields.includes(name)
    if (isKnown && names.has(name)) return fail(invalid(name, 'must be sent only once'))
    names.add(name)
    if (!isFile) return collectText(form, isKnown ? name : null, stream, text, fail)
    form.hasFile = true
    form.filename = cleanFilename(unescapeName(filename ?? ''))
    stream.on('data', (chunk: Buffer) => {
      form.fileSize += chunk.length
      if (form.fileSize > maxUploadSize) return fail(tooLarge(maxUploadSize))
      if (takeQuota(quota, form.fileSize, length)) form.pending.push(chunk)
      else fail(overQuota())
    })
  })
  form.parser.on('partsLimit', () => fail(tooManyFields()))
  form.parser.on('error', () => fail(invalid('body', 'is not a complete multipart form')))
  return form
}

function openParser(contentType: string): BusboyInstance {
  try {
    return Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      // Every part comes as a stream of bytes: busboy itself would repair text that isn't UTF-8.
      isPartAFile: () => true,
      limits: { parts: FIELD_LIMIT + 1, headerPairs: 20, headerSize: 16_384 },
    })
  } catch {
    throw invalid('body', 'has no multipart boundary in its Content-Type')
  }
}

// A field whose name is null is read and dropped.
function collectText(
  form: Form,
  name: string | null,
  stream: BusboyFileStream,
  text: { bytes: number; parts: number },
  fail: (error: AppError) => void,
): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    text.bytes += chunk.length
    if (text.bytes > TEXT_LIMIT) {
      fail(
        new AppError('payload_too_large', `The fields have more than ${TEXT_LIMIT} bytes together`),
      )
    } else if (name !== null) chunks.push(chunk)
  })
  stream.on('end', () => {
    if (++text.parts > FIELD_LIMIT) return fail(tooManyFields())
    if (name === null) return
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      form.fields.set(name, decoder.decode(Buffer.concat(chunks)))
    } catch {
      fail(invalid(name, 'must be UTF-8'))
    }
  })
}

async function receive(
  c: Context<AppEnv>,
  form: Form,
  temporary: TemporaryFile,
  options: UploadOptions,
): Promise<void> {
  const reader = c.req.raw.body?.getReader()
  const length = c.req.header('content-length')
  const pace = createPace(options.pace ?? SLOWEST)
  let received = 0
  for (;;) {
    const chunk = reader && (await nextChunk(reader, pace))
    received += chunk?.length ?? 0
    if (!chunk || String(received) === length) c.header('Connection', undefined)
    if (received > options.maxUploadSize + FORM_LIMIT) throw tooLarge(options.maxUploadSize)
    await new Promise<void>((resolve) => {
      form.wake = resolve
      if (chunk) form.parser.write(chunk, () => resolve())
      else form.parser.once('finish', resolve).end()
    })
    if (form.failure) throw form.failure
    let written = 0
    for (const bytes of form.pending.splice(0)) {
      await temporary.write(bytes)
      if (bytes.buffer === chunk?.buffer) written += bytes.length
    }
    if (!chunk) return
    if (written === chunk.length) freeMemory(chunk)
  }
}

/** Browsers and curl write exactly three characters of a filename as percent escapes. */
function unescapeName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll(/%0D|%0A/g, '')
}

/** Returns the error for a file that is larger than an upload may be. */
export function tooLarge(maxUploadSize: number): AppError {
  return new AppError('payload_too_large', `A file may have at most ${maxUploadSize} bytes`)
}

function tooManyFields(): AppError {
  return new AppError('payload_too_large', `A form may have at most ${FIELD_LIMIT} fields`)
}
