import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAnimated } from '../../src/media/animation.ts'
import { withBoundedFile } from '../../src/media/bounded-file.ts'
import { type Decoder, startDecoder } from '../../src/media/decoder/decoder.ts'
import { findFfmpeg } from '../../src/media/ffmpeg.ts'
import { sniff } from '../../src/media/sniff.ts'
import { randomNumbers } from '../support/file-rows.ts'
import { mutated } from './mutated/mutate.ts'
import { makeOriginals } from './mutated/originals.ts'

const FILES = 100_000
const AT_ONCE = 4
/** Deaths of a child for each file. */
const MOST_DEATHS = 1 / 1000
/** Milliseconds; a file that is waited for longer is kept. */
const LONG = 5000

/**
 * Has 100,000 small pictures and films that were damaged at random told apart and decoded, and prints
 * what became of them. What was under way while a child died, and what took long, is kept in a folder
 * that is printed. Throws when a child dies too often, or twice of one file. MUTATED_SEED repeats a run,
 * MUTATED_FILES is their number. It runs on the runtime that it is started on.
 */
export async function torture(): Promise<void> {
  const seed = Number(process.env.MUTATED_SEED ?? Date.now() % 1_000_000)
  const count = Number(process.env.MUTATED_FILES ?? FILES)
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-mutated-'))
  const kept = join(folder, 'kept')
  const underWay = new Map<string, { isSuspect: boolean }>()
  const twice: string[] = []
  let deaths = 0
  const unread: Record<string, number> = {}
  const hear = (message: string, fields?: Record<string, unknown>) => {
    if (String(fields?.reason).startsWith('ended the decoder twice'))
      twice.push(`${fields!.reason}`)
    if (message === 'could not decode' && fields?.op === 'exif') {
      unread[`${fields.reason}`] = (unread[`${fields.reason}`] ?? 0) + 1
    }
    if (message !== 'decoder died') return
    deaths++
    process.stdout.write(`${JSON.stringify({ ...fields, files: [...underWay.keys()] })}\n`)
    for (const file of underWay.values()) file.isSuspect = true
  }
  const log = { debug: hear, info: hear, warn: hear, error: hear }
  const decoder = startDecoder({ log, ffmpeg: await findFfmpeg('ffmpeg') })
  // It asks no other program about what is read alone.
  const reader = startDecoder({ log })
  await mkdir(kept)
  const originals = await makeOriginals(folder)
  const random = randomNumbers(seed)
  const states: Record<string, number> = {}
  let begun = 0
  const longest = { ofServer: 0, ofDecoder: 0 }
  const work = async () => {
    while (begun < count) {
      const number = begun++
      const { mime_type, bytes, isHead } = originals[number % originals.length]!
      const name = `${number}-${mime_type.replace('/', '-')}`
      const path = join(folder, name)
      const thumbnailPath = `${path}.jpg`
      await writeFile(path, mutated(bytes, random))
      const file = { isSuspect: false }
      underWay.set(name, file)
      const started = performance.now()
      const type = (await readByServer(path)) ?? mime_type
      const read = performance.now()
      const input = { path, mime_type: type }
      const state = isHead
        ? toldOf(await reader.read(input))
        : (await decoder.derive({ ...input, thumbnailPath })).state
      const waits = { ofServer: read - started, ofDecoder: performance.now() - read }
      underWay.delete(name)
      for (const one of ['ofServer', 'ofDecoder'] as const) {
        longest[one] = Math.max(longest[one], waits[one])
      }
      states[state] = (states[state] ?? 0) + 1
      const isKept = file.isSuspect || waits.ofDecoder > LONG
      if (isKept) {
        process.stdout.write(`kept ${name}: ${waits.ofDecoder.toFixed(0)} ms, ${state}\n`)
        await rename(path, join(kept, name))
      }
      await Promise.all([path, thumbnailPath].map((one) => rm(one, { force: true })))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await Promise.all([decoder.close(), reader.close()])
  }
  process.stdout.write(
    `mutated, seed ${seed}: ${count} files, ${JSON.stringify(states)}, ${deaths} deaths of a child, ` +
      `the longest waits ${longest.ofDecoder.toFixed(0)} ms for the decoder and ` +
      `${longest.ofServer.toFixed(0)} ms for the server; kept ${kept}; ` +
      `not read: ${JSON.stringify(unread)}\n`,
  )
  assert.deepEqual(twice, [])
  assert.ok(deaths <= count * MOST_DEATHS, `${deaths} deaths`)
}

function toldOf(read: Awaited<ReturnType<Decoder['read']>>): string {
  if (read === null) return 'refused'
  return read.facts === null ? 'unread' : read.facts.dates.length > 0 ? 'dated' : 'undated'
}

/** Reads a file as the server does itself, and returns its type. */
async function readByServer(path: string): Promise<string | undefined> {
  const type = await sniff(path)
  await withBoundedFile(path, (file) => isAnimated(file, type?.mime_type ?? ''))
  return type?.mime_type
}
