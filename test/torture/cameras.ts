import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { corpus, withoutCorpus } from '../support/media/media.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { SAMPLES, type Sample } from './cameras/list.ts'
import { openPage, type Page } from './cameras/send.ts'

const PHOTO = corpus('photos', 'HMD_Nokia.jpg')
const MODEL = 'Nokia 8.3 5G'
/** What a phone sends while the machine has other things to do. */
const OF_PHONE = '16-megapixels.heic'
const BUSY = 4
/** A film may be as many seconds longer or shorter than what it was made of. */
const SECONDS = 2

interface Row {
  mib: number
  /** Milliseconds until the upload was answered, until its picture was there, and for the full one. */
  answered: number
  picture: number
  full: number | null
  lost: string[]
}

/**
 * Sends the longest films and largest pictures that cameras write to a server, and prints what it took and
 * what of them is missing. Throws when anything is. TORTURE_RUNTIMES names the runtimes, by default
 * bun,node, and CAMERAS a pattern of the names to send. It needs the sample files, exiftool, and an ffmpeg
 * with x264, x265 and AV1.
 */
export async function torture(): Promise<void> {
  assert.equal(withoutCorpus, false)
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-cameras-'))
  const samples = SAMPLES.filter(({ name }) => new RegExp(process.env.CAMERAS ?? '').test(name))
  try {
    for (const { name, write } of samples) await write(join(folder, name), PHOTO, folder)
    for (const runtime of (process.env.TORTURE_RUNTIMES ?? 'bun,node').split(',') as Runtime[]) {
      await sendAll(runtime, folder, samples)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function sendAll(runtime: Runtime, folder: string, samples: Sample[]): Promise<void> {
  const lost: string[] = []
  const sendOne = async (sample: Sample, when = '') => {
    const row = await onServer(runtime, (page) => send(page, folder, sample))
    process.stdout.write(`cameras, ${runtime}: ${sample.name}${when} ${JSON.stringify(row)}\n`)
    lost.push(...row.lost.map((what) => `${sample.name}: ${what}`))
  }
  for (const sample of samples) await sendOne(sample)
  const phone = samples.find(({ name }) => name === OF_PHONE)
  if (phone) {
    const others = Array.from({ length: BUSY }, () => spawn('sh', ['-c', 'while :; do :; done']))
    try {
      await sendOne(phone, ' on a busy machine')
    } finally {
      for (const other of others) other.kill('SIGKILL')
    }
  }
  assert.deepEqual(lost, [])
}

async function onServer(runtime: Runtime, use: (page: Page) => Promise<Row>): Promise<Row> {
  const server: SpawnedServer = await spawnServer({ runtime })
  try {
    return await use(await openPage(server))
  } finally {
    await server.stop()
  }
}

async function send(page: Page, folder: string, sample: Sample): Promise<Row> {
  const path = join(folder, sample.name)
  const started = performance.now()
  const { told, waited } = await page.upload(path, sample.name)
  const { id, ...facts } = await page.settled(told.id)
  const picture = performance.now() - started
  const { width, height } = sample
  const lost: string[] = []
  const expect = (what: string, is: unknown, wanted: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) lost.push(`${what} ${JSON.stringify(is)}`)
  }
  expect('size', [facts.width, facts.height], [width, height])
  if (sample.duration !== undefined) {
    const isRight = Math.abs((facts.duration ?? 0) - sample.duration) < SECONDS
    if (!isRight) lost.push(`duration ${facts.duration}`)
  }
  if (facts.phash === null) lost.push('phash')
  if (sample.hasExif) expect('model', facts.exif.Model, MODEL)
  expect('EXIF', facts.exif, told.exif)
  const within = (most: number) => {
    const scale = Math.min(1, most / Math.max(width, height))
    return [Math.round(width * scale), Math.round(height * scale)]
  }
  expect('thumbnail', await page.sizeOf(id, 'thumbnail'), within(320))
  expect('preview', await page.sizeOf(id, 'preview'), within(1920))
  let full: number | null = null
  if (sample.hasFull) {
    const asked = performance.now()
    expect('full', await page.sizeOf(id, 'full'), [width, height])
    full = Math.round(performance.now() - asked)
  }
  return {
    mib: Math.round(statSync(path).size / 2 ** 20),
    answered: Math.round(waited),
    picture: Math.round(picture),
    full,
    lost,
  }
}
