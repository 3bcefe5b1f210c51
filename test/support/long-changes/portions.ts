import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Db } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import type { Answer, Library } from '../harness.ts'
import { addManyFiles } from '../many-files.ts'
import { commandLine } from '../spawn.ts'

const PROGRAM = fileURLToPath(new URL('./carry-on.ts', import.meta.url))

/** Returns how many rows a table has. */
export function countRows(db: Db, table: string): number {
  return db.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)!.rows
}

/**
 * Goes on, in a process of its own, with the changes of the library in a folder: to their end or, by
 * default, for one portion, after which the process is killed. Returns the signal that ended it.
 */
export async function carryOn(
  folder: string,
  options: { time: number; rows: number; toTheEnd?: boolean },
): Promise<NodeJS.Signals | null> {
  const [program, ...args] = commandLine(undefined, PROGRAM)
  const { time, rows, toTheEnd } = options
  args.push(folder, String(time), String(rows), ...(toTheEnd ? ['to-the-end'] : []))
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, signal] = await once(child, 'close')
  if (signal === null && code !== 0) throw new Error(`The process ended with ${code}`)
  return signal
}

/**
 * Returns all rows of a database by table, but for what differs from run to run: the random versions of
 * caches and the random names of what is being deleted.
 */
export function contentOf(db: Db): Record<string, unknown[]> {
  const tables = db
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map((table) => table.name)
    .filter((name) => !/^(cache_versions|sqlite_stat|files_fts_)/.test(name))
  return Object.fromEntries(tables.map((name) => [name, db.all(`SELECT * FROM ${name}`)]))
}

/** Makes files that carry tags, given by their ids, and belong to a user; returns their ids. */
export function makeFiles(
  { deps: { db } }: Library,
  count: number,
  { owner, tags = [] }: { owner: number; tags?: string[] },
): string[] {
  const rids = tags.map((id) => {
    const hex = id.replaceAll('-', '')
    return db.get<{ rid: number }>('SELECT rid FROM tags WHERE id = unhex(?)', hex)!.rid
  })
  return write(db, { now: 0 }, () => addManyFiles(db, count, { owner, tags: rids }))
}

/** Returns the number of the operation that an answer names. */
export function operationOf(answer: Answer): number {
  return Number(answer.headers.get('Operation'))
}
