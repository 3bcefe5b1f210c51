import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { write } from '../../src/db/write.ts'
import { insertJournalRow } from '../../src/imports/queries.ts'
import type { ImportEvent, ImportRequest } from '../../src/imports/schema.ts'
import type { Answer, Library } from './harness.ts'

/** Long enough ago for a file to be at rest; later files are seconds after it. */
export const LONG_AGO = Date.UTC(2020, 4, 6, 7, 8, 9)

/** Writes a file that is at rest, last changed `seconds` after LONG_AGO; returns its path. */
export function putFile(folder: string, name: string, bytes: Uint8Array | string, seconds = 0) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  rest(path, seconds)
  return path
}

/** Sets the time of the last change of a file to `seconds` after LONG_AGO. */
export function rest(path: string | Buffer, seconds = 0): void {
  const time = LONG_AGO / 1000 + seconds
  utimesSync(path, time, time)
}

/** Returns the events of an import's answer, without the number of the operation. */
export function eventsOf(answer: Pick<Answer, 'status' | 'headers' | 'text'>): ImportEvent[] {
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('Content-Type'), 'application/x-ndjson')
  assert.match(answer.text, /\n$/)
  return answer.text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ operation, ...event }) => {
      const hasChanged = event.imported > 0 || answer.text.includes('got what is new')
      const isAudited = event.type === 'done' && hasChanged && !('types' in event)
      assert.equal(Number.isSafeInteger(operation), isAudited, answer.text)
      return event
    })
}

/** Imports the folder, or one below it, perhaps in another way than the usual one, and returns the events. */
export async function runImport(
  library: Library,
  token: string,
  path?: string,
  options?: Partial<z.input<typeof ImportRequest>>,
) {
  const body = path === undefined && !options ? undefined : { path, ...options }
  return eventsOf(await library.call('POST', '/files/import', { token, body }))
}

/** Returns the events of an import in which each file, in order, had the outcome given with it. */
export function expectedEvents(outcomes: [name: string, status: string, reason?: string][]) {
  const total = outcomes.length
  const count = (wanted: string) => outcomes.filter(([, status]) => status === wanted).length
  return [
    { type: 'start', total },
    ...outcomes.map(([filename, status, reason], position) => ({
      type: 'file',
      index: position + 1,
      filename,
      status,
      ...(reason && { reason }),
    })),
    {
      type: 'done',
      total,
      imported: count('imported'),
      skipped: count('skipped'),
      errors: count('error'),
    },
  ]
}

/**
 * Makes what a crash leaves between the commit of an import and the removal of its source, which the journal knows
 * by a name; returns the id of the file.
 */
export async function leaveSource(
  library: Library,
  token: string,
  { path, known, bytes }: { path: string; known: string; bytes: Uint8Array },
): Promise<string> {
  const { db } = library.deps
  const { id } = (await library.upload(token, bytes, basename(path))).body
  const { rid } = db.get<{ rid: number }>('SELECT max(rid) AS rid FROM files')!
  putFile(dirname(path), basename(path), bytes)
  const row = { path: known, sha256: Buffer.from(sha256(bytes), 'hex'), file_rid: rid }
  write(db, { now: 0 }, (tx) => insertJournalRow(tx, row))
  return id
}

/** Returns by which names the journal knows sources, in order. */
export const journalOf = ({ deps }: Library) =>
  deps.db
    .all<{ path: string }>('SELECT path FROM import_journal ORDER BY path')
    .map(({ path }) => path)

/** Returns the names in a folder, in order. */
export const namesIn = (folder: string) => readdirSync(folder).sort()

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export const digestOf = (path: string) => sha256(readFileSync(path))
