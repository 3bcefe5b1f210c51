import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '../../src/db/client.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { type Budget, printBudgets } from './budgets.ts'
import { printTable } from './measure.ts'

const run = promisify(execFile)

interface Shape {
  files: number
  /** Bytes of each. */
  size: number
}

/** Videos, and the pictures of a year; BENCH_FILES names how many small files there are instead. */
const SHAPES = [
  { files: 4, size: 450_000_000 },
  { files: 10_000, size: 200_000 },
]
const MANY = { files: Number(process.env.BENCH_FILES ?? 0), size: 1000 }
/** So many of them are sent one by one. */
const SINGLE = 10_000
/** In each, the contents are sent one by one, and then as an archive; the best counts. */
const ROUNDS = 4
/** Times the seconds of its contents one by one that an archive may take. */
const MOST_TIME = 1 / 0.8

/**
 * Prints how quickly archives of contents without data are sent, how quickly the same contents are one by
 * one, and how much memory that takes, each in a server that has done nothing else. The archives are
 * tested by `unzip` and by Python. Throws when they take longer than they may.
 */
export async function bench(): Promise<void> {
  const budgets: Budget[] = []
  for (const runtime of ['bun', 'node'] as const) {
    const rows = []
    for (const shape of MANY.files > 0 ? [MANY] : SHAPES) {
      const name = `${shape.files} x ${shape.size} B`
      const single = await serving(runtime, shape, (served) => served.grown(served.oneByOne))
      const whole = await serving(runtime, shape, (served) => served.grown(served.asArchive))
      const row = await serving(runtime, shape, speeds)
      rows.push({ archive: name, ...row, 'MiB one by one': single, 'MiB as archive': whole })
      const time = row['one by one'] / row['as archive']
      budgets.push(
        { what: `${name}, ${runtime}: times the seconds one by one`, value: time, held: MOST_TIME },
        { what: `${name}, ${runtime}: MiB more than one by one`, value: whole - single },
      )
    }
    printTable(`archives, ${runtime}: MB/s for curl on this machine, ms, MiB more than idle`, rows)
  }
  printBudgets('archives: what they may cost', budgets)
}

type Served = Awaited<ReturnType<typeof serve>>

async function serving<Found>(
  runtime: Runtime,
  shape: Shape,
  work: (served: Served) => Promise<Found>,
): Promise<Found> {
  const server = await spawnServer({ runtime })
  try {
    return await work(await serve(server, shape))
  } finally {
    await server.stop()
  }
}

/** Returns how contents are had from a server, which has sent some already. */
async function serve(server: SpawnedServer, { files, size }: Shape) {
  const token = await signIn(server)
  const api = `${server.url}/api/v1/files`
  const few = fill(server, 20, 1000)
  const ids = fill(server, files, size)
  const some = ids.slice(0, SINGLE)
  const { pid } = server.process
  await content(api, token, few, server)
  await save((await ask(api, token, few)).url, '/dev/null')
  return {
    server,
    ask: () => ask(api, token, ids),
    /** Returns how many bytes of contents came in a second. */
    async oneByOne() {
      return rate(some.length * size, () => content(api, token, some, server))
    },
    async asArchive() {
      const { url } = await ask(api, token, ids)
      return rate(files * size, () => save(url, '/dev/null'))
    },
    /** Returns how many MiB more than before something took at most. */
    async grown(work: () => Promise<unknown>) {
      const before = resident(pid, 'VmRSS')
      // The peak is counted from here.
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      await work()
      return resident(pid, 'VmHWM') - before
    },
  }
}

/** Returns how quick both ways are, and how long /health waited for archives, in milliseconds. */
async function speeds({ server, ask, oneByOne, asArchive }: Served) {
  let slow = 0
  let quick = 0
  for (let round = 0; round < ROUNDS; round++) {
    slow = Math.max(slow, await oneByOne())
    quick = Math.max(quick, await asArchive())
  }
  const asked = performance.now()
  const { url, files } = await ask()
  const ms = performance.now() - asked
  const path = join(server.dataDir, 'bench.zip')
  const held = await waited(server, () => save(url, path))
  const tested = test(path, files)
  return { asked: ms, 'one by one': slow, 'as archive': quick, ratio: quick / slow, held, tested }
}

async function rate(bytes: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return bytes / 1e3 / (performance.now() - started)
}

let made = 0
/** Adds files whose contents are holes, and returns their ids. */
function fill(server: SpawnedServer, files: number, size: number): string[] {
  const { database, content: pathOf } = dataFolder(server.dataDir)
  const db = openDatabase(database)
  const ids = Array.from({ length: files }, () => idAt(1.7e12, ++made))
  insertFiles(
    db,
    ids.map((id, n) => fileSeed(id, { name: `IMG_${n}.jpg`, size })),
  )
  db.close()
  mkdirSync(dirname(pathOf(ids[0]!)), { recursive: true })
  for (const id of ids) {
    writeFileSync(pathOf(id), '')
    truncateSync(pathOf(id), size)
  }
  return ids
}

/** Asks for an archive of some files, or of all where they are many. */
async function ask(api: string, token: string, ids: string[]) {
  const response = await fetch(`${api}/archive`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(ids.length > 20_000 ? { filter: '' } : { file_ids: ids }),
  })
  const asked = (await response.json()) as { token: string; files: number }
  return { url: `${api}/archive?access_token=${asked.token}`, files: asked.files }
}

/** Downloads the contents one after the other, on one connection. */
async function content(api: string, token: string, ids: string[], server: SpawnedServer) {
  const config = join(server.dataDir, 'curl.txt')
  const urls = ids.map((id) => `url = "${api}/${id}/content"\noutput = /dev/null\n`)
  writeFileSync(config, `header = "Authorization: Bearer ${token}"\n${urls.join('')}`)
  await run('curl', ['-sSf', '-K', config])
  rmSync(config)
}

/** Downloads to a path, where what is empty takes no room. */
async function save(url: string, path: string): Promise<void> {
  const into = path === '/dev/null' ? '>/dev/null' : `| dd of=${path} conv=sparse bs=1M status=none`
  await run('sh', ['-c', `curl -sSf '${url}' ${into}`])
}

/** Has others test an archive, and returns what they say. */
function test(path: string, files: number): string {
  const said = execFileSync('unzip', ['-tq', path], { maxBuffer: 2 ** 28 }).toString()
  const script =
    'import sys, zipfile; a = zipfile.ZipFile(sys.argv[1]); print(a.testzip(), len(a.infolist()))'
  const found = execFileSync('python3', ['-c', script, path]).toString().trim()
  rmSync(path)
  return said.startsWith('No errors') && found === `None ${files}` ? 'whole' : `${said} ${found}`
}

/** Does some work, and returns how long /health was kept waiting meanwhile, in milliseconds. */
async function waited(server: SpawnedServer, work: () => Promise<void>): Promise<number> {
  let isOver = false
  let held = 0
  const others = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await (await fetch(`${server.url}/health`)).text()
      held = Math.max(held, performance.now() - asked)
      await setTimeout(10)
    }
  })()
  await work()
  isOver = true
  await others
  return held
}

function resident(pid: number | undefined, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}
