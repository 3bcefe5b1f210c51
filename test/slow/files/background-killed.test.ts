import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { runBackground } from '../../../src/background/run.ts'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { emptyLog } from '../../../src/db/upkeep.ts'
import { eventually } from '../../support/eventually.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { holdBackground } from '../../support/held-background.ts'
import { contentOf, countRows } from '../../support/long-changes/portions.ts'
import { spawnServer } from '../../support/spawn.ts'
import { pathsOf } from '../../support/stored-files.ts'

const FILES = 125
/** The newest ones have lost their thumbnails: the first portion and a part of the second. */
const WITHOUT_THUMBNAILS = 60
const TABLES = ['files', 'file_details', 'file_looks', 'finer_hashes', 'background_work']
/** Each kind of work that decodes, and where it writes what it finds. */
const WORKS = { looks: 'file_looks', finer: 'finer_hashes' }

let library: Library
before(async () => {
  library = await openLibrary()
  const { token } = await library.join('Ann', { can_create: true })
  for (let n = 0; n < FILES; n++) await library.upload(token, await picture(n))
})
after(() => library.close())

/** Has the library lose its rows in a table, and some thumbnails, and returns a copy of its folder. */
function grownOld(table: string): string {
  const { db } = library.deps
  db.run(`DELETE FROM ${table}`)
  db.run('DELETE FROM background_work')
  const blobs = db.all<{ blob: string }>(
    'SELECT blob FROM file_details ORDER BY file_rid DESC LIMIT ?',
    WITHOUT_THUMBNAILS,
  )
  for (const { blob } of blobs) rmSync(pathsOf(library.deps).derivative('thumbnail', blob))
  emptyLog(db)
  const copy = mkdtempSync(join(tmpdir(), 'tagstead-'))
  cpSync(library.folder, copy, { recursive: true })
  return copy
}

function rowsOf(db: Db) {
  const content = contentOf(db)
  return TABLES.map((table) => content[table])
}

const progressOf = (db: Db, work: string) =>
  db.get<{ looked_at: number }>('SELECT looked_at FROM background_work WHERE name = ?', work) ?? {
    looked_at: 0,
  }

const workIn = (db: Db) => db.all('SELECT * FROM background_work')

/** The names of the contents, of what was made of them, and of what is temporary. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /^(files|thumbnails|previews|tmp)/.test(name))
    .sort()

for (const [work, table] of Object.entries(WORKS)) {
  it(`the background that is killed again and again at ${work} ends as one that never was`, async () => {
    const copy = grownOld(table)
    const thumbnails = () => readdirSync(join(copy, 'thumbnails'), { recursive: true }).length
    try {
      await runBackground(library.deps).over
      const db = openDatabase(join(copy, 'tagstead.sqlite'))
      const hold = holdBackground(db, work)
      const runUntil = async (isReached: () => boolean, signal?: NodeJS.Signals) => {
        const server = await spawnServer({ dataDir: copy, env: { FFMPEG_PATH: '' } })
        await eventually(isReached)
        await server.stop(signal)
      }
      try {
        const before = thumbnails()
        hold(100)
        await runUntil(() => thumbnails() > before + 10, 'SIGKILL')
        assert.ok(progressOf(db, work).looked_at < FILES)
        await runUntil(() => countRows(db, table) >= 50, 'SIGKILL')
        const { looked_at } = progressOf(db, work)
        assert.ok(looked_at >= 50 && looked_at < FILES)
        assert.equal(countRows(db, table), looked_at)
        hold(null)
        await runUntil(() => isDeepStrictEqual(workIn(db), workIn(library.deps.db)))
        assert.deepEqual(rowsOf(db), rowsOf(library.deps.db))
        assert.deepEqual(filesIn(copy), filesIn(library.folder))
      } finally {
        db.close()
      }
    } finally {
      rmSync(copy, { recursive: true })
    }
  })
}
