import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { StoreSettings } from '../../../src/base/store-settings.ts'
import { sha256, signatureFault } from './signature.ts'
import { settingsOf } from './signed.ts'

/** A request as a test sees it: `PUT files/ab/…`, with its query. */
export interface Asked {
  method: string
  /** With the prefix; empty for the bucket. */
  key: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

/**
 * What goes wrong with a request: an answer with this status instead of doing it; no answer; done, and no answer; the
 * half of an answer; or the half of it, and then nothing.
 */
export type Trouble = number | 'silent' | 'lost' | 'cut' | 'slow'

interface Stored {
  bytes: Buffer
  etag: string
  sha256: string | undefined
}

interface Begun {
  key: string
  sha256: string | undefined
  parts: Map<number, Stored>
}

export type SmallS3 = Awaited<ReturnType<typeof openSmallS3>>

const KEYS = { accessKey: 'AKEXAMPLE', secretKey: 'the secret of the store' }
const BUCKET = 'family'

class Refusal extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/**
 * Opens an object store in memory, on a port of this machine. It checks signatures and digests as S3 does, and lists in
 * pages of `page` names.
 */
export async function openSmallS3({ page = 1000, prefix = 'photos/', clock = Date.now } = {}) {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Begun>()
  const asked: Asked[] = []
  const state = {
    /** Says what goes wrong with a request. */
    trouble: (_: Asked): Trouble | undefined => undefined,
    /** Whether If-None-Match is ignored, as some engines do. */
    isCareless: false,
  }
  let uploadsBegun = 0

  const stored = (bytes: Buffer, sha256: string | undefined): Stored => {
    return { bytes, sha256, etag: `"${createHash('md5').update(bytes).digest('hex')}"` }
  }
  const uploadOf = ({ key, query }: Asked): Begun => {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload')
    return upload
  }

  function list({ query }: Asked): string {
    const prefix = query.get('prefix') ?? ''
    const from = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > from).sort()
    const shown = keys.slice(0, page)
    const more = keys.length > page
    return xml('ListBucketResult', [
      ['IsTruncated', String(more)],
      ...(more ? [['NextContinuationToken', shown.at(-1)!] as const] : []),
      ...shown.map((key) => {
        const size = String(objects.get(key)!.bytes.length)
        return ['Contents', [['Key', key] as const, ['Size', size] as const]] as const
      }),
    ])
  }

  function listUploads({ query }: Asked): string {
    const from = query.get('upload-id-marker') ?? ''
    const ids = [...uploads.keys()].filter((id) => id > from).sort()
    const shown = ids.slice(0, page)
    return xml('ListMultipartUploadsResult', [
      ['IsTruncated', String(ids.length > page)],
      ['NextKeyMarker', uploads.get(shown.at(-1) ?? '')?.key ?? ''],
      ['NextUploadIdMarker', shown.at(-1) ?? ''],
      ...shown.map((id) => {
        return [
          'Upload',
          [['Key', uploads.get(id)!.key] as const, ['UploadId', id] as const],
        ] as const
      }),
    ])
  }

  function listParts(request: Asked): string {
    const from = Number(request.query.get('part-number-marker') ?? 0)
    const numbers = [...uploadOf(request).parts.keys()]
      .filter((n) => n > from)
      .sort((a, b) => a - b)
    const shown = numbers.slice(0, page)
    return xml('ListPartsResult', [
      ['IsTruncated', String(numbers.length > page)],
      ['NextPartNumberMarker', String(shown.at(-1) ?? 0)],
      ...shown.map((n) => {
        const size = String(uploadOf(request).parts.get(n)!.bytes.length)
        return ['Part', [['PartNumber', String(n)] as const, ['Size', size] as const]] as const
      }),
    ])
  }

  function complete(request: Asked, body: Buffer): string {
    const { parts, sha256 } = uploadOf(request)
    const named = [
      ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g),
    ]
    const isRight = named.every(([, n, etag]) => parts.get(Number(n))?.etag === etag)
    if (named.length === 0 || !isRight) throw new Refusal(400, 'InvalidPart')
    const bytes = Buffer.concat(named.map(([, n]) => parts.get(Number(n))!.bytes))
    objects.set(request.key, stored(bytes, sha256))
    uploads.delete(request.query.get('uploadId')!)
    return xml('CompleteMultipartUploadResult', [['Key', request.key]])
  }

  function put(request: Asked, body: Buffer): { ETag: string } {
    const { key, query, headers } = request
    if (query.has('partNumber')) {
      const part = stored(body, undefined)
      uploadOf(request).parts.set(Number(query.get('partNumber')), part)
      return { ETag: part.etag }
    }
    const isNew = headers['if-none-match'] === '*' && !state.isCareless
    if (isNew && objects.has(key)) throw new Refusal(412, 'PreconditionFailed')
    const object = stored(body, headers['x-amz-meta-sha256'] as string | undefined)
    objects.set(key, object)
    return { ETag: object.etag }
  }

  function begin({ key, headers }: Asked): string {
    const id = `upload-${String(++uploadsBegun).padStart(6, '0')}`
    const sha256 = headers['x-amz-meta-sha256'] as string | undefined
    uploads.set(id, { key, sha256, parts: new Map() })
    return xml('InitiateMultipartUploadResult', [['UploadId', id]])
  }

  function get({ key, headers }: Asked): Reply {
    const object = objects.get(key)
    if (!object) throw new Refusal(404, 'NoSuchKey')
    const { bytes, etag } = object
    const all = { ETag: etag, ...(object.sha256 && { 'x-amz-meta-sha256': object.sha256 }) }
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
    if (!range) return { status: 200, headers: all, body: bytes }
    const [start, end] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)]
    if (start >= bytes.length) throw new Refusal(416, 'InvalidRange')
    const content = { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` }
    return { status: 206, headers: { ...all, ...content }, body: bytes.subarray(start, end + 1) }
  }

  function answer(request: Asked, body: Buffer): Reply {
    const { method, key, query } = request
    const text = (body: string): Reply => ({ status: 200, headers: {}, body: Buffer.from(body) })
    const none = (status: number, headers = {}): Reply => ({ status, headers, body: Buffer.of() })
    if (method === 'PUT') return none(200, put(request, body))
    if (method === 'POST')
      return text(query.has('uploads') ? begin(request) : complete(request, body))
    if (method === 'DELETE') {
      if (query.has('uploadId')) uploadOf(request)
      if (query.has('uploadId')) uploads.delete(query.get('uploadId')!)
      else objects.delete(key)
      return none(204)
    }
    if (query.has('uploadId')) return text(listParts(request))
    if (query.has('uploads')) return text(listUploads(request))
    return key === '' ? text(list(request)) : get(request)
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '', 'http://store')
    const [, bucket, ...rest] = url.pathname.split('/')
    const request: Asked = {
      method: message.method ?? '',
      key: decodeURIComponent(rest.join('/')),
      query: url.searchParams,
      headers: message.headers,
    }
    const body = await buffer(message)
    asked.push(request)
    const trouble = state.trouble(request)
    if (trouble === 'silent') return
    try {
      if (typeof trouble === 'number') throw new Refusal(trouble, 'AsTheTestWants')
      const fault = signatureFault(message, { ...KEYS, region: settings.region }, clock())
      if (fault) throw new Refusal(403, fault)
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
      if (message.headers['x-amz-content-sha256'] !== sha256(body)) {
        throw new Refusal(400, 'XAmzContentSHA256Mismatch')
      }
      const reply = answer(request, body)
      if (trouble === 'lost') return void message.socket.destroy()
      await write(message, response, reply, trouble)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, message: code } = error
      const body = Buffer.from(
        xml('Error', [
          ['Code', code],
          ['Message', KEYS.secretKey],
        ]),
      )
      await write(message, response, { status, headers: {}, body })
    }
  }

  const server = createServer((message, response) => {
    handle(message, response).catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings: StoreSettings = {
    ...{ endpoint, region: 'garage', bucket: BUCKET, prefix, isPathStyle: true, isReadBack: false },
    ...KEYS,
  }
  return Object.assign(state, {
    settings,
    /** The settings of a library whose contents are there. */
    env: settingsOf(settings, `/${prefix}`),
    objects,
    uploads,
    /** All requests so far. */
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
}

interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

async function write(
  { method, socket }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
  trouble?: Trouble,
): Promise<void> {
  response.writeHead(status, { ...headers, 'Content-Length': body.length })
  if (method === 'HEAD') return void response.end()
  if (trouble !== 'cut' && trouble !== 'slow') return void response.end(body)
  await new Promise<void>((done) => {
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => done())
  })
  if (trouble === 'cut') socket.destroy()
}

type Content = string | readonly (readonly [string, Content])[]

function xml(name: string, content: Content): string {
  const inner =
    typeof content === 'string'
      ? content.replace(/&/g, '&amp;').replace(/</g, '&lt;')
      : content.map(([name, inner]) => xml(name, inner)).join('')
  return `<${name}>${inner}</${name}>`
}
