import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { uuidToBlob } from '../../src/db/columns.ts'
import { emptyLog } from '../../src/db/upkeep.ts'
import { write } from '../../src/db/write.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { idAt } from '../support/file-rows.ts'
import { commandLine } from '../support/spawn.ts'
import { type Budget, printBudgets } from './budgets.ts'
import { printTable } from './measure.ts'

/** How many files there are, of 2,000 bytes each; with BENCH_FILES so many, of one byte. */
const MANY = Number(process.env.BENCH_FILES ?? 0)
const [FILES, SIZE] = MANY > 0 ? [MANY, 1] : [10_000, 2000]
const NEW = 100
/** MiB that a command may have at its peak, whatever there is. */
const MOST_MEMORY = 256
/** How often a second backup may read the database: to copy it, to check it twice over, and to take its sums. */
const MOST_READS = 8

interface Ran {
  /** Of what a backup, a verification or a restore tells. */
  result: { copied: number; contents: number; findings: unknown[] }
  seconds: number
  /** Bytes that the process asked to read. */
  read: number
  /** MiB. */
  peak: number
}

/**
 * Prints how long a first backup, one after a hundred new files, a verification and a restore take, beside `cp` of the
 * same contents, what they read and what memory they need. Throws when that is more than it may be, or when a second
 * backup copies more than what is new.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-bench-'))
  try {
    const dataDir = join(folder, 'data')
    const { database, contents } = dataFolder(dataDir)
    mkdirSync(contents, { recursive: true })
    const db = openDatabase(database, { migrations: 'drizzle' })
    addUser(db)
    addFiles(db, dataDir, FILES)
    const started = performance.now()
    execFileSync('cp', ['-r', contents, join(folder, 'copy')])
    execFileSync('sync', ['-f', folder])
    const copying = (performance.now() - started) / 1000
    rmSync(join(folder, 'copy'), { recursive: true })
    const backups = join(folder, 'backups')
    const first = await run(dataDir, ['backup', backups])
    addFiles(db, dataDir, NEW)
    emptyLog(db)
    db.close()
    const second = await run(dataDir, ['backup', backups])
    const verified = await run(dataDir, ['backup', '--verify', backups])
    const restored = await run(join(folder, 'restored'), ['restore', backups])
    const row = (what: string, { seconds, read, peak }: Ran) => ({
      what,
      seconds,
      'MB read': read / 1e6,
      peak,
    })
    printTable(`backup: ${FILES} contents of ${SIZE} bytes; MiB at the peak`, [
      { what: 'cp -r of the contents, and sync', seconds: copying, 'MB read': '', peak: '' },
      row('first backup', first),
      row(`backup after ${NEW} new files`, second),
      row('verification', verified),
      row('restore', restored),
    ])
    if (verified.result.findings.length > 0) throw new Error('The backup is not as it was written')
    if (restored.result.contents !== FILES + NEW) throw new Error('The restore is not whole')
    const size = statSync(database).size
    const budgets: Budget[] = [first, second, verified, restored].map((ran, at) => ({
      what: `MiB at the peak of ${['a first backup', 'a second one', 'a verification', 'a restore'][at]}`,
      value: ran.peak,
      held: MOST_MEMORY,
    }))
    budgets.push(
      { what: 'contents that a second backup copies', value: second.result.copied, held: NEW },
      { what: 'times the database that it reads', value: second.read / size, held: MOST_READS },
    )
    printBudgets('backups: what they may cost', budgets)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function addUser(db: Db): void {
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0)",
  )
}

let made = 0

function addFiles(db: Db, dataDir: string, count: number): void {
  const { content, contents } = dataFolder(dataDir)
  for (let shelf = 0; shelf < 256; shelf++) {
    mkdirSync(join(contents, shelf.toString(16).padStart(2, '0')), { recursive: true })
  }
  write(db, { now: 0 }, () => {
    for (let n = 0; n < count; n++) {
      const bytes = SIZE === 1 ? Buffer.from([made % 256]) : randomBytes(SIZE)
      const blob = randomBytes(16).toString('hex')
      const { rid } = db.get<{ rid: number }>(
        `INSERT INTO files (id, original_name, name_key, mime_type, mime_extension, content_datetime,
         creator_id, is_public, is_deleted, needs_review) VALUES (?, ?, ?, 'image/jpeg', 'jpg', 0, 1, 0, 0, 1)
         RETURNING rid`,
        uuidToBlob(idAt(1.7e12, ++made)),
        `IMG_${made}.jpg`,
        `img_${made}.jpg`,
      )!
      db.run(
        `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
         VALUES (?, ?, ?, ?, 0, 'made', '{}')`,
        rid,
        blob,
        SIZE,
        createHash('sha256').update(bytes).digest(),
      )
      writeFileSync(content(blob), bytes)
    }
  })
}

/** Runs a command to its end, and looks meanwhile at what the system says of its process. */
async function run(dataDir: string, args: string[]): Promise<Ran> {
  const [program, ...own] = commandLine()
  const started = performance.now()
  const child = spawn(program, [...own, ...args, '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [read, peak] = [0, 0]
  const look = () => {
    try {
      read = Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1])
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? peak * 1024) / 1024
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(look, 5)
  const out = child.stdout.toArray()
  const [code] = await once(child, 'close')
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { result: JSON.parse(Buffer.concat(await out).toString()), seconds, read, peak }
}
