import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { linesIn, seenIn, sha256 } from '../../support/exported-library.ts'
import { commandLine, runToEnd } from '../../support/spawn.ts'
import { addStoredFiles } from '../../support/stored-files.ts'
import { after, before, describe, it } from '../../support/test.ts'

const FILES = 2000

let folder: string
let dataDir: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-export-'))
  dataDir = join(folder, 'data')
  const { database, contents } = dataFolder(dataDir)
  mkdirSync(contents, { recursive: true })
  const db = openDatabase(database, { migrations: 'drizzle' })
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0)",
  )
  const files = Array.from({ length: FILES }, (_, n) => ({
    ...{ name: `${n % 900}.mp4`, bytes: Buffer.alloc(5000, `${n} `), time: n * 1e8 },
  }))
  addStoredFiles(db, { folder: dataDir, store: null }, files)
  db.close()
})
after(() => rmSync(folder, { recursive: true }))

const env = () => ({ DATA_DIR: dataDir, PATH: process.env.PATH! })
const finished = (dir: string) => (existsSync(dir) ? seenIn(dir) : [])

describe('an export that is killed', () => {
  it('leaves nothing that looks whole and is not, and the next one makes it whole', async () => {
    const dir = join(folder, 'killed')
    for (const enough of [0, 1, 1100, 2300]) {
      const [program, ...own] = commandLine()
      const child = spawn(program, [...own, 'export', dir], { env: env(), stdio: 'ignore' })
      const ended = once(child, 'exit')
      await eventually(
        async () =>
          child.exitCode !== null ||
          (existsSync(join(dir, '.tagstead-export')) && finished(dir).length >= enough),
      )
      child.kill('SIGKILL')
      await ended
      const there = finished(dir)
      if (there.includes('library.json')) continue
      for (const path of there.filter((path) => path.endsWith('.mp4'))) {
        const bytes = readFileSync(join(dir, path))
        assert.equal(bytes.length, 5000, path)
        assert.equal(new Set(bytes.toString('latin1').match(/\d+ /g)?.slice(0, -1)).size, 1, path)
      }
      for (const path of there.filter((path) => path.endsWith('.xmp'))) {
        assert.match(readFileSync(join(dir, path), 'utf8'), /<\/x:xmpmeta>\n$/)
      }
    }
    const { code, stdout } = await runToEnd(['export', dir], { env: env() })
    assert.equal(code, 0, stdout)
    const files = linesIn(dir).filter((line) => line.type === 'file')
    assert.equal(files.length, FILES)
    for (const { path, sha256: digest } of files) {
      assert.equal(sha256(readFileSync(join(dir, path))), digest)
    }
    assert.deepEqual(readdirSync(join(dir, '.tagstead-export')), ['library'])
    const other = join(folder, 'other')
    assert.equal((await runToEnd(['export', other, '--copy'], { env: env() })).code, 0)
    assert.deepEqual(seenIn(dir), seenIn(other))
    for (const path of seenIn(dir)) {
      assert.deepEqual(readFileSync(join(dir, path)), readFileSync(join(other, path)))
    }
  })

  it('is refused in the data folder, and with options that exclude each other', async () => {
    const inside = await runToEnd(['export', join(dataDir, 'out')], { env: env() })
    assert.equal(inside.code, 1)
    assert.match(inside.stderr, /must not lie in the data folder/)
    const both = await runToEnd(['export', folder, '--copy', '--reflink'], { env: env() })
    assert.equal(both.code, 2)
    const filled = await runToEnd(['export', join(folder, 'data', '..')], { env: env() })
    assert.match(filled.stderr, /data folder/)
  })
})
