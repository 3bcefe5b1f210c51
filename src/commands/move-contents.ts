import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../base/config.ts'
import { place, placeText } from '../base/store-settings.ts'
import { sizeText } from '../base/text.ts'
import { findPlaces } from '../files/content/store-queries.ts'
import {
  lockMoves,
  type MoveDeps,
  type MoveProblem,
  type MoveSummary,
  moveContents,
  type Plan,
  planMove,
} from '../keep/move/move.ts'
import { dataFolder } from '../media/data-folder.ts'
import { type Command, goEasy, interruption, progressOnTerminal, wrongValue } from './command.ts'
import { withLibrary } from './with-library.ts'

const usage = `Usage: tagstead move-contents --to s3://BUCKET/PREFIX | --to local [--dry-run] [--json]

Moves the contents of the library into a store, or from there into the data folder, beside the running
server. The server must have been restarted with CONTENTS=s3://BUCKET/PREFIX (or local) before: from then
on it stores new contents there, and finds the others where they are. docs/store.md has the whole way.
Each content is read, compared with the sha256 that it had when it was stored, stored in the new place,
and only then removed from the old one. A command that was stopped or killed goes on when it is called
again. The exit code is 0 once all contents are in the new place, otherwise 1.

  --to PLACE  where the contents are to be: what CONTENTS is
  --dry-run   move nothing, and report how many contents and bytes there are, and how many requests to the
              store that takes
  --json      write one object per line: { "type": "problem", "blob", "file", "sentence" } for each content
              that stays where it is ("file" is null for one that only backups name); at the end
              { "type": "done", "moved", "bytes", "problems", "unknown", "waiting", "finished" }; with --dry-run
              only { "contents", "bytes", "requests", "unknown", "waiting", "room" }
`

/** `tagstead move-contents`. */
export const moveContentsCommand: Command = {
  usage,
  async run(args) {
    const { values } = parseArgs({
      args,
      options: {
        to: { type: 'string' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
      },
    })
    if (values.to === undefined) return null
    const to = place.safeParse(values.to || '?')
    if (!to.success) throw wrongValue('--to', to.error.issues[0]!.message)
    const { 'dry-run': isDry = false, json = false } = values
    return runMove(readConfig(), { to: placeText(to.data), isDry, json })
  },
}

interface Request {
  to: string
  isDry: boolean
  json: boolean
}

const TEMPORARY = 'tmp-move'

async function runMove(settings: Config, { to, isDry, json }: Request): Promise<number> {
  const asked = placeText(settings.store)
  const restart = `restart the server with CONTENTS=${to}, and give this command the same settings`
  if (asked !== to) throw new Error(`CONTENTS is ${asked}: ${restart}`)
  const signal = interruption()
  return withLibrary(settings, { lock: lockMoves, temporary: TEMPORARY }, async (library) => {
    goEasy()
    const { db, config, disk, log, clock, wait } = library
    if (findPlaces(db).place === null)
      throw new Error(`No server has used this place yet: ${restart}`)
    if (!config.oldPlace) return tellAllThere(to, json)
    const temporary = dataFolder(config.dataDir).temporary(TEMPORARY)
    const deps = { db, config, disk, log, clock, wait, temporary }
    try {
      if (!isDry) return await move(deps, { to, json, signal })
      const plan = await planMove(deps, signal)
      process.stdout.write(json ? `${JSON.stringify(plan)}\n` : planText(plan, to))
      return 0
    } catch (error) {
      if (!signal.aborted) throw error
      process.stderr.write('Tagstead has not moved all contents: it was stopped\n')
      return 1
    }
  })
}

async function move(
  deps: MoveDeps,
  { to, json, signal }: Pick<Request, 'to' | 'json'> & { signal: AbortSignal },
): Promise<number> {
  const progress = progressOnTerminal({ json })
  try {
    for await (const event of moveContents(deps, signal)) {
      if (event.type === 'progress') {
        progress?.show('Moving', event.done, event.total)
        continue
      }
      progress?.end()
      if (json) process.stdout.write(`${JSON.stringify(event)}\n`)
      else process.stdout.write(event.type === 'problem' ? problemText(event) : doneText(event, to))
      if (event.type === 'done') return event.finished ? 0 : 1
    }
    return 1
  } finally {
    progress?.end()
  }
}

function tellAllThere(to: string, json: boolean): number {
  const none: Omit<MoveSummary, 'type'> = {
    ...{ moved: 0, bytes: 0, problems: 0, unknown: 0, waiting: 0 },
    finished: true,
  }
  const done = { type: 'done', ...none }
  process.stdout.write(json ? `${JSON.stringify(done)}\n` : `All contents are in ${to} already\n`)
  return 0
}

function problemText({ blob, file, sentence }: MoveProblem): string {
  return `not moved ${blob} of ${file ? `the file ${file}` : 'a deleted file'}: ${sentence}\n`
}

function othersText({ unknown, waiting }: Pick<Plan, 'unknown' | 'waiting'>): string[] {
  return [
    ...(unknown > 0 ? [`${unknown} contents that no file has stay where they are`] : []),
    ...(waiting > 0 ? [`${waiting} contents are about to be removed by the server`] : []),
  ]
}

function planText(plan: Plan, to: string): string {
  const { contents, bytes, requests, room } = plan
  const lines = [
    `${contents} contents (${sizeText(bytes)}) would be moved to ${to}, with about ${requests} requests to the store`,
    ...othersText(plan),
    ...(room !== null && bytes > room ? [`the disk has room for only ${sizeText(room)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function doneText(done: MoveSummary, to: string): string {
  const { moved, bytes, problems, finished } = done
  const lines = [
    `${moved} contents (${sizeText(bytes)}) moved to ${to}, ${problems} not moved`,
    ...othersText(done),
    finished ? `All contents are in ${to} now` : 'Not all contents are there: run this again later',
  ]
  return `${lines.join('\n')}\n`
}
