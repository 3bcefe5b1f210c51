import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { sentName } from '../files/sent-name.ts'
import { countInPools } from '../pools/queries.ts'
import { question } from '../reader/question.ts'
import type { ShareKeys } from './keys.ts'
import { type Link, linkOf, noLink, sourceOf } from './link.ts'
import { findShareByRid } from './queries.ts'
import type { SharedPage, SharedQuery } from './schema.ts'
import {
  countNamed,
  countShown,
  describeShown,
  type ShownFile,
  type Source,
  shownFiles,
} from './shown-queries.ts'

/** The most files of a pool, or of a link, that are gone through at once; more are left to the reader. */
const FEW = 2000

interface Asked {
  viewer: User
  share: number
  /** The file after which the page begins, and where it was. */
  after: { rid: number; at: number } | null
  limit: number
}

interface ShownRow extends Omit<ReturnType<typeof describeShown>[number], 'rid'>, ShownFile {
  film: number | null
}

interface Shown {
  /** How many files come before the page. */
  at: number
  total: number
  rows: Omit<ShownRow, 'picture_rid'>[]
}

function pageOf(db: Db, link: Link, { after, limit }: Pick<Asked, 'after' | 'limit'>): Shown {
  const { files, films } = folded(shownFiles(db, sourceOf(link)))
  const at = after ? placeAfter(files, after) : 0
  const page = files.slice(at, at + limit).map(({ rid }) => rid)
  const rows = describeShown(db, page).map((row) => ({ ...row, film: films.get(row.rid) ?? null }))
  return { at, total: files.length, rows }
}

/** Leaves out the films whose pictures are also there, and returns them by their pictures. */
function folded(all: ShownFile[]): { files: ShownFile[]; films: Map<number, number> } {
  const there = new Set(all.map(({ rid }) => rid))
  const isFolded = ({ picture_rid }: ShownFile) => picture_rid !== null && there.has(picture_rid)
  const films = new Map(all.filter(isFolded).map(({ rid, picture_rid }) => [picture_rid!, rid]))
  return { files: all.filter((file) => !isFolded(file)), films }
}

// Where the file has gone meanwhile, those after it have moved up by one.
function placeAfter(files: ShownFile[], { rid, at }: { rid: number; at: number }): number {
  const index = files.findIndex((file) => file.rid === rid)
  return index < 0 ? Math.max(0, at - 1) : index + 1
}

function linkNow(db: Db, share: number): Link {
  const found = findShareByRid(db, share)
  const link = found && linkOf(db, found)
  if (!link) throw noLink()
  return link
}

export const sharedPage = question('page', 'sharedPage', (db: Db, asked: Asked) =>
  pageOf(db, linkNow(db, asked.share), asked),
)

export const sharedFiles = question(
  'overview',
  'sharedFiles',
  (db: Db, { share }: { viewer: User; share: number }) =>
    shownFiles(db, sourceOf(linkNow(db, share))).map(({ rid }) => rid),
)

export const shownCounts = question(
  'overview',
  'shownCounts',
  (db: Db, { sources }: { viewer: User; sources: (Source | null)[] }) => countNow(db, sources),
)

// Many links may follow one pool.
function countNow(db: Db, sources: (Source | null)[]): number[] {
  const known = new Map<string, number>()
  return sources.map((source) => {
    if (!source) return 0
    const key = JSON.stringify(source)
    const files = known.get(key) ?? countShown(db, source)
    known.set(key, files)
    return files
  })
}

/** Returns how many files each of the sources shows now. */
export async function countEach(
  db: Db,
  viewer: User,
  sources: (Source | null)[],
): Promise<number[]> {
  let left = FEW
  for (const source of sources) {
    if (source) left -= sizeOf(db, source, left + 1)
    if (left < 0) return shownCounts(db, { viewer, sources })
  }
  return countNow(db, sources)
}

/** Returns a page of what a link shows. Throws a validation error for a wrong cursor. */
export async function readShared(
  { db, shareKeys, config }: { db: Db; shareKeys: ShareKeys; config: { maxUploadSize: number } },
  link: Link,
  { cursor, limit }: SharedQuery,
): Promise<SharedPage> {
  const { share, maker } = link
  const asked = { after: cursor === undefined ? null : readCursor(shareKeys, link, cursor), limit }
  const { at, total, rows } = isFew(db, link)
    ? pageOf(db, link, asked)
    : await sharedPage(db, { viewer: maker, share: share.rid, ...asked })
  const fileId = (rid: number) => shareKeys.fileId(share, rid)
  const end = at + rows.length
  const last = rows.at(-1)
  const hasMore = last !== undefined && end < total
  return {
    title: share.title,
    total,
    downloads: share.downloads,
    may_upload: share.may_upload,
    most_bytes: config.maxUploadSize,
    items: rows.map((row, index) => ({
      id: fileId(row.rid),
      kind: isFilm(row) ? 'film' : 'picture',
      name: shownName(link, row, at + index + 1),
      width: row.width,
      height: row.height,
      duration: row.duration,
      thumbhash: row.thumbhash && Buffer.from(row.thumbhash, 'hex').toString('base64'),
      film: row.film === null ? null : fileId(row.film),
    })),
    next_cursor: hasMore ? `${end}.${fileId(last.rid)}` : null,
  }
}

function readCursor(keys: ShareKeys, { share }: Link, cursor: string): Asked['after'] {
  const [, at, id] = /^(\d{1,9})\.([\w-]{22})$/.exec(cursor) ?? []
  const rid = id === undefined ? null : keys.fileOf(share, id)
  if (rid === null) throw invalid('cursor', 'must be a cursor of this list')
  return { rid, at: Number(at) }
}

/** Returns the numbers of all files that a link shows now, in their order. */
export function listShown(db: Db, link: Link): Promise<number[]> | number[] {
  if (!isFew(db, link)) return sharedFiles(db, { viewer: link.maker, share: link.share.rid })
  return shownFiles(db, sourceOf(link)).map(({ rid }) => rid)
}

function isFew(db: Db, link: Link): boolean {
  return sizeOf(db, sourceOf(link), FEW + 1) <= FEW
}

// What has to be gone through, whether it is shown or not; at most `most`.
function sizeOf(db: Db, { pool, share }: Source, most: number): number {
  return pool ? countInPools(db, [pool.rid], most) : countNamed(db, share, most)
}

function isFilm({ mime_type }: { mime_type: string }): boolean {
  return mime_type.startsWith('video/')
}

/** Returns the name that a file has in a link, where it is the nth one, counted from 1. */
export function shownName(
  { share }: Link,
  file: { mime_type: string; mime_extension: string; original_name: string | null },
  n: number,
): string {
  const plain = `${isFilm(file) ? 'film' : 'photo'}-${n}`
  return sentName((share.shows_names && file.original_name) || plain, file.mime_extension)
}
