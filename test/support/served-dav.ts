import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { signIn } from '../torture/upload.ts'
import { basic } from './dav.ts'
import type { SpawnedServer } from './spawn.ts'

export interface Sent {
  status: number
  body: Buffer
}

/** Makes a key of the admin of a server, and returns it. */
export async function keyOf(server: SpawnedServer): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/auth/keys`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await signIn(server)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'phone', scope: 'upload' }),
  })
  return ((await answer.json()) as { key: string }).key
}

/** Sends a request to the drop box of a server; the path is below `/dav/`. Rejects when the connection breaks. */
export function sendTo(
  server: SpawnedServer,
  key: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: Uint8Array; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const url = `${server.url}/dav/${path.split('/').map(encodeURIComponent).join('/')}`
  return new Promise((resolve, reject) => {
    const length = body ? { 'Content-Length': String(body.length) } : {}
    const sent = request(url, { method, headers: { ...basic(key), ...length, ...headers } })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }),
      )
    })
    sent.end(body)
  })
}

// Beginnings of names that clients and servers may read as something else.
const ODD = [
  'a #',
  '100%25 ',
  'über ',
  '😀 ',
  'e\u0301 ',
  "it's ",
  'a&b<c>"',
  'x;y=z+',
  'C:\\d ',
  '[1] ',
  '?q ',
  '日本 ',
  '  two ',
  '.dot ',
]
const FOLDERS = ['DCIM', 'DCIM/Camera #1', 'WhatsApp ü', '😀/100%']
const EVERY = 97

/** Writes small pictures with odd names into a folder, each with another content, and returns their paths in it. */
export async function writeOddFiles(
  folder: string,
  { count, longest = 255 }: { count: number; longest?: number },
): Promise<string[]> {
  const paths: string[] = []
  for (let n = 0; n < count; n++) {
    const long = `${'x'.repeat(longest - 8)}${String(n).padStart(4, '0')}.png`
    const name = n % EVERY === 0 ? long : `${ODD[n % ODD.length]}${n}.png`
    const path = `${FOLDERS[n % FOLDERS.length]}/${name}`
    const background = { r: n % 256, g: (n * 7) % 256, b: n >> 8 }
    const picture = sharp({ create: { width: 24, height: 16, channels: 3, background } })
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), await picture.png().toBuffer())
    paths.push(path)
  }
  return paths
}
