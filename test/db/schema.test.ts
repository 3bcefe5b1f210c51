import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { is } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { blobToUuid, uuidToBlob } from '../../src/db/columns.ts'
import { idTime, newId } from '../../src/db/ids.ts'
import { type Tx, write } from '../../src/db/write.ts'

const CHAPTERS = new URL('../../src/db/schema/', import.meta.url)
const chapters = await Promise.all(
  readdirSync(CHAPTERS)
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name): Promise<object> => import(new URL(name, CHAPTERS).href)),
)

let folder: string
let db: Db
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-schema-'))
  db = openDatabase(join(folder, 'tagstead.sqlite'), { migrations: 'drizzle' })
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0), (2, 'Bob', '', 0, 1, 0)",
  )
})
after(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const number = (sql: string, ...params: (string | number)[]) =>
  db.get<{ n: number }>(sql, ...params)!.n

/** Returns an id as in a write of that time; some of the tests are in a transaction of their own. */
const idAt = (table: Parameters<typeof newId>[1], now: number) =>
  newId(Object.assign(db, { now, operation: null }) as Tx, table)

describe('the migrated database', () => {
  const tables = chapters
    .flatMap((chapter): unknown[] => Object.values(chapter))
    .filter((item): item is SQLiteTable => is(item, SQLiteTable))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

  it('has the tables of the schema, all of them strict', () => {
    const found = db.all<{ name: string; strict: number }>(
      `SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT LIKE 'sqlite%' AND name <> '__drizzle_migrations' ORDER BY name`,
    )
    const expected = tables.map((table) => ({ name: getTableConfig(table).name, strict: 1 }))
    assert.deepEqual(found, expected.sort(byName))
    assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
  })

  it('has the columns of a key first, where rows are kept by it', () => {
    const kept = db.all<{ name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 1",
    )
    assert.ok(kept.length > 3)
    for (const { name } of kept) {
      const key = db.all<{ cid: number }>(
        'SELECT cid FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk',
        name,
      )
      // Of others, the integrity_check of SQLite 3.40 says that they hold NULL.
      assert.deepEqual(
        key.map(({ cid }) => cid),
        key.map((_, n) => n),
        name,
      )
    }
  })

  for (const table of tables) {
    const config = getTableConfig(table)
    const { name } = config

    it(`has the columns of ${name}`, () => {
      const composite = config.primaryKeys[0]?.columns.map((column) => column.name) ?? []
      const expected = config.columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: column.notNull ? 1 : 0,
        dflt_value: column.default === undefined ? null : String(column.default),
        pk: column.primary ? 1 : composite.indexOf(column.name) + 1,
      }))
      const found = db.all(
        'SELECT name, upper(type) AS type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)',
        name,
      )
      assert.deepEqual(found, expected)
    })

    it(`has the indexes of ${name}`, () => {
      const declared = config.indexes.map(({ config: { name, unique, columns, where } }) => ({
        name,
        unique: unique ? 1 : 0,
        partial: where ? 1 : 0,
        columns: columns.map((column) => (column as { name: string }).name).join(),
      }))
      const constraints = config.uniqueConstraints.map((constraint) => ({
        name: constraint.getName()!,
        unique: 1,
        partial: 0,
        columns: constraint.columns.map((column) => column.name).join(),
      }))
      const columns = config.columns
        .filter((column) => column.isUnique)
        .map((column) => ({
          name: column.uniqueName!,
          unique: 1,
          partial: 0,
          columns: column.name,
        }))
      const found = db.all<{ name: string }>(
        `SELECT name, "unique", partial,
         (SELECT ifnull(group_concat(name), '') FROM pragma_index_info(i.name)) AS columns
         FROM pragma_index_list(?) i WHERE origin = 'c'`,
        name,
      )
      assert.deepEqual(found.sort(byName), [...declared, ...constraints, ...columns].sort(byName))
    })

    it(`has the foreign keys and checks of ${name}`, () => {
      const expected = config.foreignKeys.map((key) => {
        const { columns, foreignTable, foreignColumns } = key.reference()
        return {
          name: columns[0]!.name,
          table: getTableConfig(foreignTable).name,
          to: foreignColumns[0]!.name,
          on_delete: (key.onDelete ?? 'no action').toUpperCase(),
        }
      })
      const found = db.all<{ name: string }>(
        'SELECT "from" AS name, "table", "to", on_delete FROM pragma_foreign_key_list(?)',
        name,
      )
      assert.deepEqual(found.sort(byName), expected.sort(byName))
      const { sql } = db.get<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', name)!
      for (const { name, value } of config.checks) {
        const text = value.queryChunks
          .map((chunk) => (chunk as { value: string[] }).value[0])
          .join('')
        assert.ok(sql.includes(`CONSTRAINT "${name}" CHECK(${text})`), name)
      }
    })
  }

  it('runs under the pragmas that it was opened with', () => {
    const wanted = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      temp_store: 2,
      cache_size: -65_536,
      journal_size_limit: 67_108_864,
    }
    for (const [name, value] of Object.entries(wanted)) {
      assert.deepEqual(db.get(`PRAGMA ${name}`), { [name]: value })
    }
    assert.deepEqual(db.get('PRAGMA busy_timeout'), { timeout: 5000 })
    // A build without memory mapping answers nothing.
    assert.deepEqual(db.get('PRAGMA mmap_size') ?? { mmap_size: 0 }, { mmap_size: 0 })
  })

  it('records what Drizzle itself would record of its migrations', () => {
    assert.deepEqual(
      db.all('SELECT hash, created_at FROM __drizzle_migrations ORDER BY created_at'),
      readMigrationFiles({ migrationsFolder: 'drizzle' }).map(({ hash, folderMillis }) => ({
        hash,
        created_at: folderMillis,
      })),
    )
  })

  it('is not changed by a second opening', () => {
    const before = db.all('SELECT name, sql FROM sqlite_schema ORDER BY name')
    openDatabase(join(folder, 'tagstead.sqlite'), { migrations: 'drizzle' }).close()
    assert.deepEqual(db.all('SELECT name, sql FROM sqlite_schema ORDER BY name'), before)
  })
})

describe('migrations', () => {
  it('are applied all or none, and those that lack once they can be', () => {
    const migrations = join(folder, 'migrations')
    mkdirSync(join(migrations, 'meta'), { recursive: true })
    const entries = ['first', 'second'].map((tag, idx) => ({ idx, tag, when: idx + 1 }))
    writeFileSync(join(migrations, 'meta', '_journal.json'), JSON.stringify({ entries }))
    writeFileSync(join(migrations, 'first.sql'), 'CREATE TABLE one (a)')
    const second = join(migrations, 'second.sql')
    writeFileSync(second, 'CREATE TABLE two (a); INSERT INTO absent VALUES (1)')
    const path = join(folder, 'migrated.sqlite')
    assert.throws(() => openDatabase(path, { migrations }), /absent/)
    const tables = (opening: Parameters<typeof openDatabase>[1]) => {
      const opened = openDatabase(path, opening)
      const names = opened.all<{ name: string }>('SELECT name FROM sqlite_schema ORDER BY name')
      opened.close()
      return names.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
    }
    assert.deepEqual(tables({}), [])
    writeFileSync(second, 'CREATE TABLE two (a)')
    assert.deepEqual(tables({ migrations }), ['__drizzle_migrations', 'one', 'two'])
  })
})

function addFile(id: string, name: string): void {
  db.run(
    `INSERT INTO files (id, name_key, mime_type, mime_extension, content_datetime, creator_id,
     is_public, is_deleted, needs_review) VALUES (?, ?, 'image/png', 'png', 0, 1, 0, 0, 1)`,
    uuidToBlob(id),
    name,
  )
}
function addTag(id: string): void {
  db.run(
    "INSERT INTO tags (id, name, name_key, creator_id, is_public) VALUES (?, ?, '', 1, 0)",
    uuidToBlob(id),
    id,
  )
}

describe('the triggers', () => {
  const versionOf = (name: string) => () =>
    number('SELECT version AS n FROM cache_versions WHERE name = ?', name)
  const renews = (read: () => number, sql: string, ...params: number[]) => {
    const before = read()
    db.run(sql, ...params)
    assert.notEqual(read(), before, sql)
  }

  it('keep counters, search and rights right under random changes', () => {
    // A linear congruential generator: the same changes in each run.
    let state = 20_260_101
    const below = (n: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * n)
    }
    const some = (table: 'files' | 'tags') => {
      const offset = below(number(`SELECT count(*) AS n FROM ${table}`) || 1)
      return db.get<{ rid: number }>(`SELECT rid FROM ${table} LIMIT 1 OFFSET ?`, offset)?.rid ?? 0
    }
    const changes = [
      () => addFile(idAt('files', below(1000)), `name ${below(50)}`),
      () => addFile(idAt('files', below(1000)), `naïve ${below(50)}`),
      () => addTag(idAt('tags', below(1000))),
      () =>
        db.run(
          'INSERT OR IGNORE INTO file_tags (file_rid, tag_rid) SELECT f.rid, t.rid FROM files f, tags t WHERE (f.rid + t.rid) % 7 = ?',
          below(7),
        ),
      () => db.run('DELETE FROM file_tags WHERE file_rid = ?', some('files')),
      () => db.run('DELETE FROM file_tags WHERE (file_rid + tag_rid) % 5 = ?', below(5)),
      () =>
        db.run(
          "INSERT OR IGNORE INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (2, 'file', ?, 1, 0)",
          some('files') || 1,
        ),
      () =>
        db.run(
          "INSERT OR IGNORE INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (2, 'tag', ?, 1, 0)",
          some('tags') || 1,
        ),
      () =>
        db.run('UPDATE files SET name_key = ? WHERE rid = ?', `other ${below(50)}`, some('files')),
      () => db.run('DELETE FROM files WHERE rid = ?', some('files')),
      () => db.run('DELETE FROM tags WHERE rid = ?', below(3) === 0 ? some('tags') : 0),
    ]
    db.run('BEGIN')
    for (let i = 0; i < 1500; i++) changes[below(changes.length)]!()
    db.run('COMMIT')
    assert.ok(number('SELECT count(*) AS n FROM file_tags') > 20)
    const wrong = (sql: string) => assert.equal(number(`SELECT count(*) AS n FROM ${sql}`), 0, sql)
    wrong('files WHERE tag_count <> (SELECT count(*) FROM file_tags WHERE file_rid = files.rid)')
    wrong('tags WHERE file_count <> (SELECT count(*) FROM file_tags WHERE tag_rid = tags.rid)')
    wrong("acl WHERE object_type = 'file' AND object_rid NOT IN (SELECT rid FROM files)")
    wrong("acl WHERE object_type = 'tag' AND object_rid NOT IN (SELECT rid FROM tags)")
    // Throws when the index does not tell what the table holds.
    db.run("INSERT INTO files_fts (files_fts, rank) VALUES ('integrity-check', 1)")
    const found = number('SELECT count(*) AS n FROM files_fts WHERE files_fts MATCH \'"other 1"\'')
    assert.equal(found, number("SELECT count(*) AS n FROM files WHERE name_key LIKE 'other 1%'"))
  })

  it('renew the version of tags', () => {
    addTag('00000000-0000-7000-8000-000000000001')
    const tag = number('SELECT max(rid) AS n FROM tags')
    const version = versionOf('tags')
    db.run("INSERT INTO categories VALUES (1, zeroblob(16), 'c', 'c', NULL, NULL, NULL, 1, 0)")
    // A category that no tag has: no tag changes with it.
    db.run("INSERT INTO categories VALUES (2, randomblob(16), 'd', 'd', NULL, NULL, NULL, 1, 0)")
    renews(version, 'DELETE FROM categories WHERE rid = 2')
    renews(version, 'UPDATE tags SET category_rid = 1 WHERE rid = ?', tag)
    renews(version, "UPDATE categories SET color = 'ffffff'")
    renews(version, "UPDATE users SET name = 'Anna' WHERE id = 1")
    renews(version, 'DELETE FROM categories')
    assert.equal(number('SELECT count(*) AS n FROM tags WHERE category_rid = 1'), 0)
    renews(version, 'DELETE FROM tags WHERE rid = ?', tag)
  })

  it('renew the version of contents when one comes, is replaced, goes, or is handed over', () => {
    const version = versionOf('contents')
    for (const end of [
      'DELETE FROM files WHERE rid = ?',
      'DELETE FROM file_details WHERE file_rid = ?',
    ]) {
      addFile(idAt('files', 0), 'content')
      const file = number('SELECT max(rid) AS n FROM files')
      renews(
        version,
        `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
         VALUES (?, hex(randomblob(16)), 1, zeroblob(32), 0, 'made', '{}')`,
        file,
      )
      renews(version, 'UPDATE file_details SET sha256 = randomblob(32) WHERE file_rid = ?', file)
      renews(version, 'UPDATE files SET creator_id = 2 WHERE rid = ?', file)
      renews(version, end, file)
    }
  })
})

describe('write', () => {
  it('returns what the work returns, and rolls back whatever it throws', () => {
    const count = () => number("SELECT count(*) AS n FROM users WHERE name LIKE 'w%'")
    const add = (name: string) =>
      db.run(
        "INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked) VALUES (?, '', 0, 0, 0)",
        name,
      )
    assert.equal(
      write(db, { now: 0 }, () => add('w1')),
      1,
    )
    const failure = new Error('no')
    const failed = () =>
      write(db, { now: 0 }, () => {
        add('w2')
        throw failure
      })
    assert.throws(failed, failure)
    assert.throws(() => write(db, { now: 0 }, () => [add('w3'), add('w1')].length), /UNIQUE/)
    assert.throws(
      () => write(db, { now: 0 }, () => write(db, { now: 0 }, () => add('w4'))),
      /within a transaction/,
    )
    assert.equal(count(), 1)
    assert.equal(
      write(db, { now: 0 }, () => add('w5')),
      1,
    )
  })

  it('takes no promise, by its type', () => {
    // @ts-expect-error A transaction can't wait.
    const refused = () => write(db, { now: 0 }, async () => 1)
    assert.equal(typeof refused, 'function')
  })
})

describe('a new id', () => {
  it('is greater than the last one though the clock steps back and old rows go', () => {
    const ids: string[] = []
    for (const now of [5000, 5000, 4000, 1, 5001, 4999, 9000]) {
      for (let i = 0; i < 20; i++) {
        const id = idAt('pools', now)
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        ids.push(id)
        db.run(
          `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
           VALUES (?, '', '', 1, 0, 'manual', 'asc')`,
          uuidToBlob(id),
        )
        if (i % 5 === 4) db.run('DELETE FROM pools WHERE rid = (SELECT min(rid) FROM pools)')
      }
    }
    assert.deepEqual(ids, [...new Set(ids)].sort())
    assert.deepEqual([idTime(ids[0]!), idTime(ids[60]!), idTime(ids.at(-1)!)], [5000, 5000, 9000])
    const stored = db.all<{ id: Uint8Array }>('SELECT id FROM pools ORDER BY rid')
    assert.deepEqual(
      stored.map((row) => blobToUuid(row.id)),
      stored.map((row) => blobToUuid(row.id)).sort(),
    )
  })

  it('goes on with the next millisecond where the random part is used up', () => {
    const last = '00000000-2710-7fff-bfff-ffffffffffff'
    addTag(last)
    const id = idAt('tags', 1)
    assert.ok(id > last)
    assert.equal(idTime(id), 0x2711)
  })
})
