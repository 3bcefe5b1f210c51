import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, filesIn } from '../support/backups.ts'
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
}

/**
 * Flips a bit of a library or its backup, 200 times or `--rounds`. Throws when the proof of the backup doesn't name the
 * damaged file, a restore takes it for a good one, or a backup copies a damaged content of the library.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds, runtimes, seed } = parametersOf(options, ROUNDS)
  const { flipped } = await flipBits({ rounds, seed, runtime: runtimes[0]! })
  const where = Object.entries(flipped).map(([what, n]) => `${n} of ${what}`)
  tell(`rot: ${rounds} bits flipped (seed ${seed}), each found: ${where.join(', ')}`)
}

interface Scene {
  folder: string
  dataDir: string
  dir: string
  random: Random
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
  try {
    const env = { FFMPEG_PATH: '', LOG_LEVEL: 'error' }
    const server = await spawnServer({ dataDir, env, ...(runtime && { runtime }) })
    const client = createClient({ prefix: 'ann', seed, tail: SMALL_TAIL })
    const call = await callAs(server)
    for (let n = 0; n < FILES; n++) assert.equal(await client.step(call, 'upload'), 201)
    assert.equal(await server.stop(), 0)
    assert.equal((await command(dataDir, ['backup', dir])).code, 0)
    const scene = { folder, dataDir, dir, random }
    for (let round = 0; round < rounds; round++) {
      const what = Object.keys(PLACES)[round % Object.keys(PLACES).length]!
      await PLACES[what]!(scene)
      flipped[what] = (flipped[what] ?? 0) + 1
    }
    return { flipped }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const PLACES: Record<string, (scene: Scene) => Promise<void>> = {
  'contents of a backup': (scene) => inBackup(scene, /^contents\//),
  databases: (scene) => inBackup(scene, /\/database$/),
  manifests: (scene) => inBackup(scene, /\/manifest$/),
  async 'contents of the library'({ folder, dataDir, random }) {
    const contents = join(dataDir, 'files')
    const path = random.pick(filesIn(contents))
    await withFlippedBit(join(contents, path), random, async () => {
      const other = join(folder, 'other')
      const { code, result } = await command(dataDir, ['backup', other, '--json'])
      assert.deepEqual([code, result.missing], [1, [path.slice('ab/'.length)]])
      assert.ok(!existsSync(join(other, 'contents', path)))
      rmSync(other, { recursive: true })
    })
  },
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
