import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../base/config.ts'
import { sizeText } from '../base/text.ts'
import { type BackupResult, backUp, forgetFolder, lockBackups } from '../keep/backup/backup.ts'
import type { Retained } from '../keep/backup/generations.ts'
import { type Verified, verifyBackup } from '../keep/backup/verify.ts'
import { placeOf } from '../media/places/open.ts'
import {
  type Command,
  goEasy,
  interruption,
  progressOnTerminal,
  requireLibrary,
  wrongValue,
} from './command.ts'

const usage = `Usage: tagstead backup DIR [--keep DAYS,WEEKS,MONTHS] [--link] [--full] [--with-secret] [--json]
       tagstead backup --database-only DIR [--keep DAYS,WEEKS,MONTHS] [--with-secret] [--json]
       tagstead backup --forget DIR
       tagstead backup --verify DIR [--at GENERATION] [--json]

Copies the library, as it is at one moment, into a new generation in the folder DIR. DIR is created if
the folder above it exists. People may go on using the server. Each content is copied once for all
generations, and read back. Pictures that are made from contents are not copied. The exit code is 1 if the
backup failed, if a content was missing or damaged in the library, or if nothing could be removed that
need not be kept. In the last two cases everything else is backed up.

  --keep DAYS,WEEKS,MONTHS
                 keep the last generation of each of so many days, weeks and months (7,4,12), and the
                 newest one; remove the others, with what only they need
  --link         make hard links of the contents, on the library's disk: protects against deletion only
  --full         also read the contents that DIR already has, and replace those that are damaged
  --database-only
                 leave out the contents. While such a generation is kept, a store keeps the contents that it
                 names, also of files that are deleted for good
  --forget       the generations of the database alone in DIR are gone: no content waits for them any more
  --with-secret  also copy secret.key: anybody who reads it can sign in as any user
  --verify       read all generations and what they need from end to end, and report what is not as it
                 was written; the exit code is 1 if anything is wrong
  --at GENERATION
                 verify only this generation
  --json         write the result as one object
`

const OPTIONS = {
  at: { type: 'string' },
  'database-only': { type: 'boolean' },
  forget: { type: 'boolean' },
  full: { type: 'boolean' },
  json: { type: 'boolean' },
  keep: { type: 'string', default: '7,4,12' },
  link: { type: 'boolean' },
  verify: { type: 'boolean' },
  'with-secret': { type: 'boolean' },
} as const

/** `tagstead backup`. The server starts it with `--json`. */
export const backupCommand: Command = {
  usage,
  async run(args) {
    const request = readArguments(args)
    if (!request) return null
    if (request.options.forget) return forget(request)
    goEasy()
    return request.options.verify ? verify(request) : makeBackup(request)
  },
}

interface Request {
  dir: string
  retained: Retained
  options: ReturnType<typeof parse>['values']
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true })

function readArguments(args: string[]): Request | null {
  const { values: options, positionals } = parse(args)
  const [dir, ...more] = positionals
  if (!dir || more.length > 0) return null
  const isOfOther = options.verify
    ? options.full || options.link || options['with-secret'] || options['database-only']
    : options.at !== undefined || (options['database-only'] && (options.full || options.link))
  if (options.forget && args.length > 2) return null
  return isOfOther ? null : { dir: resolve(dir), retained: readRetained(options.keep), options }
}

function readRetained(text: string): Retained {
  const [, days, weeks, months] = /^(\d{1,4}),(\d{1,4}),(\d{1,4})$/.exec(text) ?? []
  if (days === undefined) throw wrongValue('--keep', 'must be as in 7,4,12')
  return { days: Number(days), weeks: Number(weeks), months: Number(months) }
}

const STAGES = {
  database: 'Database',
  contents: 'Contents',
  old: 'Old generations',
  databases: 'Databases',
}

async function makeBackup({ dir, retained, options }: Request): Promise<number> {
  const config = readConfig()
  requireLibrary(config)
  const progress = progressOnTerminal(options)
  const signal = interruption()
  const lock = lockBackups(config)
  try {
    const request = {
      config,
      dir,
      retained,
      isDatabaseOnly: options['database-only'] ?? false,
      isLinking: options.link ?? false,
      isFull: options.full ?? false,
      withSecret: options['with-secret'] ?? false,
      signal,
      now: Date.now(),
    }
    const result = await backUp(request, (stage, done, total) =>
      progress?.show(STAGES[stage], done, total),
    )
    progress?.end()
    tell(options.json ? `${JSON.stringify(result)}\n` : textOf(result, dir, placeOf(config).name))
    if (result.same_disk && !options.json) process.stderr.write(sameDiskText(result, dir))
    const isWhole = result.missing.length + result.faults.length === 0
    return isWhole && result.unremoved === null ? 0 : 1
  } catch (error) {
    return stopped(signal, error)
  } finally {
    progress?.end()
    lock.release()
  }
}

// Throws an error other than that of the signal.
function stopped(signal: AbortSignal, error: unknown): number {
  if (!signal.aborted) throw error
  process.stderr.write('Tagstead has not finished: it was stopped\n')
  return 1
}

function tell(text: string): void {
  process.stdout.write(text)
}

function sameDiskText({ linked }: BackupResult, dir: string): string {
  const question = linked ? '' : ': is its own disk mounted?'
  return `${dir} is on the disk of the library and protects only against deletion${question}\n`
}

function textOf(result: BackupResult, dir: string, place: string): string {
  const { generation, contents, bytes, copied, copied_bytes, removed, missing } = result
  const all = `${contents} contents (${sizeText(bytes)})`
  const lines = [
    result.database_only
      ? `${generation} in ${dir}: the database, without its ${all}, which are in ${place}`
      : `${generation} in ${dir}: ${all}, of which ${copied} ` +
        `(${sizeText(copied_bytes)}) were copied now`,
    ...(removed.length > 0
      ? [`removed: ${removed.join(', ')}, and ${result.removed_contents} contents`]
      : []),
    ...(result.unremoved ? [`nothing was removed (see docs/backup.md): ${result.unremoved}`] : []),
    ...(result.unrecorded ? [`the server was not informed: ${result.unrecorded}`] : []),
    ...result.faults.map((fault) => `wrong in the library, see "tagstead check": ${fault}`),
    ...missing.map(
      (blob) => `missing or damaged in the library: files/${blob.slice(0, 2)}/${blob}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

function forget({ dir }: Request): number {
  const config = readConfig()
  requireLibrary(config)
  const lock = lockBackups(config)
  try {
    forgetFolder(config, dir)
    return 0
  } finally {
    lock.release()
  }
}

async function verify({ dir, options }: Request): Promise<number> {
  const signal = interruption()
  const progress = progressOnTerminal(options)
  try {
    const result = await verifyBackup({ dir, at: options.at, signal }, (stage, done, total) =>
      progress?.show(STAGES[stage], done, total),
    )
    progress?.end()
    tell(options.json ? `${JSON.stringify(result)}\n` : verifiedText(result))
    return result.findings.length === 0 ? 0 : 1
  } catch (error) {
    return stopped(signal, error)
  } finally {
    progress?.end()
  }
}

function verifiedText({ generations, contents, bytes, findings }: Verified): string {
  const lines = findings.map(({ subject, fault }) => `${subject}: ${fault}`)
  const sum =
    `generations: ${generations.length}, contents: ${contents} (${sizeText(bytes)}), ` +
    `faults: ${findings.length}`
  return `${[...lines, sum].join('\n')}\n`
}
