import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { emptyLog } from '../../src/db/upkeep.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { type Measured, measureCommand } from '../support/measured-command.ts'
import { addStoredFiles, type StoredFile } from '../support/stored-files.ts'
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
    const first = await measureCommand(dataDir, ['backup', backups])
    addFiles(db, dataDir, NEW)
    emptyLog(db)
    db.close()
    const second = await measureCommand(dataDir, ['backup', backups])
    const verified = await measureCommand(dataDir, ['backup', '--verify', backups])
    const restored = await measureCommand(join(folder, 'restored'), ['restore', backups])
    const row = (what: string, { seconds, read, peak }: Measured) => ({
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
  addStoredFiles(db, { folder: dataDir, store: null }, newFiles(count))
}

function* newFiles(count: number): Generator<StoredFile> {
  for (let n = 0; n < count; n++) {
    const bytes = SIZE === 1 ? Buffer.from([made % 256]) : randomBytes(SIZE)
    yield { name: `IMG_${++made}.jpg`, bytes }
  }
}
