import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { SEED } from '../../support/property.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { putTree, putZips, takeoutOf } from '../../support/takeout.ts'
import { importedFrom } from '../../support/takeout-imported.ts'
import { importOnce, readEvents, storedDigests } from '../../torture/writers/library.ts'

const KILLS = 6
const FILES = 60
const ALL = { recursive: true, favorites: true, archived: true }

describe('kill -9 during an import of a Google Takeout', () => {
  for (const [name, put] of [
    ['unpacked', putTree],
    ['in ZIPs', putZips],
  ] as const) {
    it(`${name}: begun again, nothing is lost or there twice`, { timeout: 240_000 }, async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'tagstead-takeout-'))
      try {
        mkdirSync(join(dataDir, 'import'))
        const takeout = await takeoutOf(SEED, FILES)
        put(join(dataDir, 'import'), takeout)
        const random = randomNumbers(SEED)
        for (let n = 0; n < KILLS; n++) {
          // Most entries are sidecars.
          await killAfter(await spawnServer({ dataDir }), 1 + random(FILES / 4))
        }
        const server = await spawnServer({ dataDir })
        const done = (await importOnce(server, ALL)).at(-1)
        assert.deepEqual([done?.type, done?.errors], ['done', 0])
        assert.equal(await server.stop(), 0)
        assert.equal(storedDigests(dataDir).length, takeout.expected.size)
        const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
        try {
          const expected = [...takeout.expected].map(([digest, one]) => [digest, [one]] as const)
          assert.deepEqual(importedFrom(db), new Map(expected))
          const pools = db.all<{ name: string }>('SELECT name FROM pools')
          assert.equal(pools.length, new Set(pools.map((pool) => pool.name)).size)
        } finally {
          db.close()
        }
      } finally {
        rmSync(dataDir, { recursive: true })
      }
    })
  }
})

/** Kills a server once its import has made so many more files, or has ended. */
async function killAfter(server: SpawnedServer, files: number): Promise<void> {
  let left = files
  let killed: Promise<unknown> | undefined
  const reading = readEvents(
    server,
    ({ status }) => {
      if (status === 'imported') left--
      if (left === 0) killed ??= server.stop('SIGKILL')
    },
    ALL,
  )
  await reading.catch((error) => {
    if (error instanceof assert.AssertionError) throw error
  })
  await (killed ?? server.stop('SIGKILL'))
}
