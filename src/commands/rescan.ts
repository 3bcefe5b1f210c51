import { parseArgs } from 'node:util'
import { SYSTEM } from '../audit/record.ts'
import { findAccount } from '../auth/queries.ts'
import { type Config, readConfig } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { lockRescans, rescan } from '../duplicates/rescan/rescan.ts'
import type { RescanEvent, RescanSummary } from '../duplicates/rescan/schema.ts'
import type { Command } from './command.ts'
import { createProgress, goEasy } from './command.ts'
import { withLibrary } from './with-library.ts'

const usage = `Usage: tagstead rescan [--json]

Hashes the files that have no hash yet and searches again for all pairs of pictures that look alike.
This works with and without a running server.

  --json    write one event per line, as POST /api/v1/files/duplicates/rescan does
`

/** `tagstead rescan`. The server starts it with `--json`, and with `--by ID` for the audit log. */
export const rescanCommand: Command = {
  usage,
  async run(args) {
    return runRescan(readConfig(), readOptions(args))
  },
}

interface Options {
  json?: boolean
  by?: string
}

function readOptions(args: string[]): Options {
  return parseArgs({ args, options: { json: { type: 'boolean' }, by: { type: 'string' } } }).values
}

async function runRescan(config: Config, options: Options): Promise<number> {
  // When nothing reads the events any more, the rest isn't needed.
  process.stdout.on('error', () => process.exit(1))
  const tell = options.json ? tellAsJson : tellPeople()
  try {
    await withLibrary(config, { lock: lockRescans, temporary: 'tmp-rescan' }, async (deps) => {
      goEasy()
      tell({ type: 'start' })
      for await (const event of rescan(deps, userOf(deps.db, options.by))) tell(event)
    })
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

const STAGES = { hash: 'Hashing', search: 'Searching', write: 'Writing' }

function userOf(db: Db, by: string | undefined): { id: number; name: string } {
  const account = by === undefined ? undefined : findAccount(db, Number(by))
  if (!account) return SYSTEM
  const { id, name } = account
  return { id, name }
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
