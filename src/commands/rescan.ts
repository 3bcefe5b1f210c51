import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { SYSTEM } from '../audit/record.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { acquireLock } from '../db/lock.ts'
import { rescan } from '../duplicates/rescan/rescan.ts'
import type { RescanEvent, RescanSummary } from '../duplicates/rescan/schema.ts'
import { AppError } from '../errors.ts'
import { openForCommand } from '../library.ts'
import { createProgress } from './progress.ts'

const STAGES = { hash: 'Hashing', search: 'Searching', write: 'Writing' }

/**
 * Rescans the library of the settings, beside a server or without one, and returns the exit code.
 * With `--json` the events are written as they are; `--by ID` names the user for the audit log.
 */
export async function runRescan(
  config: Config,
  options: { json?: boolean; by?: string },
): Promise<number> {
  // Whoever reads the events is gone: nobody wants the rest.
  process.stdout.on('error', () => process.exit(1))
  const tell = options.json ? tellAsJson : tellPeople()
  try {
    for await (const event of eventsOf(config, options.by)) tell(event)
    return 0
  } catch (error) {
    const { message } = error as Error
    tell({
      type: 'error',
      code: error instanceof AppError ? error.code : 'internal_error',
      message,
    })
    return 1
  }
}

async function* eventsOf(config: Config, by: string | undefined): AsyncGenerator<RescanEvent> {
  if (!existsSync(config.dataDir)) throw new Error(`There is no library in ${config.dataDir}`)
  // Before the library is opened, which empties the folder for temporary files.
  const lock = acquireLock(join(config.dataDir, 'rescan.lock'), 'Another rescan is running')
  try {
    const { deps, close } = await openForCommand(config, 'tmp-rescan')
    try {
      // Requests go first on a machine that has both to do.
      setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
      yield { type: 'start' }
      yield* rescan(deps, userOf(deps.db, by))
    } finally {
      await close()
    }
  } finally {
    lock.release()
  }
}

function userOf(db: Db, by: string | undefined): { id: number; name: string } {
  if (by === undefined) return SYSTEM
  const user = db.get<{ id: number; name: string }>(
    'SELECT id, name FROM users WHERE id = ?',
    Number(by),
  )
  return user ?? SYSTEM
}

function tellAsJson(event: RescanEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

function tellPeople(): (event: RescanEvent) => void {
  const progress = createProgress(process.stdout)
  return (event) => {
    if (event.type === 'progress') progress.show(STAGES[event.stage], event.done, event.total)
    if (event.type === 'done' || event.type === 'error') progress.end()
    if (event.type === 'done') process.stdout.write(`${summaryText(event)}\n`)
    if (event.type === 'error') process.stderr.write(`Tagstead can't rescan: ${event.message}\n`)
  }
}

function summaryText(summary: RescanSummary): string {
  const { files, hashed, failed, pairs, clusters, seconds } = summary
  return (
    `${files} files: ${hashed} hashed now, ${failed} failed; ` +
    `${pairs} pairs in ${clusters} clusters, in ${seconds} seconds`
  )
}
