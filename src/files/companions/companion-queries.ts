import { and, eq, or, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { companions, files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'

const { film_rid, picture_rid } = companions

/** The two files of a living picture, by their row numbers. */
type Pair = typeof companions.$inferSelect

const inserted = prepared({ film_rid, picture_rid }, (db, given) =>
  db.insert(companions).values(given),
)

/** Makes a pair of a film and a picture, neither of which is in one. */
export function insertPair(tx: Tx, pair: Pair): void {
  inserted.run(tx, pair)
}

const deleted = prepared({ rid: film_rid }, (db, { rid }) =>
  db.delete(companions).where(or(eq(film_rid, rid), eq(picture_rid, rid))),
)

/** Takes the pair of a file apart, be it the film or the picture; without a pair, it does nothing. */
export function deletePairOf(tx: Tx, rid: number): void {
  deleted.run(tx, { rid })
}

const ofFile = prepared({ rid: film_rid }, (db, { rid }) =>
  reading({ film_rid, picture_rid }, (fields) =>
    db
      .select(fields)
      .from(companions)
      .where(or(eq(film_rid, rid), eq(picture_rid, rid))),
  ),
)

/** Returns the pair of a file, be it the film or the picture. */
export function pairOf(db: Db, rid: number): Pair | undefined {
  return ofFile.get(db, { rid })
}

const among = prepared({ rids: 'text' }, (db, given) =>
  reading({ film_rid, picture_rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(companions)
      .where(eq(film_rid, sql`j.value`)),
  ),
)

/** Returns the pairs whose films are among the files, whoever may view them. */
export function pairsOfFilms(db: Db, rids: number[]): Pair[] {
  return among.all(db, { rids: JSON.stringify(rids) })
}

const one = prepared({}, (db) =>
  reading({ film_rid }, (fields) => db.select(fields).from(companions).limit(1)),
)

/** Returns whether there are any pairs. */
export function hasPairs(db: Db): boolean {
  return one.get(db, {}) !== undefined
}

// Two texts are much quicker to read than many rows.
const all = prepared({}, (db) =>
  reading(
    {
      films: sql<string>`json_group_array(${film_rid})`,
      pictures: sql<string>`json_group_array(${picture_rid})`,
    },
    (fields) => db.select(fields).from(companions),
  ),
)

/** Returns all pairs, whoever may view them. */
export function allPairs(db: Db): Pair[] {
  const { films, pictures } = all.get(db, {})!
  const pictureRids = JSON.parse(pictures) as number[]
  return (JSON.parse(films) as number[]).map((film_rid, n) => ({
    film_rid,
    picture_rid: pictureRids[n]!,
  }))
}

const picturesFor = preparedWithAccess('file', { rids: 'text' }, (db, given, allowed) =>
  reading({ film_rid, id: files.id }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(companions)
      .crossJoin(files)
      .where(and(eq(film_rid, sql`j.value`), eq(files.rid, picture_rid), allowed.sql)),
  ),
)

/** Returns the ids of the pictures that films belong to and that the viewer may view, by the films' row numbers. */
export function picturesOf(db: Db, viewer: User, rids: number[]): Map<number, string> {
  const given = { rids: JSON.stringify(rids), user: viewer.id }
  const rows = picturesFor(viewer, 'view').all(db, given)
  return new Map(rows.map((row) => [row.film_rid, row.id]))
}

const filmsFor = preparedWithAccess(
  'file',
  { rids: 'text', is_deleted: files.is_deleted },
  (db, given, allowed) =>
    reading({ picture_rid, id: files.id }, (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(companions)
        .crossJoin(files)
        .where(
          and(
            eq(picture_rid, sql`j.value`),
            eq(files.rid, film_rid),
            eq(files.is_deleted, given.is_deleted),
            allowed.sql,
          ),
        ),
    ),
)

/**
 * Returns the ids of the films of pictures, by the row numbers of these: those that the viewer may view and that are in
 * the trash, or not, as `trash` says.
 */
export function filmsOf(db: Db, viewer: User, rids: number[], trash: boolean): Map<number, string> {
  const given = { rids: JSON.stringify(rids), is_deleted: trash, user: viewer.id }
  const rows = filmsFor(viewer, 'view').all(db, given)
  return new Map(rows.map((row) => [row.picture_rid, row.id]))
}
