import { and, asc, count, desc, eq, exists, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { PoolSortKey, SortOrder } from '../base/enums.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { asLimit, type Given, prepared, type Values } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { companions, fileLooks, files } from '../db/schema/files.ts'
import { poolFiles } from '../db/schema/pools.ts'
import { shareFiles } from '../db/schema/shares.ts'

/** What a link shows: named files, or files of a pool, with its sort. */
export interface Source {
  maker: Pick<User, 'id' | 'is_admin'>
  /** The link; 0 where all files of the pool are shown. */
  share: number
  follows: boolean
  pool: { rid: number; sort_key: PoolSortKey; sort_order: SortOrder } | null
}

const GIVEN = { share: shareFiles.share_rid, pool: poolFiles.pool_rid, maker: files.creator_id }

const ORDERS: Record<PoolSortKey, SQLiteColumn[]> = {
  manual: [poolFiles.order_key],
  content_datetime: [files.content_datetime, files.id],
  created: [files.rid],
  original_name: [files.name_key, files.id],
}

const ROW = { rid: files.rid, id: files.id, picture_rid: companions.picture_rid }

/**
 * The one rule of what a link shows: files of its maker, of an admin's all, that are not in the trash; the named ones,
 * or those that are in the pool now, and unless it follows the pool, were there when it was made.
 */
function ruleOf(
  { maker, follows, pool }: Source,
  db: Db,
  given: Given<typeof GIVEN> | Values<typeof GIVEN>,
) {
  const isNamed = and(eq(shareFiles.share_rid, given.share), eq(shareFiles.file_rid, files.rid))
  const named = db
    .select({ one: sql`1`.as('one') })
    .from(shareFiles)
    .where(isNamed)
  const isThere = and(eq(poolFiles.pool_rid, given.pool), eq(poolFiles.file_rid, files.rid))
  return and(
    pool ? isThere : isNamed,
    pool && !follows ? exists(named) : undefined,
    eq(files.is_deleted, false),
    maker.is_admin ? undefined : eq(files.creator_id, given.maker),
  )
}

const tableOf = ({ pool }: Source) => (pool ? poolFiles : shareFiles)

function statementFor(source: Source, isOne: boolean) {
  return prepared({ ...GIVEN, file: files.rid }, (db, given) => {
    const { pool } = source
    const inOrder = pool?.sort_order === 'desc' && pool.sort_key !== 'manual' ? desc : asc
    const order: SQL[] = pool ? ORDERS[pool.sort_key].map(inOrder) : [asc(shareFiles.place)]
    return reading(ROW, (fields) =>
      db
        .select(fields)
        .from(tableOf(source))
        .crossJoin(files)
        .leftJoin(companions, eq(companions.film_rid, files.rid))
        .where(and(ruleOf(source, db, given), isOne ? eq(files.rid, given.file) : undefined))
        .orderBy(...(isOne ? [] : order)),
    )
  })
}

const statements = new Map<string, ReturnType<typeof statementFor>>()

function rowsOf(db: Db, source: Source, file: number | null) {
  const { maker, follows, pool } = source
  const sort = pool ? `${pool.sort_key} ${pool.sort_order}` : ''
  const key = `${maker.is_admin} ${follows} ${sort} ${file !== null}`
  const statement = statements.get(key) ?? statementFor(source, file !== null)
  statements.set(key, statement)
  return statement.all(db, { ...valuesOf(source), file: file ?? 0 })
}

function valuesOf({ maker, share, pool }: Source) {
  return { share, pool: pool?.rid ?? 0, maker: maker.id }
}

/** A file that a link shows; of a film that belongs to a picture, also that. */
export interface ShownFile {
  rid: number
  picture_rid: number | null
}

/** Returns the files that a link shows now, in their order. */
export function shownFiles(db: Db, source: Source): ShownFile[] {
  return rowsOf(db, source, null)
}

/** Returns the row numbers of at most so many files that a link shows now, in no order. */
export function someShown(db: Db, source: Source, most: number): number[] {
  const some = reading({ rid: files.rid }, (fields) => unsorted(db, source, fields).limit(most))
  return db.rows(some).map(({ rid }) => rid)
}

/** Returns how many files a link shows now. */
export function countShown(db: Db, source: Source): number {
  const shown = unsorted(db, source, { rid: files.rid }).as('shown')
  return db.first(reading({ files: count() }, (fields) => db.select(fields).from(shown)))!.files
}

function unsorted(db: Db, source: Source, fields: { rid: typeof files.rid }) {
  const rule = ruleOf(source, db, valuesOf(source))
  return db.select(fields).from(tableOf(source)).crossJoin(files).where(rule)
}

const namedUpTo = prepared(
  { share: shareFiles.share_rid, most: 'number' },
  (db, { share, most }) => {
    const first = db
      .select({ file: shareFiles.file_rid })
      .from(shareFiles)
      .where(eq(shareFiles.share_rid, share))
      .limit(asLimit(most))
      .as('first')
    return reading({ files: count().as('files') }, (fields) => db.select(fields).from(first))
  },
)

/** Returns how many files a link names; counts no further than `most`. */
export function countNamed(db: Db, share: number, most: number): number {
  return namedUpTo.get(db, { share, most })!.files
}

/** Returns the id of a file if the link shows it now. */
export function findShown(db: Db, source: Source, rid: number): string | undefined {
  return rowsOf(db, source, rid)[0]?.id
}

const described = prepared({ rids: 'text' }, (db, given) =>
  reading(
    {
      rid: files.rid,
      mime_type: files.mime_type,
      mime_extension: files.mime_extension,
      original_name: files.original_name,
      width: fileLooks.width,
      height: fileLooks.height,
      duration: fileLooks.duration,
      thumbhash: sql<string | null>`hex(${fileLooks.thumbhash})`.as('thumbhash'),
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .leftJoin(fileLooks, eq(fileLooks.file_rid, files.rid))
        .where(eq(files.rid, sql`j.value`))
        .orderBy(sql`j.key`),
  ),
)

/** Returns what a link tells of files, in the order given; the ThumbHash in hexadecimal. */
export function describeShown(db: Db, rids: number[]) {
  return described.all(db, { rids: JSON.stringify(rids) })
}

const own = prepared({ ids: 'text', maker: files.creator_id }, (db, given) =>
  reading({ rid: files.rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.ids}) AS j`)
      .crossJoin(files)
      .where(
        and(
          eq(files.id, sql`unhex(j.value)`),
          eq(files.is_deleted, false),
          sql`(${given.maker} = 0 OR ${files.creator_id} = ${given.maker})`,
        ),
      )
      .orderBy(sql`j.key`),
  ),
)

/** Returns those of the files that a link of the user may show, by their row numbers and in the order given. */
export function shareable(db: Db, { id, is_admin }: User, ids: string[]): number[] {
  const list = JSON.stringify(ids.map((one) => one.replaceAll('-', '')))
  return own.all(db, { ids: list, maker: is_admin ? 0 : id }).map(({ rid }) => rid)
}
