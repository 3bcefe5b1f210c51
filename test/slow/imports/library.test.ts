import assert from 'node:assert/strict'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeEverything } from '../../support/everything.ts'
import { madeIn } from '../../support/exported.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { openImportCommand } from '../../support/import-command.ts'
import { exportOf, goRound } from '../../support/round-trip.ts'
import { after, before, describe, it } from '../../support/test.ts'

const KILLS = 6
const FILES = 150
// They take some minutes; a few hundred go round among the fast tests.
const ROUND = 10_000
const withoutRound = process.env.MATRIX === 'all' ? false : 'needs MATRIX=all'
// Milliseconds; enough for the start and the files.
const LONGEST_LIFE = 2500

let library: Library
let exported: string

before(async () => {
  library = await openLibrary()
  await makeEverything(library, FILES)
  exported = await exportOf(library)
})
after(() => library.close())

describe('an exported library', () => {
  it(`of ${ROUND} files comes back as it was`, { timeout: 3_600_000, skip: withoutRound }, () =>
    goRound(ROUND),
  )

  for (const leave of [false, true]) {
    const name = leave ? 'with sources that stay' : 'without its sources'
    it(`comes in whole and once, ${name}, through kills`, { timeout: 240_000 }, async () => {
      const imports = await openImportCommand()
      try {
        imports.db.run("UPDATE users SET name = 'ada' WHERE name = 'admin'")
        cpSync(exported, imports.folder, { recursive: true, preserveTimestamps: true })
        const args = ['--user', 'ada', '--create-users', ...(leave ? ['--leave-sources'] : [])]
        for (let kill = 0; kill < KILLS; kill++) {
          const child = imports.start(args)
          const end = imports.ended(child)
          await Promise.race([end, setTimeout(Math.random() * LONGEST_LIFE)])
          child.kill('SIGKILL')
          await end
        }
        const { code, stdout, stderr } = await imports.command(args)
        assert.equal(code, 0, stdout + stderr)
        const { users: _, ...made } = madeIn({ deps: imports })
        const { users: __, ...expected } = madeIn(library)
        assert.deepEqual(made, expected)
        assert.equal(existsSync(join(imports.folder, 'library.json')), leave)
        const { rows } = imports.db.get<{ rows: number }>(
          'SELECT count(*) AS rows FROM import_lines',
        )!
        assert.equal(rows > 0, leave)
      } finally {
        await imports.close()
      }
    })
  }
})
