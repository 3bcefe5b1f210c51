import { execFileSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'

/** A bucket and who may use it, of an engine that speaks plain HTTP. */
export interface Target {
  /** Without a path, as `http://127.0.0.1:9000`. */
  endpoint: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
}

/** Returns the settings of a library whose contents are in a bucket, below a path such as `/family`. */
export function settingsOf(target: Target, path = '') {
  return {
    CONTENTS: `s3://${target.bucket}${path}`,
    S3_ENDPOINT: target.endpoint,
    S3_REGION: target.region,
    AWS_ACCESS_KEY_ID: target.accessKey,
    AWS_SECRET_ACCESS_KEY: target.secretKey,
  }
}

export interface Asked {
  query?: Record<string, string>
  /** Their names in lower case; each that begins with `x-amz-` is signed. */
  headers?: Record<string, string>
  body?: Uint8Array | string
}

export interface Answered {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
  /** The body as a text. */
  text: string
}

/**
 * Returns the headers that sign a request for an object of a target, by the specification of Amazon's signatures,
 * version 4, without a library. `x-amz-content-sha256` is the digest of `body` unless `headers` has another.
 */
export function signatureOf(
  target: Target,
  method: string,
  path: string,
  { query = {}, headers = {}, body = '' }: Asked,
  now = new Date(),
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const signed: Record<string, string> = {
    host: new URL(target.endpoint).host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
    ...headers,
  }
  const names = Object.keys(signed).filter((name) => name === 'host' || /^x-amz-/.test(name))
  names.sort()
  const canonical = [
    method,
    escapedPath(path),
    queryText(query),
    ...names.map((name) => `${name}:${signed[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    signed['x-amz-content-sha256'],
  ].join('\n')
  const scope = [day, target.region, 's3', 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<Buffer | string>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${target.secretKey}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const credential = `Credential=${target.accessKey}/${scope.join('/')}`
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/**
 * Sends a signed request for an object of the bucket, or for the bucket itself where `key` is empty. Throws when the
 * connection ends before the whole answer is there.
 */
export function send(
  target: Target,
  method: string,
  key: string,
  asked: Asked = {},
): Promise<Answered> {
  const path = `/${target.bucket}${key && `/${key}`}`
  const headers = signatureOf(target, method, path, asked)
  const { hostname, port } = new URL(target.endpoint)
  const query = queryText(asked.query ?? {})
  const whole = `${escapedPath(path)}${query && `?${query}`}`
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path: whole, headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('close', () => {
          if (!answer.complete) return reject(new Error('the answer was cut short'))
          const body = Buffer.concat(chunks)
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            body,
            text: body.toString('utf8'),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.setHeader('content-length', Buffer.byteLength(asked.body ?? ''))
    sent.end(asked.body)
  })
}

/** Does what `send` does, by curl, while nothing else happens in this process. */
export function sendNow(target: Target, method: string, key: string, asked: Asked = {}) {
  const path = `/${target.bucket}${key && `/${key}`}`
  const { host: _, ...headers } = signatureOf(target, method, path, asked)
  const query = queryText(asked.query ?? {})
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const how = method === 'HEAD' ? ['--head'] : ['-X', method]
  const sent = method === 'PUT' ? ['--data-binary', '@-', '-H', 'content-type:'] : []
  const url = `${target.endpoint}${escapedPath(path)}${query && `?${query}`}`
  const said = execFileSync(
    'curl',
    ['-sS', ...how, ...fields, ...sent, '-w', '%{http_code}', url],
    {
      input: asked.body ?? '',
      maxBuffer: 2 ** 28,
    },
  )
  return { status: Number(said.subarray(-3).toString()), body: said.subarray(0, -3) }
}

/** Returns what the elements of a name hold, in their order, of an answer that has no CDATA. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    text!.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&'),
  )
}

export function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}

function escapedPath(path: string): string {
  return path.split('/').map(escaped).join('/')
}

function queryText(query: Record<string, string>): string {
  const pairs = Object.entries(query).map((pair) => pair.map(escaped).join('='))
  return pairs.sort().join('&')
}

function escaped(text: string): string {
  const hex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, hex)
}
