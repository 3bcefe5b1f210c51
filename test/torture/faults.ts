import { killBackups } from './faults/backup.ts'
import { failAtCalls, killAtCalls } from './faults/calls.ts'
import { killMigrations } from './faults/migration.ts'
import type { Outcome } from './faults/outcome.ts'
import { REQUESTS } from './faults/requests.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'

/** Points of one operation. */
const MOST = 150

/**
 * Kills the server, or a command, at each call that changes the disk, of one request each, and lets these calls fail:
 * at most 150 points of an operation, or `--rounds`. Throws when what was acknowledged isn't there, something is there
 * in part, or the library isn't sound. It needs strace, and the right to use it.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds: most, runtimes, seed } = parametersOf(options, MOST)
  for (const runtime of runtimes) {
    const own = { runtime, seed, most }
    for (const name of Object.keys(REQUESTS)) {
      show(`${runtime}, ${name} killed`, await killAtCalls(name, own))
    }
    show(`${runtime}, backup killed`, await killBackups(own))
    show(`${runtime}, migration killed`, await killMigrations(own))
    for (const name of Object.keys(REQUESTS)) {
      show(`${runtime}, ${name} with errors`, await failAtCalls(name, own))
    }
  }
}

function show(what: string, outcome: Outcome): void {
  const { harmed, different, known, acknowledged, kept, ended } = outcome
  tell(
    `faults, ${what}: ${harmed} calls harmed, ${different} of the ${known} known ones; ` +
      `${acknowledged} acknowledged, ${kept} there without that, ${ended} servers ended by themselves`,
  )
}
