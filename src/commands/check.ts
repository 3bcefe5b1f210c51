import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../base/config.ts'
import { createDisk } from '../base/disk.ts'
import { withPlaces } from '../files/content/places.ts'
import { adoptStore } from '../files/content/store-marker.ts'
import { copiesIn } from '../keep/backup/copies.ts'
import { checkLibrary, lockRepairs } from '../keep/check/check.ts'
import { type CheckEvent, type Finding, finding } from '../keep/check/finding.ts'
import { openToCheck } from '../keep/check/open.ts'
import type { CheckOptions } from '../keep/check/request.ts'
import { parsePart } from '../keep/check/request.ts'
import {
  type Command,
  goEasy,
  interruption,
  progressOnTerminal,
  requireLibrary,
  wrongValue,
} from './command.ts'

const usage = `Usage: tagstead check [--quick | --part N/M | --read] [--repair [--from BACKUP]] [--adopt] [--json]

Checks whether everything in the library is as it was stored: the database by SQLite's own checks, its
references, counters and indexes; the size and the sha256 of each content; contents that no file has, what
killed processes have left, who can read the files, and whether an admin can sign in. docs/check.md explains
each kind of finding. This works with and without a running server, whose requests go first. The exit code
is 0 if nothing was found or everything was repaired, otherwise 1.

  --quick     measure the contents, but don't read them: as without it when they are in a store
  --part N/M  read only the Nth of M parts of the contents: all of them in M nights
  --read      read the contents of a store as well, whose traffic may cost something
  --repair    repair counters, the order of pools and indexes, and move contents that no file has into
              lost+found/ in the data folder: at once without a server; beside a server, when two checks
              a day apart have found them. Only thumbnails of contents that no file has are deleted
  --from BACKUP
              replace contents that are missing or damaged from this folder of backups; the damaged ones
              are moved into lost+found/
  --adopt     accept the folder "files" as that of the library: when the original is lost
  --json      write one object per line: { "type": "finding", "kind", "subject", "sentence", "repaired" } for
              each finding; at the end { "type": "done", "contents_read", "log_entries", "log_bytes",
              "findings", "repaired" }
`

/** `tagstead check`. */
export const checkCommand: Command = {
  usage,
  async run(args) {
    const request = readArguments(args)
    return request && runCheck(readConfig(), request)
  },
}

interface Request extends Pick<CheckOptions, 'repair'> {
  /** Undefined when the place of the contents decides. */
  read: CheckOptions['read'] | undefined
  from: string | undefined
  adopt: boolean
  json: boolean
}

const OPTIONS = {
  quick: { type: 'boolean' },
  part: { type: 'string' },
  read: { type: 'boolean' },
  repair: { type: 'boolean' },
  from: { type: 'string' },
  adopt: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

function readArguments(args: string[]): Request | null {
  const {
    quick,
    part,
    read: isRead,
    repair = false,
    from,
    adopt = false,
    json = false,
  } = parseArgs({ args, options: OPTIONS }).values
  const how = [quick, isRead, part !== undefined].filter(Boolean)
  if (how.length > 1 || (from !== undefined && !repair)) return null
  const read = part === undefined ? (quick ? 'none' : isRead ? 'all' : undefined) : parsePart(part)
  if (read === null) throw wrongValue('--part', 'must be as in 1/7, the first of seven parts')
  return { read, repair, from, adopt, json }
}

async function runCheck(config: Config, request: Request): Promise<number> {
  const signal = interruption()
  requireLibrary(config)
  goEasy()
  const lock = request.repair ? lockRepairs(config) : null
  try {
    return await tell(eventsOf(config, { ...request, signal }), { json: request.json, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    process.stderr.write('Tagstead has not checked everything: it was stopped\n')
    return 1
  } finally {
    lock?.release()
  }
}

async function* eventsOf(
  settings: Config,
  { from, adopt, ...options }: Omit<Request, 'json'> & Pick<CheckOptions, 'signal'>,
): AsyncGenerator<CheckEvent> {
  const opened = openToCheck(settings, options)
  if ('kind' in opened) {
    yield finding(opened)
    return
  }
  const disk = createDisk(settings.dataDir, settings.diskReserve)
  try {
    const config = withPlaces(opened, settings)
    if (adopt) await adoptStore(opened, config)
    const copies = from === undefined ? {} : { findCopy: await copiesIn(resolve(from), opened) }
    const read = options.read ?? (config.store || config.oldPlace ? 'none' : 'all')
    const how = { ...options, ...copies, read }
    yield* checkLibrary({ db: opened, disk, clock: Date.now, config }, how)
  } finally {
    opened.close()
  }
}

async function tell(
  events: AsyncIterable<CheckEvent>,
  { json, signal }: Pick<Request, 'json'> & Pick<CheckOptions, 'signal'>,
): Promise<number> {
  const progress = progressOnTerminal({ json })
  let [findings, repaired, contents] = [0, 0, 0]
  let log = { entries: 0, bytes: 0 }
  for await (const event of events) {
    if (event.type === 'progress') {
      contents = event.read
      progress?.show('Checking', event.done, event.total)
      continue
    }
    if (event.type === 'log') {
      log = event
      continue
    }
    findings++
    if (event.repaired) repaired++
    progress?.end()
    const isTaken = process.stdout.write(json ? `${JSON.stringify(event)}\n` : asText(event))
    if (!isTaken) await once(process.stdout, 'drain', { signal })
  }
  progress?.end()
  const { entries: log_entries, bytes: log_bytes } = log
  const done = { type: 'done', contents_read: contents, log_entries, log_bytes, findings, repaired }
  process.stdout.write(json ? `${JSON.stringify(done)}\n` : summaryOf(done))
  return findings === repaired ? 0 : 1
}

function asText({ kind, subject, sentence, repaired }: Finding): string {
  // A stranger's code may have named a temporary file.
  const name = JSON.stringify(subject).slice(1, -1)
  return `${kind} ${name}: ${sentence}${repaired ? ' (repaired)' : ''}\n`
}

function summaryOf(done: {
  contents_read: number
  log_entries: number
  log_bytes: number
  findings: number
  repaired: number
}): string {
  const { contents_read, log_entries, log_bytes, findings, repaired } = done
  const log = `the audit log has ${log_entries} entries of ${Math.ceil(log_bytes / 1024)} KiB`
  const found = findings === 0 ? 'nothing is wrong' : `${findings} findings, ${repaired} repaired`
  return `${contents_read} contents read, ${log}: ${found}\n`
}
