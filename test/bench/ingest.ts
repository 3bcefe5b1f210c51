import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { scene } from '../support/scenes.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { printTable, rate } from './measure.ts'

const run = promisify(execFile)
const RUNTIMES = (process.env.BENCH_RUNTIMES ?? 'bun,node').split(',') as Runtime[]
const GOALS: Record<Runtime, number> = { bun: 0.95, node: 0.85 }
const PICTURES = 24
const ROUNDS = 3
/** Uploads at once, and processes of the peer, which has as many as there are cores on a small server. */
const [AT_ONCE, PEERS] = [3, 2]

/**
 * Prints how many pictures of 12 megapixels per second are taken in over HTTP, three at once, each with
 * its EXIF, thumbnails and hashes, compared with how many get a thumbnail of the larger size alone from two
 * processes of vipsthumbnail (of Debian's libvips-tools), in turns in the same run, best of three. Throws
 * when a goal is missed.
 */
export async function bench(): Promise<void> {
  const hasPeer = await run('vipsthumbnail', ['--version']).then(
    () => true,
    () => false,
  )
  if (!hasPeer) {
    process.stdout.write('\ningest: needs vipsthumbnail, left out\n')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-ingest-'))
  try {
    const paths: string[] = []
    for (let n = 0; n < PICTURES; n++) {
      const path = join(folder, `${n}.jpg`)
      await writeFile(path, await photo(n))
      paths.push(path)
    }
    const rows = []
    for (const runtime of RUNTIMES) rows.push(await rowOf(runtime, paths))
    printTable(`${PICTURES} JPEGs of 12 megapixels, ${AT_ONCE} uploads at once`, rows)
    if (rows.some(({ held }) => held === 'NO')) throw new Error('It takes longer than it may')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns a picture as large as a camera's, with as much detail. */
export async function photo(n: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
  const size = { width: 4000, height: 3000 }
  const grain = await sharp({ create: { ...size, channels: 3, background: '#888', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(await scene(n))
    .resize({ ...size, fit: 'fill' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .withExif({ IFD0: { Make: 'Bench', Model: `Camera ${n}` } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

async function rowOf(runtime: Runtime, paths: string[]) {
  const server = await spawnServer({ runtime, env: { LOG_LEVEL: 'warn', ACCESS_TOKEN_TTL: '1d' } })
  try {
    const token = await signIn(server)
    const send = async (path: string) => upload(server, token, await readFile(path))
    // The children start with their first jobs.
    await rate(AT_ONCE, paths.slice(0, AT_ONCE), send)
    const best = { ours: 0, theirs: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await rate(AT_ONCE, paths, send)
      const theirs = await rate(PEERS, halves(paths), thumbnails)
      best.ours = Math.max(best.ours, ours)
      best.theirs = Math.max(best.theirs, theirs * (paths.length / PEERS))
    }
    const ratio = best.ours / best.theirs
    const goal = GOALS[runtime]
    return { runtime, ...best, ratio, goal, held: ratio >= goal ? 'yes' : 'NO' }
  } finally {
    await server.stop()
  }
}

const halves = (paths: string[]) => [
  paths.slice(0, paths.length / 2),
  paths.slice(paths.length / 2),
]

async function thumbnails(paths: string[]): Promise<void> {
  await run('vipsthumbnail', [...paths, '--size', '640x640>', '-o', '%s.thumbnail.jpg'])
}

/** Sends a picture to a server; throws when it isn't taken or can't be decoded. */
export async function upload(
  { url }: Pick<SpawnedServer, 'url'>,
  token: string,
  picture: Uint8Array,
): Promise<void> {
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(picture)]), 'picture.jpg')
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/v1/files`, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(`An upload was answered with ${response.status}`)
  const { thumbhash } = (await response.json()) as { thumbhash: string | null }
  if (thumbhash === null) throw new Error('An upload has no picture')
}
