import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { unwatchAnswers } from '../support/contract/watch.ts'
import { jpegWith, xmpOf } from '../support/media/embedded.ts'
import { corpusFiles, withoutCorpus } from '../support/media/media.ts'
import { computedByTree } from '../support/processes.ts'
import { commandLine, type Runtime, spawnServer, THIS_RUNTIME } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { printBudgets } from './budgets.ts'
import { upload } from './ingest.ts'
import { rate } from './measure.ts'

const FILES = Number(process.env.BENCH_FILES ?? 1000)
const RUNTIMES = (process.env.BENCH_RUNTIMES ?? THIS_RUNTIME).split(',') as Runtime[]
const HERE = join(import.meta.dirname, '../..')
const AT_ONCE = 3
/** Milliseconds for a file, with the two seconds for which a server has to be calm at each start. */
const MOST = 50
/** Milliseconds between two looks at the progress. */
const PAUSE = 20
const TAKEN = { text: '2025-03-29T20:14:32+01:00', time: Date.UTC(2025, 2, 29, 19, 14, 32) }

/**
 * Prints how long it takes in the background to read again the dates of pictures that another checkout, which
 * BENCH_AGAINST names, has taken in; every second has a date that older versions can't read. The server is killed
 * halfway. Throws when it takes longer than it may, or begins anew after the kill, or a date is wrong in the end.
 */
export async function bench(): Promise<void> {
  const other = process.env.BENCH_AGAINST
  if (!other || withoutCorpus) {
    process.stdout.write('\nagain: needs BENCH_AGAINST and the corpus, left out\n')
    return
  }
  const pictures = await withoutExif()
  const rows = []
  for (const runtime of RUNTIMES) {
    const folder = mkdtempSync(join(tmpdir(), 'tagstead-again-'))
    try {
      const dataDir = join(folder, 'data')
      await makeOld(other, dataDir, pictures)
      const { killed, resumed, ms, cpu } = await readAgain(runtime, dataDir)
      const what = `${runtime}: ms each of ${FILES}`
      rows.push({ what, value: ms / FILES, held: MOST })
      rows.push({ what: 'ms of processor time each', value: (1000 * cpu) / FILES })
      rows.push({ what: 'passed when it was killed', value: killed })
      rows.push({ what: 'passed when it went on', value: resumed })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  printBudgets('dates read again', rows)
}

/** Returns pictures of cameras without EXIF, of which every second has a date in XMP. */
async function withoutExif(): Promise<Buffer[]> {
  const paths = corpusFiles().filter((path) => /^\.jpe?g$/i.test(extname(path)))
  const whole = paths.filter((path) => !path.includes('/broken/'))
  const plain = (await Promise.all(whole.map((path) => readFile(path)))).map(withoutSegments)
  const xmp = xmpOf('DateTimeDigitized', TAKEN.text)
  return Array.from({ length: FILES }, (_, n) => {
    const picture = Buffer.concat([plain[n % plain.length]!, Buffer.from(String(n))])
    return n % 2 === 0
      ? picture
      : jpegWith(picture, [[0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp]])
  })
}

/** Returns a JPEG without the segments of applications before its pixels. */
function withoutSegments(jpeg: Buffer): Buffer {
  const kept = [jpeg.subarray(0, 2)]
  let at = 2
  for (let marker = jpeg[at + 1]!; marker !== 0xda; marker = jpeg[at + 1]!) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (marker < 0xe0 || marker > 0xef) kept.push(jpeg.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, jpeg.subarray(at)])
}

const start = (checkout: string, runtime: Runtime, dataDir: string) => {
  const command = commandLine(runtime, join(checkout, 'src/main.ts'))
  return spawnServer({ dataDir, command, env: { LOG_LEVEL: 'warn', ACCESS_TOKEN_TTL: '1d' } })
}

async function makeOld(checkout: string, dataDir: string, pictures: Buffer[]): Promise<void> {
  const server = await start(checkout, THIS_RUNTIME, dataDir)
  // Another version has another document.
  unwatchAnswers(server.url)
  const token = await signIn(server)
  await rate(AT_ONCE, pictures, (picture) => upload(server, token, picture))
  await server.stop()
}

async function readAgain(runtime: Runtime, dataDir: string) {
  const first = await passUntil(runtime, dataDir, (passed) => passed >= FILES / 2, 'SIGKILL')
  const rest = await passUntil(runtime, dataDir, (passed) => passed === FILES)
  assert.ok(rest.begun >= first.passed, `went on at ${rest.begun}, after ${first.passed}`)
  return {
    killed: first.passed,
    resumed: rest.begun,
    ms: first.ms + rest.ms,
    cpu: first.cpu + rest.cpu,
  }
}

/** Lets a server work until it has passed so many files, and returns how many when it began and ended. */
async function passUntil(
  runtime: Runtime,
  dataDir: string,
  isEnough: (passed: number) => boolean,
  signal?: NodeJS.Signals,
) {
  const server = await start(HERE, runtime, dataDir)
  const started = performance.now()
  const before = computedByTree(server.process.pid!)
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  try {
    const begun = await passed(db)
    while (!isEnough(await passed(db))) await setTimeout(PAUSE)
    const ms = performance.now() - started
    const cpu = computedByTree(server.process.pid!) - before
    await server.stop(signal)
    if (!signal) check(db)
    return { begun, passed: await passed(db), ms, cpu }
  } finally {
    db.close()
  }
}

async function passed(db: Db): Promise<number> {
  for (;;) {
    const work = db.get<{ version: string; place: number | null; looked_at: number }>(
      "SELECT version, place, looked_at FROM background_work WHERE name = 'dates'",
    )
    if (work && work.version !== '1') return work.place === null ? FILES : work.looked_at
    await setTimeout(PAUSE)
  }
}

function check(db: Db): void {
  const dates = db.all<{ files: number; time: number }>(
    `SELECT count(*) AS files, max(content_datetime) AS time FROM files
     GROUP BY date_source = 'upload' ORDER BY time`,
  )
  assert.deepEqual([dates[0], dates[1]!.files], [{ files: FILES / 2, time: TAKEN.time }, FILES / 2])
  const edits = db.get<{ entries: number; files: number }>(
    "SELECT count(*) AS entries, count(DISTINCT object_id) AS files FROM audit_log WHERE action = 'file_edit'",
  )
  assert.deepEqual(edits, { entries: FILES / 2, files: FILES / 2 })
}
