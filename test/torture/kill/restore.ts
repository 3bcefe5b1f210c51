import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { runCheck } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import type { Runtime } from '../../support/spawn.ts'
import type { Random } from '../worlds/random.ts'
import { checkSound, withDatabase } from '../worlds/sound.ts'
import { startCommand } from './command.ts'

/** Milliseconds; from the moment that the first restore has begun to its kill, at most. */
const LONGEST_RESTORE = 400

interface Restoring {
  backups: string
  random: Random
  runtime: Runtime | undefined
}

/**
 * Restores the newest backup into a data folder; each restore that is killed before its end is followed by one that may
 * last twice as long. Returns how many were killed. Throws unless the last one ends well, and the library is sound.
 */
export async function restoreKilled(dataDir: string, options: Restoring): Promise<number> {
  let kills = 0
  while (await isCutOff(dataDir, options, LONGEST_RESTORE * 2 ** kills)) kills++
  await withDatabase(dataDir, (db) => assert.deepEqual(checkSound(dataDir, db), []))
  assert.deepEqual((await runCheck(dataDir)).findings, [])
  return kills
}

/** Has a restore killed at a random moment after it has begun. Returns whether that was before its end. */
async function isCutOff(
  dataDir: string,
  { backups, random, runtime }: Restoring,
  longest: number,
): Promise<boolean> {
  // Each restore writes it as it begins.
  const mark = () => statSync(dataFolder(dataDir).restoring, { throwIfNoEntry: false })?.mtimeMs
  const before = mark()
  const restore = startCommand(dataDir, ['restore', backups], runtime)
  const hasEnded = () => restore.process.exitCode !== null || restore.process.signalCode !== null
  await eventually(() => mark() !== before || hasEnded())
  await setTimeout(random.below(longest))
  restore.process.kill('SIGKILL')
  const [code, signal] = await restore.ended
  if (signal !== 'SIGKILL') assert.equal(code, 0, `restore: ${restore.complaints()}`)
  const isUnfinished = mark() !== undefined
  assert.ok(!isUnfinished || signal === 'SIGKILL', 'a restore has ended well, and is not finished')
  return isUnfinished
}
