import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '../../src/db/client.ts'
import { uuidToBlob } from '../../src/db/columns.ts'
import { fold } from '../../src/db/text.ts'
import { write } from '../../src/db/write.ts'
import type { FileCursorPage } from '../../src/files/schema.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { MIME_TYPES } from '../../src/media/sniff.ts'
import { contentsOf } from './contents.ts'
import type { Library } from './harness.ts'

/**
 * A file without a picture, as lists see it; whatever isn't named here is the same for all files.
 */
export interface FileSeed {
  id: string
  name: string | null
  /** `content_datetime` in milliseconds. */
  time: number
  type: string
  owner: number
  isPublic: boolean
  trashed: boolean
  /** Users with an ACL entry that lets them view it. */
  viewers: number[]
  /** Row numbers of tags. */
  tags: number[]
  /** Bytes of its content, which need not be there. */
  size: number
}

const TIME = Date.UTC(2020, 4, 6)

/** Returns a file with these fields, by default a plain one of the user 1. */
export function fileSeed(id: string, fields: Partial<Omit<FileSeed, 'id'>> = {}): FileSeed {
  return {
    id,
    name: null,
    time: TIME,
    type: 'image/jpeg',
    owner: 1,
    isPublic: false,
    trashed: false,
    viewers: [],
    tags: [],
    size: 1,
    ...fields,
  }
}

/** Returns a UUID v7 of that millisecond, with `tail` as its random part. */
export function idAt(ms: number, tail: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail.toString(16).padStart(12, '0')}`
}

/** Returns a function that gives numbers from 0 to below `n`, the same ones in each run. */
export function randomNumbers(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

// Capitals, a decomposed letter, and two characters that UTF-16 would sort the other way round.
const NAMES = ['b.jpg', 'B.JPG', 'a.jpg', 'A.jpg', 'A\u0308.jpg', '\u00e4.jpg', 'ж.png', '～', '😀']
const TIMES = ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2020-05-06', '9999-12-31']
const TYPES = ['image/jpeg', 'image/png', 'video/mp4']

/**
 * Returns 120 files with many ties. Most of them are alike in several ways, they are not in the
 * order of their ids, and each of the people sees about half of them.
 */
export function tiedFiles(people: number[]): FileSeed[] {
  const random = randomNumbers(7)
  const one = <T>(values: T[]) => values[random(values.length)]!
  return Array.from({ length: 120 }, (_, index) =>
    fileSeed(idAt(1.7e12 + random(10), (index * 37) % 120), {
      name: random(6) === 0 ? null : one(NAMES),
      time: Date.parse(one(TIMES)),
      type: one(TYPES),
      owner: one([1, 1, ...people]),
      isPublic: random(5) === 0,
      trashed: random(6) === 0,
      viewers: people.filter(() => random(4) === 0),
    }),
  )
}

/** Returns whether a user who isn't an admin sees the file. */
export function sees(user: number, file: FileSeed): boolean {
  return file.owner === user || file.isPublic || file.viewers.includes(user)
}

/** Returns the ids of the files. */
export function idsOf(files: FileSeed[]): string[] {
  return files.map((file) => file.id)
}

/** In which order files were inserted, by their ids. */
const ranks = new Map<string, number>()
let inserted = 0

/** Writes the files in one transaction, in the order given. */
export function insertFiles(db: Db, files: FileSeed[]): void {
  write(db, { now: 0 }, () => {
    for (const file of files) {
      ranks.set(file.id, inserted++)
      insertFile(db, file)
    }
  })
}

function insertFile(db: Db, file: FileSeed): void {
  const id = uuidToBlob(file.id)
  const { rid } = db.get<{ rid: number }>(
    `INSERT INTO files (id, original_name, name_key, mime_type, mime_extension, content_datetime,
     creator_id, is_public, is_deleted, needs_review) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
     RETURNING rid`,
    id,
    file.name,
    fold(file.name ?? ''),
    file.type,
    MIME_TYPES.get(file.type)!,
    file.time,
    file.owner,
    Number(file.isPublic),
    Number(file.trashed),
  )!
  db.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
     VALUES (?, ?, ?, zeroblob(32), 0, 'made', '{}')`,
    rid,
    blobFor(file.id),
    file.size,
  )
  for (const user of file.viewers) {
    db.run(
      "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, 'file', ?, 1, 0)",
      user,
      rid,
    )
  }
  for (const tag of file.tags)
    db.run('INSERT INTO file_tags (file_rid, tag_rid) VALUES (?, ?)', rid, tag)
}

/** Deletes the rows of these files, or of all files. */
export function deleteFiles(db: Db, ids?: string[]): void {
  write(db, { now: 0 }, () => {
    if (!ids) db.run('DELETE FROM files')
    for (const id of ids ?? []) db.run('DELETE FROM files WHERE id = ?', uuidToBlob(id))
  })
}

export type Sort = 'created' | 'content_datetime' | 'original_name' | 'mime'
export type Order = 'asc' | 'desc'

export const SORTS: Sort[] = ['created', 'content_datetime', 'original_name', 'mime']
export const ORDERS: Order[] = ['asc', 'desc']

/** Returns the files in the order of the specification, without using any of the server's code. */
export function inOrder(files: FileSeed[], sort: Sort, order: Order): FileSeed[] {
  const sign = order === 'asc' ? 1 : -1
  // Whatever their ids say.
  const rank = (file: FileSeed) => ranks.get(file.id) ?? 0
  if (sort === 'created') return files.toSorted((a, b) => sign * (rank(a) - rank(b)))
  return files.toSorted((a, b) => sign * (compareKeys(a, b, sort) || (a.id < b.id ? -1 : 1)))
}

function compareKeys(a: FileSeed, b: FileSeed, sort: Exclude<Sort, 'created'>): number {
  if (sort === 'content_datetime') return a.time - b.time
  const key = (file: FileSeed) =>
    sort === 'mime' ? file.type : (file.name ?? '').normalize('NFC').toLowerCase()
  // UTF-8 sorts in the order of code points.
  return Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b)))
}

/** What a page of a list shows: its files, and whether there are more on either side. */
export interface Shown {
  items: string[]
  prev: boolean
  next: boolean
}

/** Returns what a page with the files from index `from` to below `to` must show. */
export function pageFrom(ids: string[], from: number, to: number): Shown {
  return { items: ids.slice(Math.max(0, from), to), prev: from > 0, next: to < ids.length }
}

/** Returns what an answer shows. */
export function shown(body: FileCursorPage): Shown {
  const { items, prev_cursor, next_cursor } = body
  return {
    items: items.map((file) => file.id),
    prev: prev_cursor !== null,
    next: next_cursor !== null,
  }
}

/** Returns a function that gets pages of a list; any answer other than 200 fails the test. */
export function pages(library: Library, token: string, path = '/files') {
  return async (query: Record<string, string | number>): Promise<FileCursorPage> => {
    const answer = await library.call('GET', `${path}?${queryText(query)}`, { token })
    assert.equal(answer.status, 200, `${queryText(query)}: ${answer.text}`)
    return answer.body
  }
}

/** Returns the text of a query. */
export function queryText(query: Record<string, string | number>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return parameters.toString()
}

/** Returns the text of a cursor made by hand. */
export function handmade(parts: unknown): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Returns the blob of such a file. */
export const blobFor = (id: string) => id.replaceAll('-', '')

/** Writes the bytes as the content and the derivatives of such a file, or of a blob. */
export function writeContent(
  library: Pick<Library, 'folder' | 'store'>,
  id: string,
  bytes: Uint8Array,
): void {
  const { derivative } = dataFolder(library.folder)
  const blob = blobFor(id)
  contentsOf(library).write(blob, bytes)
  for (const path of (['thumbnail', 'preview'] as const).map((kind) => derivative(kind, blob))) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
}
