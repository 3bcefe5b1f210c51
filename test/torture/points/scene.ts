import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { form } from '../../support/harness.ts'
import { fakeFfmpeg } from '../../support/media/fake-ffmpeg.ts'
import { commandOf, descendantsOf } from '../../support/processes.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { openPage, type Page, type Told } from '../cameras/send.ts'
import { signIn } from '../upload.ts'

/** What became of an upload: its answer, or null when the server was gone. */
export type Sent = { status: number; told: Told } | null

/** A server whose ffmpeg does what the scene wants, and what has been sent to it. */
export interface Scene {
  dataDir: string
  ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
  server: SpawnedServer
  page: Page
  token: string
  /** Ids of what was answered with 201. */
  acknowledged: Set<string>
  start(): Promise<void>
  /** Sends the film, all of it at once or the half until `rest` resolves. */
  upload(rest?: Promise<void>): Promise<Sent>
  /** Returns the decoder's children that run now. */
  decoders(): number[]
  /** Fills the disk, and empties it again. */
  fill(): void
  empty(): void
}

const BALLAST = 2 ** 16

/** Opens a scene in a folder; the film's bytes are what is sent. */
export async function openScene(
  folder: string,
  { dataDir, runtime, film }: { dataDir: string; runtime: Runtime; film: string },
): Promise<Scene> {
  const ffmpeg = await fakeFfmpeg(folder)
  const bytes = readFileSync(film)
  const ballast = join(dataDir, '..', 'ballast')
  const env = { FFMPEG_PATH: ffmpeg.path, DISK_RESERVE: '1MiB' }
  const scene = { dataDir, ffmpeg, acknowledged: new Set<string>() } as Scene
  return Object.assign(scene, {
    async start() {
      scene.server = await spawnServer({ dataDir, runtime, env })
      scene.token = await signIn(scene.server)
      scene.page = await openPage(scene.server)
    },
    async upload(rest?: Promise<void>) {
      const sent = await send(scene, bytes, rest).catch(() => null)
      if (sent?.status === 201) scene.acknowledged.add(sent.told.id)
      return sent
    },
    decoders: () =>
      descendantsOf(scene.server.process.pid!).filter((pid) =>
        commandOf(pid).includes('child/main.ts'),
      ),
    fill() {
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(BALLAST))
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      }
    },
    empty() {
      truncateSync(ballast)
      rmSync(ballast)
    },
  })
}

async function send(scene: Scene, film: Uint8Array, rest?: Promise<void>): Promise<Sent> {
  const whole = new Response(form(film, 'film.mp4'))
  const type = whole.headers.get('content-type')!
  const bytes = Buffer.from(await whole.arrayBuffer())
  const headers = {
    ...{ Authorization: `Bearer ${scene.token}`, 'Content-Type': type },
    'Content-Length': bytes.length,
  }
  return new Promise((resolve, reject) => {
    const sending = request(`${scene.server.url}/api/v1/files`, { method: 'POST', headers })
    sending.on('error', reject)
    sending.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const told = JSON.parse(Buffer.concat(chunks).toString())
        resolve({ status: response.statusCode!, told })
      })
    })
    const half = rest ? bytes.length / 2 : bytes.length
    sending.write(bytes.subarray(0, half))
    if (!rest) sending.end()
    else void rest.then(() => sending.end(bytes.subarray(half)))
  })
}

/** Resolves when a condition holds; throws when it doesn't for a minute. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const started = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - started < 60_000, `waited in vain: ${what}`)
    await setTimeout(10)
  }
}

/** Returns the files in a folder of the data folder. */
export function filesIn({ dataDir }: Scene, name: string): string[] {
  return readdirSync(join(dataDir, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

/** Throws when a file that was acknowledged has not its content, its facts and, after a while, its picture. */
export async function checkAll(
  scene: Scene,
  film: string,
  facts: Record<string, unknown>,
): Promise<void> {
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const headers = { Authorization: `Bearer ${scene.token}` }
  for (const id of scene.acknowledged) {
    const url = `${scene.server.url}/api/v1/files/${id}/content`
    const content = await fetch(url, { headers })
    const bytes = new Uint8Array(await content.arrayBuffer())
    if (content.status !== 200) {
      assert.fail(`${id}: ${Buffer.from(bytes)}\n${scene.server.output()}`)
    }
    assert.equal(digest(bytes), digest(readFileSync(film)))
    await until('a thumbnail', async () => (await scene.page.sizeOf(id, 'thumbnail')) !== null)
    const settled = await scene.page.settled(id)
    assert.deepEqual(settled.exif, facts)
    assert.notEqual(settled.phash, null)
  }
}
