import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// Signature Version 4 as its specification says it ("Authenticating Requests: Using the Authorization Header"), from
// the side of a server, which has to find what a client signed.

/** What a server knows of its client. */
export interface Signer {
  accessKey: string
  secretKey: string
  region: string
}

/** The longest that the clocks of both may differ, in milliseconds. */
const SKEW = 15 * 60_000

export const sha256 = (bytes: Uint8Array | string) =>
  createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Uint8Array | string, text: string) =>
  createHmac('sha256', key).update(text).digest()
const escaped = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Returns the code of the error with which S3 refuses the signature of a request, or null. */
export function signatureFault(
  request: IncomingMessage,
  signer: Signer,
  now: number,
): string | null {
  const { headers, method = '', url = '' } = request
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!given) return 'AccessDenied'
  const [, key, day, region, names, signature] = given as unknown as string[]
  if (key !== signer.accessKey) return 'InvalidAccessKeyId'
  if (region !== signer.region) return 'AuthorizationHeaderMalformed'
  const time = String(headers['x-amz-date'])
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? []
  const moment = Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s))
  if (!(Math.abs(moment - now) <= SKEW) || day !== `${y}${mo}${d}`) return 'RequestTimeTooSkewed'
  const signed = names!.split(';')
  const must = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!must.every((name) => signed.includes(name))) return 'AccessDenied'

  const [path = '', query = ''] = url.split('?')
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map((part) => escaped(decodeURIComponent(part))))
    .map(([name, value = '']) => ({ name: name!, value }))
    .sort((a, b) => (a.name === b.name ? order(a.value, b.value) : order(a.name, b.name)))
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => escaped(decodeURIComponent(part)))
      .join('/'),
    pairs.map(({ name, value }) => `${name}=${value}`).join('&'),
    ...signed.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signing = [day!, region!, 's3', 'aws4_request'].reduce<Uint8Array | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${signer.secretKey}`,
  )
  const expected = hmac(signing, text).toString('hex')
  return expected === signature ? null : 'SignatureDoesNotMatch'
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
