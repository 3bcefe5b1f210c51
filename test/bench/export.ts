import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { emptyLog } from '../../src/db/upkeep.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { type Measured, measureCommand } from '../support/measured-command.ts'
import { addStoredFiles, type StoredFile } from '../support/stored-files.ts'
import { printBudgets } from './budgets.ts'
import { printTable } from './measure.ts'

const FILES = Number(process.env.BENCH_FILES ?? 5000)
/** Bytes of each content. */
const SIZE = 100_000
const TAGS = 30
/** MiB that the command may have at its peak, whatever there is. */
const MOST_MEMORY = 200
/** How much longer than `cp -r` and `sync` of the same contents a first export may take. */
const MOST_TIMES = 1.3

/**
 * Prints how long an export by copy takes, and a second one, beside `cp -r` of the same contents, and what memory they
 * need. Throws when the second one writes anything.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-bench-'))
  try {
    const dataDir = join(folder, 'data')
    const { database, contents } = dataFolder(dataDir)
    mkdirSync(contents, { recursive: true })
    const db = openDatabase(database, { migrations: 'drizzle' })
    fill(db, dataDir)
    emptyLog(db)
    db.close()
    const copied = (from: string, to: string) => {
      execFileSync('sync', ['-f', folder])
      const started = performance.now()
      execFileSync('cp', ['-r', from, join(folder, to)])
      execFileSync('sync', ['-f', folder])
      return (performance.now() - started) / 1000
    }
    const args = ['export', join(folder, 'export'), '--copy']
    // Nothing is removed before all is measured: ext4 is slow to use the places of files again that have just gone.
    const copying = copied(contents, 'copy')
    const first = await measureCommand(dataDir, args)
    const again = copied(contents, 'another copy')
    const copyingAll = copied(join(folder, 'export'), 'copy of the export')
    const second = await measureCommand(dataDir, args)
    const row = (what: string, { seconds, peak }: Measured) => ({ what, seconds, peak })
    printTable(`export: ${FILES} contents of ${SIZE} bytes; MiB at the peak`, [
      { what: 'cp -r of the contents, and sync, before', seconds: copying, peak: '' },
      row('first export', first),
      { what: 'cp -r of the contents, and sync, after', seconds: again, peak: '' },
      { what: 'cp -r of the export, and sync', seconds: copyingAll, peak: '' },
      row('second export', second),
    ])
    if (first.result.written !== FILES) throw new Error('The export is not whole')
    if (second.result.written + second.result.sidecars > 0) {
      throw new Error('A second export writes what it need not')
    }
    printBudgets('exports: what they may cost', [
      { what: 'MiB at the peak of a first export', value: first.peak, held: MOST_MEMORY },
      { what: 'MiB at the peak of a second one', value: second.peak, held: MOST_MEMORY },
      {
        what: 'times cp -r and sync that a first export takes',
        value: first.seconds / ((copying + again) / 2),
        held: MOST_TIMES,
      },
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function fill(db: Db, dataDir: string): void {
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0)",
  )
  addStoredFiles(db, { folder: dataDir, store: null }, newFiles())
  const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
  db.run(
    `INSERT INTO tags (rid, id, name, name_key, creator_id, is_public)
     ${rows} SELECT i, randomblob(16), 'tag ' || i, 'tag ' || i, 1, 1 FROM n`,
    TAGS,
  )
  db.run(
    `INSERT INTO file_tags (file_rid, tag_rid, by_hand)
     SELECT rid, rid % ${TAGS} + 1, 1 FROM files UNION SELECT rid, rid % 7 + 1, 1 FROM files`,
  )
  // Two thousand a month.
  db.run('UPDATE files SET content_datetime = (rid / 2000) * 2600000000')
}

function* newFiles(): Generator<StoredFile> {
  const bytes = randomBytes(SIZE)
  for (let n = 0; n < FILES; n++) {
    bytes.writeUInt32LE(n, 0)
    yield { name: `IMG_${n}.jpg`, bytes: Buffer.from(bytes) }
  }
}
