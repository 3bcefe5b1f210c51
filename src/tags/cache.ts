import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid, columnNames } from '../db/columns.ts'
import { perConnection } from '../db/per-connection.ts'
import { acl } from '../db/schema/acl.ts'
import { cacheVersions, tagChanges } from '../db/schema/caches.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { plainBytes, quotedBytes } from '../db/sql.ts'
import { compareText } from '../db/text.ts'
import type { JsonText } from '../http/json.ts'
import type { Tag } from './schema.ts'
import { createTagTexts, type KnownCategory, type KnownTag, type TagTexts } from './texts.ts'

const a = columnNames(acl)
const v = columnNames(cacheVersions)
const h = columnNames(tagChanges)
const c = columnNames(categories)
const t = columnNames(tags, 't')
const u = columnNames(users, 'u')

/** The most bytes that the JSON of a tag has beside its texts. */
const OVERHEAD = 400
const CATEGORY_BYTES = quotedBytes(c.name)
const TAG_BYTES = `${OVERHEAD} + ${quotedBytes(t.name)} + ${quotedBytes(t.notes)} + ${plainBytes(t.metadata)} + ${quotedBytes(u.name)}`

/** All tags, as one viewer sees them. */
export interface TagView {
  /** Returns a tag, or undefined if there is none or the viewer may not view it. */
  byRid(rid: number): KnownTag | undefined
  byId(id: string): KnownTag | undefined
  /** Returns the tags that the viewer may view, by name. */
  visible(): KnownTag[]
  /** Returns the tag's category, or null if there is none or the viewer may not view it. */
  categoryOf(tag: KnownTag): KnownCategory | null
  /** Returns an upper bound on the bytes of a tag as JSON. */
  bytesOf(tag: KnownTag): number
  /** Returns the specification's Tag of each; reads all that is not cached in one statement. */
  texts(tags: KnownTag[]): JsonText<Tag>[]
}

interface Cache {
  version: number
  categories: Map<number, KnownCategory>
  byRid: Map<number, KnownTag>
  byId: Map<string, KnownTag>
  sorted: KnownTag[]
  texts: TagTexts
}

const cacheOf = perConnection((): { current: Cache | null } => ({ current: null }))

/** Returns the tags as `viewer` may see them at this moment. */
export function viewTags(db: Db, viewer: User): TagView {
  const cache = freshCache(db)
  const granted = viewer.is_admin ? NOTHING_GRANTED : grantsOf(db, viewer)
  const seesTag = (tag: KnownTag) =>
    viewer.is_admin || tag.is_public || tag.creator_id === viewer.id || granted.tags.has(tag.rid)
  const seesCategory = (category: KnownCategory) =>
    viewer.is_admin ||
    category.is_public ||
    category.creator_id === viewer.id ||
    granted.categories.has(category.rid)
  const ifSeen = (tag: KnownTag | undefined) => (tag && seesTag(tag) ? tag : undefined)
  const categoryOf = (tag: KnownTag) =>
    tag.category && seesCategory(tag.category) ? tag.category : null
  return {
    byRid: (rid) => ifSeen(cache.byRid.get(rid)),
    byId: (id) => ifSeen(cache.byId.get(id)),
    visible: () => cache.sorted.filter(seesTag),
    categoryOf,
    bytesOf: (tag) => tag.bytes + (categoryOf(tag)?.bytes ?? 0),
    texts: (tags) => cache.texts(db, tags, categoryOf),
  }
}

const NOTHING_GRANTED = { tags: new Set<number>(), categories: new Set<number>() }

function grantsOf(db: Db, viewer: User) {
  const granted = { tags: new Set<number>(), categories: new Set<number>() }
  const rows = db.all<Pick<typeof acl.$inferSelect, 'object_type' | 'object_rid'>>(
    `SELECT ${a.object_type}, ${a.object_rid} FROM acl WHERE ${a.user_id} = ? AND ${a.object_type} IN ('tag', 'category') AND ${a.can_view} = 1`,
    viewer.id,
  )
  for (const row of rows) {
    granted[row.object_type === 'tag' ? 'tags' : 'categories'].add(row.object_rid)
  }
  return granted
}

// The cache follows the changes that triggers have recorded, in this process or another one.
function freshCache(db: Db): Cache {
  const { version } = db.get<Pick<typeof cacheVersions.$inferSelect, 'version'>>(
    `SELECT ${v.version} FROM cache_versions WHERE ${v.name} = 'tags'`,
  )!
  const held = cacheOf(db)
  if (held.current?.version === version) return held.current
  const changes = held.current && changesSince(db, held.current.version)
  // A cache read in a write that was rolled back has a version that never existed outside it.
  if (held.current && changes?.at(-1)?.version === version) take(db, held.current, changes)
  else held.current = readCache(db, version)
  return held.current
}

type Change = Pick<typeof tagChanges.$inferSelect, 'kind' | 'rid' | 'version'>

/** Returns the changes after the one that made a version; none when that one is no longer stored. */
function changesSince(db: Db, version: number): Change[] {
  return db.all(
    `SELECT ${h.kind}, ${h.rid}, ${h.version} FROM tag_changes WHERE ${h.seq} >
     (SELECT ${h.seq} FROM tag_changes WHERE ${h.version} = ?) ORDER BY ${h.seq}`,
    version,
  )
}

function take(db: Db, cache: Cache, changes: Change[]): void {
  const changed = (kind: Change['kind']) =>
    new Set(changes.filter((change) => change.kind === kind).map(({ rid }) => rid))
  const [tags, categories, users] = [changed('tag'), changed('category'), changed('user')]
  for (const rid of categories) cache.categories.delete(rid)
  for (const tag of cache.sorted) {
    const isOf = tag.category && categories.has(tag.category.rid)
    if (isOf || users.has(tag.creator_id)) tags.add(tag.rid)
  }
  const before = [...tags].flatMap((rid) => cache.byRid.get(rid) ?? [])
  const after = readTags(db, cache.categories, [...tags])
  const same = new Set<number>()
  for (const tag of before) {
    cache.byRid.delete(tag.rid)
    cache.byId.delete(tag.id)
  }
  for (const tag of after) {
    cache.byRid.set(tag.rid, tag)
    cache.byId.set(tag.id, tag)
  }
  for (const tag of before) {
    const now = cache.byRid.get(tag.rid)
    if (!now || compareTags(now, tag) !== 0) continue
    same.add(tag.rid)
    now.rank = tag.rank
    cache.sorted[tag.rank] = now
  }
  const gone = before.filter((tag) => !same.has(tag.rid)).map((tag) => tag.rank)
  for (const rank of gone.sort((a, b) => b - a)) cache.sorted.splice(rank, 1)
  const moved = after.filter((tag) => !same.has(tag.rid))
  for (const tag of moved) cache.sorted.splice(placeFor(cache.sorted, tag), 0, tag)
  if (gone.length + moved.length > 0) setRanks(cache.sorted)
  cache.version = changes.at(-1)!.version
}

function placeFor(sorted: KnownTag[], tag: KnownTag): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (compareTags(sorted[middle]!, tag) < 0) from = middle + 1
    else to = middle
  }
  return from
}

function compareTags(a: KnownTag, b: KnownTag): number {
  return compareText(a.name_key, b.name_key) || compareText(a.id, b.id)
}

function setRanks(sorted: KnownTag[]): void {
  for (const [rank, tag] of sorted.entries()) tag.rank = rank
}

type Raw<Row> = Omit<Row, 'id' | 'is_public'> & { id: Uint8Array; is_public: number }
type TagRow = Raw<Omit<KnownTag, 'category' | 'rank' | 'kept'>> & { category_rid: number | null }

const CATEGORIES = `SELECT ${c.rid}, ${c.id}, ${c.name}, ${c.name_key}, ${c.color}, ${c.creator_id}, ${c.is_public}, ${CATEGORY_BYTES} AS bytes FROM categories`
const TAGS = `SELECT ${t.rid}, ${t.id}, ${t.name}, ${t.name_key}, ${t.color}, ${t.creator_id}, ${u.name} AS creator_name, ${t.is_public}, ${t.category_rid}, ${TAG_BYTES} AS bytes FROM`

function readCache(db: Db, version: number): Cache {
  const known = new Map<number, KnownCategory>()
  for (const row of db.all<Raw<KnownCategory>>(CATEGORIES)) known.set(row.rid, knownCategory(row))
  const sorted = db
    .all<TagRow>(
      `${TAGS} tags t JOIN users u ON ${u.id} = ${t.creator_id} WHERE ${t.is_deleted} = 0`,
    )
    .map((row) => knownTag(row, (rid) => known.get(rid)))
    .sort(compareTags)
  setRanks(sorted)
  return {
    version,
    categories: known,
    sorted,
    byRid: new Map(sorted.map((tag) => [tag.rid, tag])),
    byId: new Map(sorted.map((tag) => [tag.id, tag])),
    texts: createTagTexts(sorted),
  }
}

/** Returns those of the tags that are not deleted; adds the categories missing from `known`. */
function readTags(db: Db, known: Map<number, KnownCategory>, rids: number[]): KnownTag[] {
  const categoryOf = (rid: number) => {
    const row = known.has(rid)
      ? undefined
      : db.get<Raw<KnownCategory>>(`${CATEGORIES} WHERE ${c.rid} = ?`, rid)
    if (row) known.set(rid, knownCategory(row))
    return known.get(rid)
  }
  const rows = db.all<TagRow>(
    `${TAGS} json_each(?) AS j CROSS JOIN tags t ON ${t.rid} = j.value CROSS JOIN users u ON ${u.id} = ${t.creator_id} WHERE ${t.is_deleted} = 0`,
    JSON.stringify(rids),
  )
  return rows.map((row) => knownTag(row, categoryOf))
}

function knownCategory(row: Raw<KnownCategory>): KnownCategory {
  return { ...row, id: blobToUuid(row.id), is_public: row.is_public === 1 }
}

function knownTag(
  { category_rid, ...row }: TagRow,
  categoryOf: (rid: number) => KnownCategory | undefined,
): KnownTag {
  return {
    ...row,
    id: blobToUuid(row.id),
    is_public: row.is_public === 1,
    category: category_rid === null ? null : (categoryOf(category_rid) ?? null),
    rank: 0,
    kept: { withCategory: null, without: null },
  }
}
