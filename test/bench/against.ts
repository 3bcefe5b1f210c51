import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { unwatchAnswers } from '../support/contract/watch.ts'
import { corpusFiles, withoutCorpus } from '../support/media/media.ts'
import { computedByTree } from '../support/processes.ts'
import { commandLine, type Runtime, spawnServer, THIS_RUNTIME } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { printBudgets } from './budgets.ts'
import { photo, upload } from './ingest.ts'
import { rate } from './measure.ts'

const PAIRS = Number(process.env.BENCH_PAIRS ?? 8)
const RUNTIMES = (process.env.BENCH_RUNTIMES ?? THIS_RUNTIME).split(',') as Runtime[]
const HERE = join(import.meta.dirname, '../..')
/** How many pictures of cameras, of a few hundred kB for the most part, and how many of 12 megapixels. */
const [SMALL, LARGE] = [300, 40]
const AT_ONCE = 3
/** Most times the processor time of the other version. */
const MOST = 1.1

/**
 * Prints how much processor time it takes to take in pictures, with all processes of the server, in comparison
 * with another checkout, which BENCH_AGAINST names: in turns, each with a library of its own. Throws when the
 * median is more than 1.1 times as much.
 */
export async function bench(): Promise<void> {
  const other = process.env.BENCH_AGAINST
  if (!other) {
    process.stdout.write('\nagainst: needs BENCH_AGAINST, left out\n')
    return
  }
  const sets = [await generated(), ...(withoutCorpus ? [] : [await ofCameras()])]
  const rows = []
  for (const runtime of RUNTIMES) {
    for (const { what, pictures } of sets) {
      const ratios: number[] = []
      const seconds: Record<string, number[]> = { [HERE]: [], [other]: [] }
      for (let pair = 0; pair < PAIRS; pair++) {
        const turns = pair % 2 === 0 ? [HERE, other] : [other, HERE]
        for (const checkout of turns) {
          seconds[checkout]!.push(await processorTime(checkout, runtime, pictures))
        }
        ratios.push(seconds[HERE]!.at(-1)! / seconds[other]!.at(-1)!)
      }
      const each = (checkout: string) => (1000 * median(seconds[checkout]!)) / pictures.length
      const name = `${runtime}, ${pictures.length} ${what}`
      rows.push({ what: `${name}: ms each here`, value: each(HERE) })
      rows.push({ what: 'ms each there', value: each(other) })
      rows.push({ what: 'least of the ratios', value: Math.min(...ratios) })
      rows.push({ what: 'median of the ratios', value: median(ratios), held: MOST })
      rows.push({ what: 'largest of the ratios', value: Math.max(...ratios) })
    }
  }
  printBudgets(`taking in pictures, ${PAIRS} pairs`, rows)
}

async function generated() {
  const made = await Promise.all([0, 1, 2, 3].map(photo))
  return { what: 'JPEGs of 12 megapixels', pictures: distinct(made, LARGE) }
}

async function ofCameras() {
  const names = corpusFiles().filter((path) => /^\.jpe?g$/i.test(extname(path)))
  const whole = names.filter((path) => !path.includes('/broken/'))
  const read = await Promise.all(whole.map((path) => readFile(path)))
  return { what: 'JPEGs of cameras', pictures: distinct(read, SMALL) }
}

/** Returns so many pictures that differ in what follows their end. */
function distinct(pictures: Buffer[], count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) =>
    Buffer.concat([pictures[n % pictures.length]!, Buffer.from(String(n))]),
  )
}

/** Returns the seconds that a server of a checkout computes to take in pictures, once it has taken in some. */
async function processorTime(
  checkout: string,
  runtime: Runtime,
  pictures: Buffer[],
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-against-'))
  const env = { LOG_LEVEL: 'warn', ACCESS_TOKEN_TTL: '1d', TMPDIR: folder }
  const command = commandLine(runtime, join(checkout, 'src/main.ts'))
  const server = await spawnServer({ dataDir: join(folder, 'data'), command, env })
  // Another version has another document.
  unwatchAnswers(server.url)
  try {
    const token = await signIn(server)
    const send = (picture: Buffer) => upload(server, token, picture)
    const others = pictures.slice(0, 3 * AT_ONCE)
    await rate(
      AT_ONCE,
      others.map((picture) => Buffer.concat([picture, Buffer.of(0)])),
      send,
    )
    const before = computedByTree(server.process.pid!)
    await rate(AT_ONCE, pictures, send)
    return computedByTree(server.process.pid!) - before
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}
