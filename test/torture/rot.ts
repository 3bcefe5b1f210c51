import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/client.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { command, filesIn, runCheck } from '../support/backups.ts'
import { type Runtime, spawnServer } from '../support/spawn.ts'
import { callAs } from './worlds/api.ts'
import { createClient } from './worlds/client.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'
import { createRandom, type Random } from './worlds/random.ts'

const ROUNDS = 200
const FILES = 20
const SMALL_TAIL = 2 ** 14

export interface RotOutcome {
  /** Bits that were flipped, by where. */
  flipped: Record<string, number>
  /** What `check` finds of those of the library's database, of which SQLite keeps no sums. */
  database: { named: number; harmless: number; unnoticed: number }
}

/**
 * Flips a bit of a library or its backup, 200 times or `--rounds`. Throws when the proof of the backup doesn't name the
 * damaged file, a restore takes it for a good one, a backup copies a damaged content of the library, or `check` doesn't
 * name it or heal it from the backup.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds, runtimes, seed } = parametersOf(options, ROUNDS)
  const { flipped, database } = await flipBits({ rounds, seed, runtime: runtimes[0]! })
  const where = Object.entries(flipped).map(([what, n]) => `${n} of ${what}`)
  tell(
    `rot: ${rounds} bits flipped (seed ${seed}): ${where.join(', ')}; each of contents and backups named, those of ` +
      `contents healed; of those of the library's database ${database.named} named by check, ${database.harmless} ` +
      `changed no value, ${database.unnoticed} changed one that nothing else tells`,
  )
}

interface Scene {
  folder: string
  dataDir: string
  dir: string
  random: Random
  database: RotOutcome['database']
}

export async function flipBits({
  rounds,
  seed,
  runtime,
}: {
  rounds: number
  seed: number
  runtime?: Runtime
}): Promise<RotOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-rot-'))
  const [dataDir, dir] = [join(folder, 'data'), join(folder, 'backups')]
  const random = createRandom(seed)
  const flipped: Record<string, number> = {}
  const database = { named: 0, harmless: 0, unnoticed: 0 }
  try {
    const env = { FFMPEG_PATH: '', LOG_LEVEL: 'error' }
    const server = await spawnServer({ dataDir, env, ...(runtime && { runtime }) })
    const client = createClient({ prefix: 'ann', seed, tail: SMALL_TAIL })
    const call = await callAs(server)
    for (let n = 0; n < FILES; n++) assert.equal(await client.step(call, 'upload'), 201)
    assert.equal(await server.stop(), 0)
    assert.equal((await command(dataDir, ['backup', dir])).code, 0)
    const scene = { folder, dataDir, dir, random, database }
    for (let round = 0; round < rounds; round++) {
      const what = Object.keys(PLACES)[round % Object.keys(PLACES).length]!
      await PLACES[what]!(scene)
      flipped[what] = (flipped[what] ?? 0) + 1
    }
    return { flipped, database }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const PLACES: Record<string, (scene: Scene) => Promise<void>> = {
  'contents of a backup': (scene) => inBackup(scene, /^contents\//),
  databases: (scene) => inBackup(scene, /\/database$/),
  manifests: (scene) => inBackup(scene, /\/manifest$/),
  'contents of the library': inLibrary,
  "the library's database": inDatabase,
}

async function inLibrary({ folder, dataDir, dir, random }: Scene): Promise<void> {
  const contents = join(dataDir, 'files')
  const path = random.pick(filesIn(contents).filter((name) => !name.startsWith('.')))
  const whole = readFileSync(join(contents, path))
  await withFlippedBit(join(contents, path), random, async (where) => {
    const other = join(folder, 'other')
    const { code, result } = await command(dataDir, ['backup', other, '--json'])
    assert.deepEqual([code, result.missing], [1, [path.slice('ab/'.length)]])
    assert.ok(!existsSync(join(other, 'contents', path)))
    rmSync(other, { recursive: true })

    const named = { kind: 'content_damaged', subject: path.slice('ab/'.length) }
    const told = ({ code, findings }: Awaited<ReturnType<typeof runCheck>>) => ({
      code,
      found: findings.map(({ kind, subject, repaired }) => ({ kind, subject, repaired })),
    })
    assert.deepEqual(
      told(await runCheck(dataDir)),
      { code: 1, found: [{ ...named, repaired: false }] },
      where,
    )
    assert.deepEqual(
      told(await runCheck(dataDir, '--repair', '--from', dir)),
      { code: 0, found: [{ ...named, repaired: true }] },
      where,
    )
    assert.deepEqual(readFileSync(join(contents, path)), whole, where)
    rmSync(join(dataDir, 'lost+found'), { recursive: true })
  })
}

/** Counts what `check` finds; it comes to its end whatever the database looks like. */
async function inDatabase({ dataDir, random, database }: Scene): Promise<void> {
  const path = dataFolder(dataDir).database
  const before = valuesOf(path)
  await withFlippedBit(path, random, async (where) => {
    const { code } = await command(dataDir, ['check', '--json'])
    assert.ok(code === 0 || code === 1, `${where}: ${code}`)
    if (code === 1) database.named++
    else if (valuesOf(path) === before) database.harmless++
    else database.unnoticed++
  })
}

async function inBackup({ folder, dataDir, dir, random }: Scene, files: RegExp): Promise<void> {
  const path = random.pick(filesIn(dir).filter((name) => files.test(name)))
  await withFlippedBit(join(dir, path), random, async (where) => {
    const proof = await command(dataDir, ['backup', '--verify', dir, '--json'])
    assert.equal(proof.code, 1, `${where}: ${proof.stderr}`)
    const named = proof.result.findings.map(({ subject }: { subject: string }) => subject)
    assert.ok(named.includes(path), `${where} is not among ${named}`)

    const restored = join(folder, 'restored')
    const { code, result, stderr } = await command(restored, ['restore', dir, '--json'])
    assert.equal(code, 1, `${where} was restored`)
    if (result) assert.deepEqual(result.damaged, [path.slice('contents/ab/'.length)], where)
    else {
      assert.notEqual(stderr, '')
      assert.ok(!existsSync(join(restored, 'tagstead.sqlite')), `${where}: a library is there`)
    }
    rmSync(restored, { recursive: true, force: true })
  })
}

/** Runs `work` while a bit of a file is another one; it is told where. */
async function withFlippedBit(
  path: string,
  random: Random,
  work: (where: string) => Promise<void>,
): Promise<void> {
  const bytes = readFileSync(path)
  const [byte, bit] = [random.below(bytes.length), random.below(8)]
  const damaged = Buffer.from(bytes)
  damaged[byte]! ^= 1 << bit
  writeFileSync(path, damaged)
  try {
    await work(`bit ${bit} of byte ${byte} of ${path}`)
  } finally {
    writeFileSync(path, bytes)
  }
}

/** Returns a digest of all that the tables hold. */
function valuesOf(path: string): string {
  const db = openDatabase(path)
  try {
    const hash = createHash('sha256')
    const tables = db.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY name",
    )
    for (const { name, sql } of tables) {
      const columns = db.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name)
      const quoted = columns.map((column) => `quote("${column.name}")`)
      hash.update(sql).update(JSON.stringify(db.all(`SELECT ${quoted.join()} FROM "${name}"`)))
    }
    return hash.digest('hex')
  } finally {
    db.close()
  }
}
