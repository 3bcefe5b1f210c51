import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { acl } from '../db/schema/acl.ts'
import { duplicateDismissals } from '../db/schema/duplicates.ts'
import { companions, favourites, fileDetails, files, fileTags } from '../db/schema/files.ts'
import { poolFiles, pools } from '../db/schema/pools.ts'
import { categories, tagRules, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { shownPath } from '../tags/described/shown-path.ts'
import { asTold, type Owned, owned, ownedBy } from './people-queries.ts'
import { OBJECTS, STRETCH } from './snapshot-queries.ts'

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

/** Reads the next objects of a type after a row number, with `more` columns, which may come from `joins`. */
function nextObjects<More>(
  db: Db,
  seer: User,
  type: keyof typeof OBJECTS,
  { after, more, joins = '' }: { after: number; more: string[]; joins?: string },
) {
  const { table, names } = OBJECTS[type]
  const own = [names.rid, names.name, names.notes, names.metadata, names.is_public]
  return db.all<Owned & { rid: number; name: string } & More>(
    `SELECT ${[...own, ...more, ownedBy(type, names.rid, names.creator_id)].join(', ')}
     FROM export_objects o CROSS JOIN ${table} ${joins}
     WHERE o.type = '${type}' AND o.rid > ? AND ${names.rid} = o.rid ORDER BY o.rid LIMIT ${STRETCH}`,
    seer.id,
    after,
  )
}

/** Returns the next categories as lines, after a row number. */
export function categoryLines(db: Db, seer: User, after: number) {
  const rows = nextObjects<{ color: string | null }>(db, seer, 'category', {
    after,
    more: [c.color],
  })
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

type TagRow = Pick<typeof tags.$inferSelect, 'color' | 'creator_id'> & { category: string | null }

/** Returns the next tags as lines, after a row number. */
export function tagLines(db: Db, seer: User, after: number) {
  const rows = nextObjects<TagRow>(db, seer, 'tag', {
    after,
    more: [t.color, t.creator_id, `${c.name} AS category`],
    joins: `LEFT JOIN export_objects oc ON oc.type = 'category' AND oc.rid = ${t.category_rid}
      LEFT JOIN categories c ON ${c.rid} = oc.rid`,
  })
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

function shownMetadata(db: Db, seer: User, row: Owned & TagRow) {
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
export function fileLines(db: Db, seer: User, after: number) {
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

type PoolRow = Pick<typeof pools.$inferSelect, 'sort_key' | 'sort_order' | 'filter'> & {
  shares_files: number
}

/** Returns the next pools as lines, after a row number, with their filters as they are stored. */
export function poolLines(db: Db, seer: User, after: number) {
  const rows = nextObjects<PoolRow>(db, seer, 'pool', {
    after,
    more: [p.sort_key, p.sort_order, p.shares_files, p.filter],
  })
  return rows.map((row) => ({
    rid: row.rid,
    filter: row.filter,
    /** Whether the export may say what is shared through it. */
    is_shared: row.shares_files === 1 && row.rights !== null,
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
