import { accessCondition } from '../acl/access.ts'
import type { ObjectType } from '../base/enums.ts'
import { MINUTE } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { acl } from '../db/schema/acl.ts'
import { duplicateDismissals } from '../db/schema/duplicates.ts'
import { companions, favourites, fileDetails, files, fileTags } from '../db/schema/files.ts'
import { poolFiles, pools } from '../db/schema/pools.ts'
import { categories, tagRules, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { createNames } from '../files/archive/names.ts'
import { shownPath } from '../tags/described/shown-path.ts'

// All of this runs on a copy of the database that one export has for itself, and to which it adds its tables:
// `export_objects`, what it may name; `export_files`, its files with their paths; `export_earlier`, the paths that
// earlier runs may have written.

const a = columnNames(acl, 'a')
const c = columnNames(categories, 'c')
const d = columnNames(fileDetails, 'd')
const dd = columnNames(duplicateDismissals, 'dd')
const f = columnNames(files, 'f')
const fa = columnNames(favourites, 'fa')
const ft = columnNames(fileTags, 'ft')
const k = columnNames(companions, 'k')
const p = columnNames(pools, 'p')
const pf = columnNames(poolFiles, 'pf')
const r = columnNames(tagRules, 'r')
const t = columnNames(tags, 't')
const u = columnNames(users, 'u')

/** Who looks: a user, or nobody, who sees all as an admin does and names all rights. */
export type Seer = User

/** How many rows are read at once. */
const STRETCH = 500

const OBJECTS = {
  category: { table: 'categories c', alias: 'c', names: c, isThere: '1' },
  tag: { table: 'tags t', alias: 't', names: t, isThere: `${t.is_deleted} = 0` },
  // A pool that fills itself has no files, and to those who may not edit it nothing tells which it would have.
  pool: { table: 'pools p', alias: 'p', names: p, isThere: `${p.is_deleted} = 0` },
} as const

/** Adds the tables of an export to the copy, with the tags, categories and pools that `seer` sees. */
export function prepareSnapshot(db: Db, seer: Seer): void {
  // Nobody needs the copy after a power cut.
  db.run('PRAGMA synchronous = 0')
  db.run('BEGIN')
  db.run(`CREATE TABLE export_objects (type TEXT NOT NULL, rid INTEGER NOT NULL, number INTEGER,
    PRIMARY KEY (type, rid)) WITHOUT ROWID`)
  db.run('CREATE TABLE export_files (rid INTEGER PRIMARY KEY, month TEXT NOT NULL, path TEXT)')
  db.run('CREATE TABLE export_earlier (path TEXT PRIMARY KEY, sha256 TEXT) WITHOUT ROWID')
  for (const [type, { table, alias, names, isThere }] of Object.entries(OBJECTS)) {
    const sees = accessCondition(seer, type as ObjectType, 'view', alias)
    const edits = accessCondition(seer, type as ObjectType, 'edit', alias)
    const isPool = type === 'pool'
    db.run(
      `INSERT INTO export_objects SELECT '${type}', ${names.rid}, row_number() OVER (ORDER BY ${names.rid}) - 1
       FROM ${table} WHERE ${isThere} AND ${sees.sql}
         ${isPool ? `AND (${p.filter} IS NULL OR ${edits.sql})` : ''}`,
      ...sees.params,
      ...(isPool ? edits.params : []),
    )
  }
  db.run('COMMIT')
}

type Planned = Pick<
  typeof files.$inferSelect,
  'rid' | 'original_name' | 'mime_extension' | 'content_datetime' | 'content_offset'
>

/** What Windows and its file systems refuse in a name, beside what no archive has; and what hides a file elsewhere. */
const UNWANTED = /^\.|[<>"|?*]/g

const monthOf = (clock: number) => new Date(clock).toISOString().slice(0, 7)
const clockOf = (file: Planned) => file.content_datetime + (file.content_offset ?? 0) * MINUTE

/**
 * Gives each file its path in the export, by the month in which it was taken and the order of creation. Files in the
 * trash are left out.
 */
export function planFiles(db: Db, rids: Iterable<number>): void {
  const planned = `${f.rid}, ${f.original_name}, ${f.mime_extension}, ${f.content_datetime}, ${f.content_offset}`
  db.run('BEGIN')
  for (const list of inStretches(rids)) {
    const found = db.all<Planned>(
      `SELECT ${planned} FROM json_each(?) j CROSS JOIN files f
       WHERE ${f.rid} = j.value AND ${f.is_deleted} = 0`,
      JSON.stringify(list),
    )
    for (const file of found) {
      db.run(
        'INSERT INTO export_files (rid, month) VALUES (?, ?)',
        file.rid,
        monthOf(clockOf(file)),
      )
    }
  }
  db.run('CREATE INDEX export_files_month ON export_files (month, rid)')
  let [month, rid] = ['', 0]
  let nameOf = createNames([])
  for (;;) {
    const found = db.all<Planned & { month: string }>(
      `SELECT ${planned}, e.month FROM export_files e CROSS JOIN files f
       WHERE ${f.rid} = e.rid AND (e.month, e.rid) > (?, ?) ORDER BY e.month, e.rid LIMIT ${STRETCH}`,
      month,
      rid,
    )
    for (const file of found) {
      if (file.month !== month) nameOf = createNames([])
      ;({ month, rid } = file)
      const clock = clockOf(file)
      // A name that is the same in each export of the file: its id is new in each library.
      const id = new Date(clock).toISOString().slice(11, 19).replaceAll(':', '')
      const original_name = file.original_name?.replace(UNWANTED, '_') ?? null
      const name = nameOf({ ...file, original_name, id, clock })
      const path = `${month.slice(0, 4)}/${month}/${name}`
      db.run('UPDATE export_files SET path = ? WHERE rid = ?', path, rid)
    }
    if (found.length < STRETCH) break
  }
  db.run('CREATE UNIQUE INDEX export_files_path ON export_files (path)')
  db.run('COMMIT')
}

function* inStretches(rids: Iterable<number>): Generator<number[]> {
  let list: number[] = []
  for (const rid of rids) {
    list.push(rid)
    if (list.length < STRETCH) continue
    yield list
    list = []
  }
  yield list
}

/** Remembers paths of an earlier run with the digests of their contents: null where two runs differ. */
export function addEarlier(db: Db, lines: { path: string; sha256: string }[]): void {
  db.run('BEGIN')
  for (const { path, sha256 } of lines) {
    db.run(
      `INSERT INTO export_earlier VALUES (?, ?) ON CONFLICT (path) DO UPDATE
       SET sha256 = CASE WHEN sha256 = excluded.sha256 THEN sha256 END`,
      path,
      sha256,
    )
  }
  db.run('COMMIT')
}

/** Returns paths that no earlier run can have written, in order. */
export function newPaths(db: Db, after: string): string[] {
  return db
    .all<{ path: string }>(
      `SELECT path FROM export_files n WHERE path > ?
         AND NOT EXISTS (SELECT 1 FROM export_earlier e WHERE e.path = n.path)
       ORDER BY path LIMIT ${STRETCH}`,
      after,
    )
    .map(({ path }) => path)
}

/** Leaves a file out of the export. */
export function leaveOut(db: Db, path: string): void {
  db.run('DELETE FROM export_files WHERE path = ?', path)
}

/** Returns paths of earlier runs that no file has now, in order. */
export function obsoletePaths(db: Db, after: string): string[] {
  return db
    .all<{ path: string }>(
      `SELECT path FROM export_earlier e WHERE path > ?
         AND NOT EXISTS (SELECT 1 FROM export_files n WHERE n.path = e.path)
       ORDER BY path LIMIT ${STRETCH}`,
      after,
    )
    .map(({ path }) => path)
}

/** A file that is to be written. */
export interface Exported {
  rid: number
  path: string
  blob: string
  size: number
  sha256: string
  content_datetime: number
  /** The digest of what an earlier run wrote there; null where that is nothing, or not known. */
  earlier: string | null
}

/** Returns files with their paths, in the order of paths. */
export function filesToWrite(db: Db, after: string): Exported[] {
  return db.all<Exported>(
    `SELECT e.rid, e.path, ${d.blob}, ${d.size}, lower(hex(${d.sha256})) AS sha256, ${f.content_datetime}, b.sha256 AS earlier
     FROM export_files e CROSS JOIN files f CROSS JOIN file_details d
     LEFT JOIN export_earlier b ON b.path = e.path
     WHERE ${f.rid} = e.rid AND ${d.file_rid} = e.rid AND e.path > ?
     ORDER BY e.path LIMIT ${STRETCH}`,
    after,
  )
}

/** Returns how many files there are, and the bytes of their contents. */
export function countFiles(db: Db): { files: number; bytes: number } {
  return db.get<{ files: number; bytes: number }>(
    `SELECT count(*) AS files, total(${d.size}) AS bytes FROM export_files e
     JOIN file_details d ON ${d.file_rid} = e.rid`,
  )!
}

const asTold = (json: string | null) =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>)

/** An object's creator, and the access list that people gave it where `seer` may name that, as JSON. */
const ownedBy = (type: ObjectType, rid: string, creator: string) => `(
  SELECT name FROM users WHERE id = ${creator}) AS creator,
  CASE WHEN ? IN (0, ${creator}) THEN (
    SELECT json_group_array(json_object('user', name, 'can_view', view, 'can_edit', edit))
    FROM (SELECT ${u.name} AS name, ${a.can_view} AS view, ${a.can_edit} AS edit
      FROM acl a JOIN users u ON ${u.id} = ${a.user_id}
      WHERE ${a.object_type} = '${type}' AND ${a.object_rid} = ${rid} AND ${a.pool_rid} = 0
        AND ${u.is_deleted} = 0
      ORDER BY ${u.name})) END AS rights`

interface Owned {
  creator: string
  is_public: number
  rights: string | null
  notes: string | null
  metadata: string | null
}

/** Returns the fields that objects of all kinds have, as lines have them; undefined is left out of JSON. */
function owned(row: Owned) {
  const rights = JSON.parse(row.rights ?? '[]') as {
    user: string
    can_view: number
    can_edit: number
  }[]
  return {
    notes: row.notes ?? undefined,
    metadata: asTold(row.metadata) ?? undefined,
    creator: row.creator,
    is_public: row.is_public === 1 || undefined,
    rights:
      rights.length === 0
        ? undefined
        : rights.map(({ user, can_view, can_edit }) => ({
            user,
            can_view: can_view === 1 ? undefined : false,
            can_edit: can_edit === 1 || undefined,
          })),
  }
}

/** Returns the names of those who are named in the export, sorted. */
export function namedUsers(db: Db, seer: Seer): string[] {
  const [creators, named] = [
    `SELECT ${f.creator_id} FROM export_files e JOIN files f ON ${f.rid} = e.rid`,
    `SELECT 'file' AS type, rid FROM export_files UNION ALL SELECT type, rid FROM export_objects`,
  ]
  const makers = Object.entries(OBJECTS).map(
    ([type, { table, names }]) =>
      `SELECT ${names.creator_id} FROM export_objects o JOIN ${table} ON ${names.rid} = o.rid AND o.type = '${type}'`,
  )
  const made = ['file', ...Object.keys(OBJECTS)].map((type) => {
    const table = type === 'file' ? 'files' : { ...OBJECTS }[type as 'tag'].table.split(' ')[0]
    return `SELECT ${a.user_id} FROM acl a JOIN ${table} x ON x.rid = ${a.object_rid}
      JOIN named n ON n.type = ${a.object_type} AND n.rid = ${a.object_rid}
      WHERE ${a.object_type} = '${type}' AND ${a.pool_rid} = 0 AND (SELECT id FROM me) IN (0, x.creator_id)`
  })
  const liked = `SELECT ${fa.user_id} FROM favourites fa JOIN export_files e ON e.rid = ${fa.file_rid}
    WHERE (SELECT id FROM me) IN (0, ${fa.user_id})`
  const all = [creators, ...makers, ...made, liked].join(' UNION ')
  return db
    .all<{ name: string }>(
      `WITH me(id) AS (SELECT ?), named AS (${named})
       SELECT ${u.name} AS name FROM users u WHERE ${u.id} IN (${all}) GROUP BY ${u.name} ORDER BY ${u.name}`,
      seer.id,
    )
    .map(({ name }) => name)
}

/** Returns the next categories as lines, after a row number. */
export function categoryLines(db: Db, seer: Seer, after: number) {
  const rows = db.all<Owned & { rid: number; name: string; color: string | null }>(
    `SELECT ${c.rid}, ${c.name}, ${c.color}, ${c.notes}, ${c.metadata}, ${c.is_public},
       ${ownedBy('category', c.rid, c.creator_id)}
     FROM export_objects o CROSS JOIN categories c
     WHERE o.type = 'category' AND o.rid > ? AND ${c.rid} = o.rid ORDER BY o.rid LIMIT ${STRETCH}`,
    seer.id,
    after,
  )
  return rows.map((row) => ({
    rid: row.rid,
    line: {
      type: 'category' as const,
      name: row.name,
      color: row.color ?? undefined,
      ...owned(row),
    },
  }))
}

/** Returns the next tags as lines, after a row number. */
export function tagLines(db: Db, seer: Seer, after: number) {
  const rows = db.all<
    Owned & {
      rid: number
      name: string
      color: string | null
      category: string | null
      creator_id: number
    }
  >(
    `SELECT ${t.rid}, ${t.creator_id}, ${t.name}, ${t.color}, ${t.notes}, ${t.metadata}, ${t.is_public}, ${c.name} AS category,
       ${ownedBy('tag', t.rid, t.creator_id)}
     FROM export_objects o CROSS JOIN tags t
     LEFT JOIN export_objects oc ON oc.type = 'category' AND oc.rid = ${t.category_rid}
     LEFT JOIN categories c ON ${c.rid} = oc.rid
     WHERE o.type = 'tag' AND o.rid > ? AND ${t.rid} = o.rid ORDER BY o.rid LIMIT ${STRETCH}`,
    seer.id,
    after,
  )
  return rows.map((row) => ({
    rid: row.rid,
    line: {
      type: 'tag' as const,
      name: row.name,
      color: row.color ?? undefined,
      category: row.category ?? undefined,
      ...owned(row),
      metadata: shownMetadata(db, seer, row),
    },
  }))
}

function shownMetadata(db: Db, seer: Seer, row: Pick<Owned, 'metadata'> & { creator_id: number }) {
  const metadata = asTold(row.metadata)
  if (!metadata?.xmp_path) return metadata ?? undefined
  const { creator_id } = row
  return { ...metadata, xmp_path: shownPath(db, seer, { path: metadata.xmp_path, creator_id }) }
}

/** Returns the rules between tags that the export names as lines, by the creation of their tags. */
export function ruleLines(db: Db) {
  const rows = db.all<{ when: string; then: string; is_active: number }>(
    `SELECT w.name AS "when", t.name AS "then", ${r.is_active}
     FROM tag_rules r JOIN tags w ON w.rid = ${r.when_tag_rid} JOIN tags t ON ${t.rid} = ${r.then_tag_rid}
     JOIN export_objects ow ON ow.type = 'tag' AND ow.rid = w.rid
     JOIN export_objects ot ON ot.type = 'tag' AND ot.rid = ${t.rid}
     ORDER BY ${r.when_tag_rid}, ${r.then_tag_rid}`,
  )
  return rows.map(({ when, then, is_active }) => ({
    type: 'rule' as const,
    when,
    then,
    is_active: is_active === 1 ? undefined : false,
  }))
}

type FileRow = Owned &
  Pick<
    typeof files.$inferSelect & typeof fileDetails.$inferSelect,
    | 'rid'
    | 'original_name'
    | 'content_datetime'
    | 'content_offset'
    | 'date_source'
    | 'date_precision'
    | 'size'
    | 'rotation'
  > & {
    path: string
    needs_review: number
    sha256: string
    /** Names by hand, names by rule, names of users, each as JSON. */
    by_hand: string
    by_rule: string
    liked_by: string
  }

const tagsOn = (rid: string, byHand: 0 | 1) => `(
  SELECT json_group_array(name) FROM (SELECT ${t.name} AS name FROM file_tags ft
    JOIN export_objects o ON o.type = 'tag' AND o.rid = ${ft.tag_rid} JOIN tags t ON ${t.rid} = o.rid
    WHERE ${ft.file_rid} = ${rid} AND ${ft.by_hand} = ${byHand} ORDER BY o.rid))`

/** Returns the next files as lines, after a row number. */
export function fileLines(db: Db, seer: Seer, after: number) {
  const rows = db.all<FileRow>(
    `SELECT ${f.rid}, e.path, ${f.original_name}, ${f.content_datetime}, ${f.content_offset}, ${f.date_source},
       ${f.date_precision}, ${f.is_public}, ${f.needs_review}, ${d.size}, lower(hex(${d.sha256})) AS sha256,
       ${d.notes}, ${d.metadata}, ${d.rotation}, ${ownedBy('file', f.rid, f.creator_id)},
       ${tagsOn(f.rid, 1)} AS by_hand, ${tagsOn(f.rid, 0)} AS by_rule,
       (SELECT json_group_array(name) FROM (SELECT ${u.name} AS name FROM favourites fa
         JOIN users u ON ${u.id} = ${fa.user_id}
         WHERE ${fa.file_rid} = ${f.rid} AND ? IN (0, ${fa.user_id}) AND ${u.is_deleted} = 0
         ORDER BY ${u.name})) AS liked_by
     FROM export_files e CROSS JOIN files f CROSS JOIN file_details d
     WHERE e.rid > ? AND ${f.rid} = e.rid AND ${d.file_rid} = e.rid ORDER BY e.rid LIMIT ${STRETCH}`,
    seer.id,
    seer.id,
    after,
  )
  return rows.map((row) => ({
    rid: row.rid,
    line: {
      type: 'file' as const,
      path: row.path,
      name: row.original_name ?? undefined,
      size: row.size,
      sha256: row.sha256,
      ...owned(row),
      date: {
        time: new Date(row.content_datetime).toISOString(),
        offset: row.content_offset ?? undefined,
        source: row.date_source ?? undefined,
        precision: row.date_precision ?? undefined,
      },
      rotation: row.rotation || undefined,
      needs_review: row.needs_review === 1 || undefined,
      tags: someOf(row.by_hand),
      tags_by_rule: someOf(row.by_rule),
      favourite_of: someOf(row.liked_by),
    },
  }))
}

function someOf(json: string): string[] | undefined {
  return json === '[]' ? undefined : JSON.parse(json)
}

/** Returns the next living pictures as lines, after the row number of a film. */
export function pairLines(db: Db, after: number) {
  const rows = db.all<{ rid: number; film: string; picture: string }>(
    `SELECT ${k.film_rid} AS rid, e.path AS film, x.path AS picture
     FROM companions k JOIN export_files e ON e.rid = ${k.film_rid} JOIN export_files x ON x.rid = ${k.picture_rid}
     WHERE ${k.film_rid} > ? ORDER BY ${k.film_rid} LIMIT ${STRETCH}`,
    after,
  )
  return rows.map(({ rid, film, picture }) => ({
    rid,
    line: { type: 'pair' as const, film, picture },
  }))
}

type PoolRow = Owned &
  Pick<typeof pools.$inferSelect, 'rid' | 'name' | 'sort_key' | 'sort_order' | 'filter'> & {
    shares_files: number
    is_own: number
  }

/** Returns the next pools as lines, after a row number, with their filters as they are stored. */
export function poolLines(db: Db, seer: Seer, after: number) {
  const rows = db.all<PoolRow>(
    `SELECT ${p.rid}, ${p.name}, ${p.notes}, ${p.metadata}, ${p.is_public}, ${p.sort_key}, ${p.sort_order},
       ${p.shares_files}, ${p.filter}, ? IN (0, ${p.creator_id}) AS is_own,
       ${ownedBy('pool', p.rid, p.creator_id)}
     FROM export_objects o CROSS JOIN pools p
     WHERE o.type = 'pool' AND o.rid > ? AND ${p.rid} = o.rid ORDER BY o.rid LIMIT ${STRETCH}`,
    seer.id,
    seer.id,
    after,
  )
  return rows.map((row) => ({
    rid: row.rid,
    filter: row.filter,
    /** Whether the export may say what is shared through it. */
    is_shared: row.shares_files === 1 && row.is_own === 1,
    line: {
      type: 'pool' as const,
      name: row.name,
      ...owned(row),
      sort: row.sort_key,
      order: row.sort_order,
      shares_files: row.shares_files === 1 || undefined,
    },
  }))
}

/** Returns some of a pool's files in manual order, and whether others see each through the pool. */
export function filesOfPool(db: Db, pool: number, after: number, limit: number) {
  return db.all<{ order_key: number; path: string; is_shared: number }>(
    `SELECT ${pf.order_key}, e.path, EXISTS (SELECT 1 FROM acl a WHERE ${a.object_type} = 'file'
         AND ${a.object_rid} = ${pf.file_rid} AND ${a.pool_rid} = ${pf.pool_rid}) AS is_shared
     FROM pool_files pf JOIN export_files e ON e.rid = ${pf.file_rid}
     WHERE ${pf.pool_rid} = ? AND ${pf.order_key} > ? ORDER BY ${pf.order_key} LIMIT ${limit}`,
    pool,
    after,
  )
}

/** Returns the name of a tag or a category that the export names, by its id without hyphens; null for none. */
export function nameOfId(db: Db, type: 'tag' | 'category', id: string): string | null {
  const { table, names } = OBJECTS[type]
  const found = db.get<{ name: string }>(
    `SELECT ${names.name} AS name FROM ${table} JOIN export_objects o ON o.type = '${type}' AND o.rid = ${names.rid}
     WHERE ${names.id} = unhex(?)`,
    id,
  )
  return found?.name ?? null
}

/** Returns the number of a pool in the export, by its id without hyphens; null for none. */
export function numberOfPool(db: Db, id: string): number | null {
  const found = db.get<{ number: number }>(
    `SELECT o.number FROM pools p JOIN export_objects o ON o.type = 'pool' AND o.rid = ${p.rid}
     WHERE ${p.id} = unhex(?)`,
    id,
  )
  return found?.number ?? null
}

/** Returns the name of a user; null for none. */
export function nameOfUser(db: Db, id: number): string | null {
  const found = db.get<{ name: string }>(
    `SELECT ${u.name} FROM users u WHERE ${u.id} = ? AND ${u.is_deleted} = 0`,
    id,
  )
  return found?.name ?? null
}

/** Returns the dismissals after one, in order: the row numbers of two files, and their paths as a line. */
export function dismissalLines(db: Db, after: { one: number; other: number }) {
  const rows = db.all<{ one: number; other: number; a: string; b: string }>(
    `SELECT ${dd.file_rid_a} AS one, ${dd.file_rid_b} AS other, e.path AS a, x.path AS b
     FROM duplicate_dismissals dd JOIN export_files e ON e.rid = ${dd.file_rid_a}
     JOIN export_files x ON x.rid = ${dd.file_rid_b}
     WHERE (${dd.file_rid_a}, ${dd.file_rid_b}) > (?, ?)
     ORDER BY ${dd.file_rid_a}, ${dd.file_rid_b} LIMIT ${STRETCH}`,
    after.one,
    after.other,
  )
  return rows.map(({ one, other, a, b }) => ({
    one,
    other,
    line: { type: 'dismissal' as const, files: [a, b] as [string, string] },
  }))
}
