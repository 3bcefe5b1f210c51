import { and, asc, count, eq, gt, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { cacheVersions } from '../../db/schema/caches.ts'
import { fileDetails, files } from '../../db/schema/files.ts'

const versions = prepared({}, (db) =>
  reading({ name: cacheVersions.name, version: cacheVersions.version }, (fields) =>
    db.select(fields).from(cacheVersions),
  ),
)

interface State {
  /** Changes with the existing contents, and with the creators of their files. */
  contents: string
  /** Changes with these and with all else that proposals are made of, except for tags and pools. */
  proposals: string
}

/** Returns texts that differ when anything has changed. */
export function libraryState(db: Db): State {
  const version = new Map(versions.all(db, {}).map((row) => [row.name, row.version]))
  const contents = String(version.get('contents'))
  const others = [version.get('duplicates'), version.get('proposals')]
  return { contents, proposals: [contents, ...others].join(' ') }
}

const equals = prepared({ from: fileDetails.sha256, to: fileDetails.sha256 }, (db, given) => {
  const { file_rid, sha256 } = fileDetails
  return reading({ rids: sql<string>`json_group_array(${file_rid})`.as('rids') }, (fields) =>
    db
      .select(fields)
      .from(sql`${fileDetails} INDEXED BY file_details_sha256`)
      .where(and(gte(sha256, given.from), lt(sha256, given.to)))
      .groupBy(sha256)
      .having(gt(count(), 1)),
  )
})

/** Returns the files of each content that several have, of the contents of a range of SHA-256. */
export function equalFiles(db: Db, range: { from: Uint8Array; to: Uint8Array }): number[][] {
  return equals.all(db, range).map((row) => JSON.parse(row.rids))
}

const withContent = prepared({ sha256: fileDetails.sha256 }, (db, given) =>
  reading({ rid: sql<number>`${fileDetails.file_rid}`.as('rid') }, (fields) =>
    db
      .select(fields)
      .from(sql`${fileDetails} INDEXED BY file_details_sha256`)
      .where(eq(fileDetails.sha256, given.sha256))
      .orderBy(asc(fileDetails.file_rid)),
  ),
)

/** Returns the files of a content, ascending. */
export function filesWithContent(db: Db, sha256: Uint8Array): number[] {
  return withContent.all(db, { sha256 }).map((row) => row.rid)
}

/** Returns an upper bound of the number of contents. */
export function countContents(db: Db): number {
  const { rid } = files
  return (
    db.first(
      reading({ rid }, (fields) =>
        db.select(fields).from(files).orderBy(sql`${rid} DESC`).limit(1),
      ),
    )?.rid ?? 0
  )
}

const creators = prepared({ rids: 'text' }, (db, given) =>
  reading(
    {
      pairs: sql<string>`json_group_array(json_array(${files.rid}, ${files.creator_id}))`.as(
        'pairs',
      ),
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .where(eq(files.rid, sql`j.value`)),
  ),
)

/** Returns the files that exist, each with the id of its creator. */
export function creatorsOf(db: Db, rids: number[]): [rid: number, creator: number][] {
  return JSON.parse(creators.get(db, { rids: JSON.stringify(rids) })!.pairs)
}
