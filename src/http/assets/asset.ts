import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { namesEtag } from '../ranges.ts'

/** May be cached, but must be revalidated before each use. */
export const CHECKED = { 'Cache-Control': 'public, no-cache' }
/** For a file whose path changes with its bytes. */
export const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

const compress = promisify(gzip)

/** Bytes that are the same for everybody until the next version of the product. */
export interface Asset {
  type: string
  /** Identifies the bytes. */
  hash: string
  plain: Uint8Array<ArrayBuffer>
  gzipped: Uint8Array<ArrayBuffer>
}

/** Returns an asset made from text or bytes, compressed once. */
export async function createAsset(type: string, content: string | Uint8Array): Promise<Asset> {
  // Not `Uint8Array.from`, which copies byte by byte and is slow on Bun.
  const plain = new Uint8Array(Buffer.from(content))
  return {
    type,
    hash: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    plain,
    gzipped: new Uint8Array(await compress(plain, { level: 9 })),
  }
}

/** Answers a GET or HEAD of an asset: 200, or another status, gzipped where that is accepted, or 304. */
export function sendAsset(
  c: Context<AppEnv>,
  asset: Asset,
  headers: { 'Cache-Control': string; 'Content-Security-Policy'?: string },
  status: 200 | 404 = 200,
): Response {
  const isGzipped = takesGzip(c.req.header('accept-encoding') ?? '')
  const body = isGzipped ? asset.gzipped : asset.plain
  const etag = isGzipped ? `"${asset.hash}-gzip"` : `"${asset.hash}"`
  const validators = { ...headers, ETag: etag, Vary: 'Accept-Encoding' }
  const isKnown = status === 200 && namesEtag(c.req.header('if-none-match') ?? '', etag)
  if (isKnown) return c.body(null, 304, validators)
  return c.body(body, status, {
    ...validators,
    'Content-Type': asset.type,
    'Content-Length': String(body.length),
    ...(isGzipped && { 'Content-Encoding': 'gzip' }),
  })
}

function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((entry) => {
    const [name, ...parameters] = entry.toLowerCase().split(';')
    const isExcluded = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
    return name?.trim() === 'gzip' && !isExcluded
  })
}

/** Returns a function that makes the value on its first call; a failure is not cached. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
