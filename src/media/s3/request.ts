import { createHash } from 'node:crypto'
import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { AwsV4Signer } from 'aws4fetch'
import type { StoreSettings } from '../../base/store-settings.ts'
import type { Wait } from '../../base/time.ts'

/**
 * Why an object store did not do what it was asked: there is no such object; there is one already; the range is
 * outside; the store is out of reach or overloaded for now; or it refuses, which only a person can change.
 */
type Trouble = 'absent' | 'exists' | 'outside' | 'away' | 'refused'

/** What went wrong with an object store. The message names no key and no secret. */
export class S3Error extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, message: string) {
    super(message)
    this.name = 'S3Error'
    this.trouble = trouble
  }
}

/** Calls a function after some milliseconds, unless what it returns is called before. */
export type After = (ms: number, fn: () => void) => () => void

export interface S3Deps {
  wait: Wait
  after: After
  /** The moment, in milliseconds since 1970-01-01 UTC, that is signed. */
  clock: () => number
}

interface Asked {
  method: string
  /** Without the prefix; the bucket itself by default. */
  name?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  range?: string
  body?: Blob | string
  /** Of the body, in hex. */
  sha256?: string
  /** Milliseconds for all tries together. */
  limit?: number
}

/** Returns what `use` makes of the answer. It is called within the limit, and again when the answer is cut off. */
type Send = <T>(
  asked: Asked,
  use: (response: Response, ending: AbortController) => Promise<T>,
) => Promise<T>

// Milliseconds within which a question without a large body is to be answered: a viewer is told so soon after that.
const LIMIT = 8000
// How long to wait before further tries, in milliseconds.
const PAUSES = [200, 1000]
const AGAIN = new Set([408, 425, 429])
const TROUBLES: Record<number, Trouble> = { 404: 'absent', 412: 'exists', 416: 'outside' }

/** The SHA-256 of a text, in hex. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const NOTHING = textDigest('')

/** Returns the function that asks a store. It throws an S3Error, after a few tries when the store is away. */
export function createSend(settings: StoreSettings, { wait, after, clock }: S3Deps): Send {
  const { endpoint, bucket, prefix, isPathStyle, region } = settings
  const base = new URL(endpoint)
  if (!isPathStyle) base.hostname = `${bucket}.${base.hostname}`
  const root = isPathStyle ? `${base.origin}/${bucket}` : base.origin
  const cache = new Map<string, ArrayBuffer>()

  async function signed({ method, name, query, headers, range, sha256 }: Asked) {
    const url = new URL(name === undefined ? `${root}/` : `${root}/${prefix}${name}`)
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region, cache },
      ...{ accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
      headers: { ...headers, 'x-amz-content-sha256': sha256 ?? NOTHING },
      datetime: new Date(clock()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    })
    const { url: signedUrl, headers: all } = await signer.sign()
    // Not signed, because a proxy may change it.
    all.set('Accept-Encoding', 'identity')
    if (range !== undefined) all.set('Range', range)
    return { url: signedUrl, headers: all }
  }

  async function once(asked: Asked, ending: AbortController): Promise<Response> {
    const { url, headers } = await signed(asked)
    const { method, body } = asked
    const init = { method, headers, signal: ending.signal, redirect: 'manual' as const }
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    if (response.ok) return response
    const { status } = response
    const code = codeOf(await response.text())
    // A proxy that has lost its store says the same without a code.
    const isOfProxy = status === 404 && method !== 'HEAD' && code === ''
    throw new S3Error(
      isOfProxy ? 'away' : troubleOf(status, code),
      `The store answered ${status}${code} to a ${method}`,
    )
  }

  return async (asked, use) => {
    const ending = new AbortController()
    const clear = after(asked.limit ?? LIMIT, () => ending.abort())
    try {
      for (let tries = 0; ; tries++) {
        try {
          return await use(await once(asked, ending), ending)
        } catch (error) {
          const known = asS3Error(error, ending.signal)
          const pause = PAUSES[tries]
          if (known.trouble !== 'away' || pause === undefined || ending.signal.aborted) throw known
          await wait(pause, ending.signal).catch(() => {
            throw known
          })
        }
      }
    } finally {
      clear()
    }
  }
}

function troubleOf(status: number, code: string): Trouble {
  if (status >= 500 || AGAIN.has(status)) return 'away'
  // Without its bucket, nothing is lost yet.
  return code === ' NoSuchBucket' ? 'refused' : (TROUBLES[status] ?? 'refused')
}

/** Returns the error itself if it is one of a store, and else the one of a store that is out of reach. */
export function asS3Error(error: unknown, { aborted }: { aborted: boolean }): S3Error {
  if (error instanceof S3Error) return error
  if (aborted) return new S3Error('away', 'The store did not answer in time')
  // What a runtime says of a connection names hosts and codes alone.
  const { message, cause, code } = error as NodeJS.ErrnoException
  const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? code ?? message
  return new S3Error('away', `The store can't be reached: ${reason}`)
}

/** Returns the root of an answer in XML. Throws an S3Error for anything else, and for an error that came with 200. */
export async function xmlOf(response: Response): Promise<XmlElement> {
  const text = await response.text()
  const root = rootOf(text)
  if (root && root.name !== 'Error') return root
  throw new S3Error('away', `The store answered with something else${codeOf(text)}`)
}

function rootOf(text: string): XmlElement | null {
  try {
    return parseXml(text).root
  } catch {
    return null
  }
}

/** Returns the children of an element that have a name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => (child as XmlElement).name === name) as XmlElement[]
}

/** Returns the text of the first child with a name; empty when there is none. */
export function textOf(element: XmlElement, name: string): string {
  return childrenOf(element, name)[0]?.text ?? ''
}

// Of an answer that explains an error, only its code is told: the rest may repeat what was signed.
function codeOf(text: string): string {
  const root = rootOf(text)
  const code = root && textOf(root, 'Code')
  return code && /^\w{1,60}$/.test(code) ? ` ${code}` : ''
}
