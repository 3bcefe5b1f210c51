import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPasswords } from '../../../src/auth/password.ts'
import { write } from '../../../src/db/write.ts'
import { addFileOf3, openLibraryOf3 } from '../../support/dates/old-files.ts'
import { picture } from '../../support/harness.ts'
import { sha256 } from '../../support/imports.ts'
import { descendantsOf } from '../../support/processes.ts'
import { commandLine, spawnServer } from '../../support/spawn.ts'
import { checkSound, checkTemporary, withDatabase } from '../worlds/sound.ts'
import { observe, type World } from '../worlds/world.ts'
import { createTally, type Outcome, type PointOptions } from './outcome.ts'
import { SETTINGS } from './scene.ts'
import { type Called, type Injection, pointsOf, read, traced } from './strace.ts'

const FILES = 6

/**
 * Kills a server that starts on a library of version 3.0.0 at the calls of its main thread, which migrates, each time
 * another one. Throws when the next start doesn't bring the library, with all that was in it.
 */
export async function killMigrations({
  runtime,
  most,
}: Omit<PointOptions, 'seed'>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-migrations-'))
  const [old, dataDir] = [join(folder, 'old'), join(folder, 'data')]
  try {
    const expected = await makeOldLibrary(old)
    const begin = (injection: Injection | undefined) => {
      rmSync(dataDir, { recursive: true, force: true })
      cpSync(old, dataDir, { recursive: true })
      return startTraced(dataDir, { runtime, injection })
    }
    const { called: known } = await begin(undefined)
    const tally = createTally(known)
    for (const point of pointsOf(known, most)) {
      const { called, isStarted } = await begin({ ...point, harm: 'signal=KILL' })
      const hit = isStarted ? undefined : called.findLast(({ when }) => when === point.when)
      if (hit) tally.harmed(hit)
      if (isStarted) tally.outcome.acknowledged++
      const server = await spawnServer({ dataDir, env: SETTINGS, ...(runtime && { runtime }) })
      checkTemporary(dataDir)
      await withDatabase(dataDir, (db) => {
        assert.deepEqual(observe(db, 'old', new Map()), expected)
        assert.deepEqual(checkSound(dataDir, db), [])
      })
      await server.stop('SIGKILL')
    }
    return tally.outcome
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Makes a library of version 3.0.0, and returns what is in it. */
async function makeOldLibrary(folder: string): Promise<World> {
  mkdirSync(folder)
  const db = openLibraryOf3(folder)
  const world: World = { files: {}, pools: { 'old-pool': [] }, tags: ['old-tag'] }
  const password = await createPasswords().hash('a password for tests')
  const all: Buffer[] = []
  for (let n = 0; n < FILES; n++) all.push(Buffer.from(await picture(n)))
  write(db, { now: 0 }, () => {
    db.run(
      `INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked)
       VALUES (1, 'admin', ?, 1, 1, 0)`,
      password,
    )
    db.run(`INSERT INTO tags (rid, id, name, name_key, creator_id, is_public)
      VALUES (1, randomblob(16), 'old-tag', 'old-tag', 1, 0)`)
    db.run(`INSERT INTO pools (rid, id, name, name_key, creator_id, is_public, sort_key, sort_order)
      VALUES (1, randomblob(16), 'old-pool', 'old-pool', 1, 0, 'manual', 'asc')`)
    for (const [n, bytes] of all.entries()) {
      const name = `old-${n}.jpg`
      addFileOf3(db, folder, { bytes, name, created_at: n, is_deleted: n === 0 })
      const tags = n % 2 === 0 ? ['old-tag'] : []
      world.files[name] = { sha256: sha256(bytes), isTrashed: n === 0, tags }
      world.pools['old-pool']!.unshift(name)
      db.run('UPDATE file_details SET sha256 = unhex(?) WHERE file_rid = ?', sha256(bytes), n + 1)
      if (tags.length > 0) db.run('INSERT INTO file_tags (file_rid, tag_rid) VALUES (?, 1)', n + 1)
      db.run('INSERT INTO pool_files VALUES (1, ?, ?)', n + 1, FILES - n)
    }
  })
  db.close()
  return world
}

/** Returns whether a call changes the database: what else a start does depends on what its threads do meanwhile. */
function isOfDatabase({ call, what }: Called): boolean {
  return call !== 'open' && what.includes(' tagstead.sqlite')
}

async function startTraced(
  dataDir: string,
  { runtime, injection }: { injection: Injection | undefined } & Pick<PointOptions, 'runtime'>,
) {
  const log = `${dataDir}.strace`
  const harm = { log, ...(injection && { injection }) }
  const [program, ...args] = traced(commandLine(runtime), { ...harm, mainAlone: true })
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      ADMIN_PASSWORD: 'x',
      ...SETTINGS,
    } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let isStarted = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (!/ is at /.test(String(chunk))) return
    isStarted = true
    // What it has started ends with it.
    process.kill(descendantsOf(child.pid!)[0]!, 'SIGKILL')
  })
  await once(child, 'close')
  return { isStarted, called: read(log, dataDir).filter(isOfDatabase) }
}
