import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { columnNames } from '../../src/db/columns.ts'
import { prepared } from '../../src/db/prepared.ts'
import { reading } from '../../src/db/reading.ts'
import { fileDetails, files } from '../../src/db/schema/files.ts'
import { users } from '../../src/db/schema/users.ts'
import { asSql } from '../../src/db/sql.ts'

const ID = '018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f'
const OTHER = '018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e10'
const SHA256 = Buffer.alloc(32, 7)
const TAKEN = Date.UTC(2024, 4, 6, 7, 8, 9, 10)
/** Beyond what a double holds. */
const PHASH = '-9223372036854775807'

let folder: string
let db: Db
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-prepared-'))
  db = openDatabase(join(folder, 'tagstead.sqlite'), { migrations: 'drizzle' })
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0)",
  )
})
after(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const file = (id: string) => ({
  id,
  name_key: '',
  mime_type: 'image/jpeg',
  mime_extension: 'jpg',
  content_datetime: TAKEN,
  creator_id: 1,
  is_public: true,
  is_deleted: false,
  needs_review: true,
})

const inserted = prepared(
  {
    id: files.id,
    phash: files.phash,
    content_datetime: files.content_datetime,
    is_public: files.is_public,
  },
  (db, given) =>
    reading({ rid: files.rid, id: files.id, is_public: files.is_public }, (fields) =>
      db
        .insert(files)
        .values({ ...file(OTHER), ...given, phash: sql`CAST(${given.phash} AS INTEGER)` })
        .returning(fields),
    ),
)
const insertedDetails = prepared(
  { file_rid: fileDetails.file_rid, sha256: fileDetails.sha256 },
  (db, given) =>
    db.insert(fileDetails).values({
      ...given,
      blob: 'blob',
      size: 1,
      stored_at: TAKEN,
      derivative_state: 'made',
      exif: '{}',
    }),
)
const COLUMNS = {
  id: files.id,
  original_name: files.original_name,
  content_datetime: files.content_datetime,
  is_public: files.is_public,
  phash: sql<string | null>`CAST(${files.phash} AS TEXT)`.as('phash'),
  sha256: fileDetails.sha256,
}
const found = prepared(
  {
    id: files.id,
    sha256: fileDetails.sha256,
    taken: files.content_datetime,
    seen: files.is_public,
  },
  (db, given) =>
    reading(COLUMNS, (fields) =>
      db
        .select(fields)
        .from(files)
        .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
        .where(
          and(
            eq(files.id, given.id),
            eq(fileDetails.sha256, given.sha256),
            eq(files.content_datetime, given.taken),
            eq(files.is_public, given.seen),
          ),
        ),
    ),
)
const renamed = prepared({ id: files.id, name: files.original_name }, (db, given) =>
  db.update(files).set({ original_name: given.name }).where(eq(files.id, given.id)),
)
const removed = prepared({ id: files.id }, (db, given) =>
  reading({ id: files.id }, (fields) =>
    db.delete(files).where(eq(files.id, given.id)).returning(fields),
  ),
)

describe('a prepared query', () => {
  it('binds and reads every type of column', () => {
    const row = inserted.get(db, {
      id: ID,
      phash: PHASH,
      content_datetime: TAKEN,
      is_public: true,
    })
    assert.deepEqual(row, { rid: row?.rid, id: ID, is_public: true })
    assert.equal(insertedDetails.run(db, { file_rid: row!.rid, sha256: SHA256 }), 1)

    const values = { id: ID, sha256: SHA256, taken: TAKEN, seen: true }
    const [one, ...others] = found.all(db, values)
    assert.deepEqual(others, [])
    assert.ok(Buffer.from(one!.sha256).equals(SHA256))
    assert.deepEqual(
      { ...one, sha256: null },
      {
        id: ID,
        original_name: null,
        content_datetime: TAKEN,
        is_public: true,
        phash: PHASH,
        sha256: null,
      },
    )
    for (const wrong of [
      { id: OTHER },
      { sha256: Buffer.alloc(32) },
      { taken: TAKEN + 1 },
      { seen: false },
    ]) {
      assert.equal(found.get(db, { ...values, ...wrong }), undefined)
    }
    assert.equal(renamed.run(db, { id: ID, name: 'a.jpg' }), 1)
    assert.equal(found.get(db, values)?.original_name, 'a.jpg')
    assert.equal(renamed.run(db, { id: ID, name: null }), 1)
    assert.equal(found.get(db, values)?.original_name, null)
    assert.equal(renamed.run(db, { id: OTHER, name: 'a.jpg' }), 0)
    assert.deepEqual(removed.all(db, { id: ID }), [{ id: ID }])
    assert.equal(found.get(db, values), undefined)
  })

  it('is made anew for another connection', () => {
    const other = openDatabase(':memory:', { migrations: 'drizzle' })
    assert.equal(renamed.run(other, { id: ID, name: 'a.jpg' }), 0)
    other.close()
    assert.equal(renamed.run(db, { id: ID, name: 'a.jpg' }), 0)
  })

  it('names each value of a row by its field', () => {
    const renamed = prepared({}, (db) =>
      reading({ key: users.id, who: users.name, one: sql<number>`1` }, (fields) =>
        db.select(fields).from(users),
      ),
    )
    assert.deepEqual(renamed.all(db, {}), [{ key: 1, who: 'Ann', one: 1 }])
    const aliased = { one: sql<number>`1`.as('two') }
    const misnamed = () => reading(aliased, (fields) => db.select(fields).from(users))
    assert.throws(misnamed, /A query selects two as one/)
  })

  it('leaves null what is null, whatever its type', () => {
    const absent = prepared({}, (db) =>
      reading({ who: users.name, id: files.id, is_public: files.is_public }, (fields) =>
        db.select(fields).from(users).leftJoin(files, eq(files.creator_id, users.id)),
      ),
    )
    assert.deepEqual(absent.all(db, {}), [{ who: 'Ann', id: null, is_public: null }])
  })

  it('never reads a 64-bit integer as a number', () => {
    const rounded = prepared({}, (db) =>
      reading({ phash: files.phash }, (fields) => db.select(fields).from(files)),
    )
    inserted.get(db, { id: ID, phash: PHASH, content_datetime: TAKEN, is_public: false })
    assert.throws(() => rounded.all(db, {}), /is read as text/)
    removed.all(db, { id: ID })
  })
})

describe('a query that is built for one call', () => {
  it('binds and reads every type of column', () => {
    const phash = sql`CAST(${PHASH} AS INTEGER)`
    const { rid } = db.first(
      reading({ rid: files.rid }, (fields) =>
        db
          .insert(files)
          .values({ ...file(ID), phash })
          .returning(fields),
      ),
    )!
    const details = { blob: 'b', size: 1, stored_at: TAKEN, exif: '{}' }
    db.execute(
      db
        .insert(fileDetails)
        .values({ ...details, file_rid: rid, sha256: SHA256, derivative_state: 'made' }),
    )
    const one = db.first(
      reading(COLUMNS, (fields) =>
        db
          .select(fields)
          .from(files)
          .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
          .where(and(eq(files.id, ID), eq(fileDetails.sha256, SHA256), eq(files.is_public, true))),
      ),
    )
    assert.deepEqual([one?.id, one?.phash, one?.is_public], [ID, PHASH, true])
    assert.ok(one && Buffer.from(one.sha256).equals(SHA256))
  })

  it('tells how many rows it changed', () => {
    const trash = db.update(files).set({ is_deleted: true })
    assert.equal(db.execute(trash.where(eq(files.id, ID))), 1)
    assert.equal(db.execute(db.delete(files).where(eq(files.id, OTHER))), 0)
    assert.equal(db.execute(db.delete(files).where(eq(files.id, ID))), 1)
  })

  it('takes a condition that is written as text', () => {
    db.execute(db.insert(files).values([file(ID), file(OTHER)]))
    const f = columnNames(files, 'files')
    const condition = { sql: `${f.creator_id} = ? AND hex(${f.id}) LIKE ?`, params: [1, '%10'] }
    const rows = db.rows(
      reading({ id: files.id }, (fields) => db.select(fields).from(files).where(asSql(condition))),
    )
    assert.deepEqual(rows, [{ id: OTHER }])
  })
})
