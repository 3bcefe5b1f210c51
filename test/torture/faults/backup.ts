import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../../support/backups.ts'
import { commandLine } from '../../support/spawn.ts'
import { checkSound, withDatabase } from '../worlds/sound.ts'
import { createTally, type Outcome, type PointOptions } from './outcome.ts'
import { openScene, type Scene, SETTINGS } from './scene.ts'
import { type Injection, pointsOf, read, traced } from './strace.ts'

/** Files that each backup finds that the one before hasn't. */
const NEW_FILES = 2

/**
 * Kills `tagstead backup` beside a server at its calls, each time another one. Throws when a generation that has a
 * manifest can't be proved then, or the next backup doesn't succeed; and when a restore brings another library.
 */
export async function killBackups({ runtime, seed, most }: PointOptions): Promise<Outcome> {
  const scene = await openScene(runtime, seed)
  const dir = join(scene.folder, 'backups')
  mkdirSync(dir)
  const run = (injection?: Injection) => backUp(scene, { dir, runtime, injection })
  try {
    await change(scene)
    await run()
    await change(scene)
    const known = (await run()).called
    const tally = createTally(known.filter(({ call }) => call !== 'write'))
    const { outcome } = tally
    for (const point of pointsOf(known, most)) {
      await change(scene)
      const { called, isDone } = await run({ ...point, harm: 'signal=KILL' })
      const hit = isDone ? undefined : called.findLast(({ when }) => when === point.when)
      if (hit) tally.harmed(hit)
      if (isDone) outcome.acknowledged++
      await scene.check()
      await verify(scene, dir)
      assert.ok((await run()).isDone)
      assert.equal(await verify(scene, dir), true)
    }
    await compareRestored(scene, dir)
    return outcome
  } finally {
    await scene.close()
  }
}

/** Gives a backup something to copy, and something to remove. */
async function change({ client, call }: Scene): Promise<void> {
  for (let n = 0; n < NEW_FILES; n++) assert.equal(await client.step(call, 'upload'), 201)
  for (const kind of ['trash', 'purge'] as const) assert.ok((await client.step(call, kind))! < 300)
}

async function backUp(
  { folder, dataDir }: Scene,
  {
    dir,
    runtime,
    injection,
  }: { dir: string; injection: Injection | undefined } & Pick<PointOptions, 'runtime'>,
) {
  const log = join(folder, 'strace')
  const tracing = { log, ...(injection && { injection }) }
  const [program, ...args] = traced(commandLine(runtime), tracing)
  const child = spawn(program, [...args, 'backup', dir, '--keep', '1,0,0'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...SETTINGS } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  return { isDone: code === 0, called: read(log, folder) }
}

/** Returns whether there is a generation; throws when one is not as it was written. */
async function verify({ dataDir }: Scene, dir: string): Promise<boolean> {
  const { result, stderr } = await command(dataDir, ['backup', '--verify', dir, '--json'])
  if (result) assert.deepEqual(result.findings, [])
  else assert.match(stderr, /There is no backup in/)
  return result !== null
}

async function compareRestored({ folder, client }: Scene, dir: string): Promise<void> {
  const restored = join(folder, 'restored')
  const { code, stderr } = await command(restored, ['restore', dir])
  assert.equal(code, 0, stderr)
  await withDatabase(restored, (db) => {
    client.compare(db)
    assert.deepEqual(checkSound(restored, db), [])
  })
}
