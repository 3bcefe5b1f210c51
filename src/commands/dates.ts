import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { dates, readContent } from '../background/dates.ts'
import { listNext } from '../background/queries.ts'
import { type Config, readConfig } from '../config.ts'
import type { Db } from '../db/client.ts'
import { shownDate } from '../files/dates/file-date.ts'
import { judgeDate, type Verdict } from '../files/dates/old-date.ts'
import type { OldFile } from '../files/dates/old-date-queries.ts'
import type { Told } from '../media/decoder/told.ts'
import { beforeAbort, isoTime } from '../time.ts'
import type { Command } from './command.ts'
import { goEasy } from './go-easy.ts'
import { interruption } from './interruption.ts'
import { type Readable, readLibrary } from './read-library.ts'

const usage = `Usage: tagstead dates --dry-run [--json]

Lists all files of earlier versions of which it is not known where their dates are from, the newest
first: the date that is stored, the one that the file or its name tells now, and what the server does
when nobody asks it for anything. That is "source" when it only notes where the date is from, "mended"
when it replaces a date that was the time of the upload, each with the source that the date has then;
"left" when it can't tell, and "unread" when the file can't be read now. Why not is told apart, and the
exit code is 1 then. Nothing is changed here; this works with and without a running server.

  --json    write one object per line
`

/** `tagstead dates`. Dates are mended by the server alone. */
export const datesCommand: Command = {
  usage,
  async run(args) {
    const options = readOptions(args)
    if (!options['dry-run']) return null
    return listDates(readConfig(), options.json ? asJson : asText)
  },
}

function readOptions(args: string[]): { 'dry-run'?: boolean; json?: boolean } {
  return parseArgs({
    args,
    options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  }).values
}

/** What is known of a file's date, and what would become of it. */
interface Judged extends Pick<Verdict, 'found' | 'date'> {
  file: OldFile
  what: Verdict['what'] | 'unread'
  /** Why an unread file could not be read: the code of the system's error, or words. */
  reason: string | null
}

type Tally = Record<Judged['what'], number>

async function listDates(config: Config, lineOf: (judged: Judged) => string): Promise<number> {
  const signal = interruption()
  goEasy()
  try {
    return await readLibrary(config, async (library) => {
      const tally: Tally = { source: 0, mended: 0, left: 0, unread: 0 }
      const reasons = new Set<string>()
      for (const files of portionsOf(library.db)) {
        const judging = files.map((file) => judge(library, file, config))
        const judged = await beforeAbort(Promise.all(judging), signal)
        for (const { what, reason } of judged) {
          tally[what]++
          if (reason === null || reasons.has(reason)) continue
          reasons.add(reason)
          process.stderr.write(`Tagstead can't read all files: ${reason}\n`)
        }
        const isTaken = process.stdout.write(judged.map(lineOf).join(''))
        if (!isTaken) await once(process.stdout, 'drain', { signal })
      }
      if (lineOf === asText) process.stdout.write(summaryOf(tally))
      return tally.unread > 0 ? 1 : 0
    })
  } catch (error) {
    if (signal.aborted) return 1
    throw error
  }
}

function* portionsOf(db: Db): Generator<OldFile[]> {
  for (let place: number | null = Number.MAX_SAFE_INTEGER; place !== null; ) {
    const next: ReturnType<typeof listNext<OldFile>> = listNext(db, dates, { place, version: '' })
    yield next.files.filter(({ date_source }) => date_source === null)
    place = next.end
  }
}

async function judge(library: Readable, file: OldFile, { timeZone }: Config): Promise<Judged> {
  const { told, reason } = await readOrTellWhy(library, file)
  const verdict = judgeDate(library.db, file, told, { now: Date.now(), timeZone })
  const isUnread = told === null && verdict.what === 'left'
  if (isUnread) return { ...verdict, file, what: 'unread', reason }
  return { ...verdict, file, reason: null }
}

async function readOrTellWhy(
  library: Readable,
  file: OldFile,
): Promise<{ told: Told | null; reason: string }> {
  try {
    const read = await readContent(library, file)
    if (read) return { told: read.told, reason: 'broken' }
    return { told: null, reason: 'the system refused to have them decoded' }
  } catch (error) {
    // The message names each file by its path.
    const { code, message } = error as NodeJS.ErrnoException
    return { told: null, reason: code ?? message }
  }
}

function asJson({ file, found, what, date, reason }: Judged): string {
  const { id, original_name } = file
  const line = { id, original_name, ...shownDate(file), found: found && shownDate(found), what }
  return `${JSON.stringify({ ...line, becomes: shownDate(date), reason })}\n`
}

function asText({ file, found, what, date }: Judged): string {
  const cells = [
    file.id,
    isoTime(file.content_datetime),
    (found ? isoTime(found.content_datetime) : '-').padEnd(24),
    (found?.date_source ?? '-').padEnd(5),
    `${what} ${date.date_source ?? ''}`.padEnd(13),
    JSON.stringify(file.original_name),
  ]
  return `${cells.join('  ')}\n`
}

function summaryOf(tally: Tally): string {
  const counts = Object.entries(tally)
  const files = counts.reduce((sum, [, count]) => sum + count, 0)
  return `${files} files: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}\n`
}
