import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { columnNames, hexToUuid } from '../db/columns.ts'
import { perConnection } from '../db/per-connection.ts'
import { acl } from '../db/schema/acl.ts'
import { cacheVersions } from '../db/schema/caches.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { plainBytes, quotedBytes } from '../db/sql.ts'
import type { JsonText } from '../http/json.ts'
import type { Tag } from './schema.ts'
import { createTagTexts, type KnownCategory, type KnownTag, type TagTexts } from './texts.ts'

const a = columnNames(acl)
const v = columnNames(cacheVersions)
const c = columnNames(categories)
const t = columnNames(tags, 't')
const u = columnNames(users, 'u')

/** The most bytes that the JSON of a tag has beside its texts. */
const OVERHEAD = 400
const CATEGORY_BYTES = quotedBytes(c.name)
const TAG_BYTES = `${OVERHEAD} + ${quotedBytes(t.name)} + ${quotedBytes(t.notes)} + ${plainBytes(t.metadata)} +
  ${quotedBytes(u.name)}`

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
    `SELECT ${a.object_type}, ${a.object_rid} FROM acl
      WHERE ${a.user_id} = ? AND ${a.object_type} IN ('tag', 'category') AND ${a.can_view} = 1`,
    viewer.id,
  )
  for (const row of rows) {
    granted[row.object_type === 'tag' ? 'tags' : 'categories'].add(row.object_rid)
  }
  return granted
}

// Triggers renew the version, whichever process makes a change. They draw it at random, so no other write has the
// version of a write that was rolled back.
function freshCache(db: Db): Cache {
  const { version } = db.get<Pick<typeof cacheVersions.$inferSelect, 'version'>>(
    `SELECT ${v.version} FROM cache_versions WHERE ${v.name} = 'tags'`,
  )!
  const held = cacheOf(db)
  if (held.current?.version !== version) held.current = readCache(db, version)
  return held.current
}

type Raw<Row> = Omit<Row, 'is_public'> & { is_public: number }
type TagRow = Raw<Omit<KnownTag, 'category' | 'rank'>> & { category_rid: number | null }

// Ids are read as text, because on Node a blob for each row takes longer than all else.
const CATEGORIES = `SELECT ${c.rid}, hex(${c.id}) AS id, ${c.name}, ${c.name_key}, ${c.color}, ${c.creator_id},
  ${c.is_public}, ${CATEGORY_BYTES} AS bytes FROM categories`
const TAGS = `SELECT ${t.rid}, hex(${t.id}) AS id, ${t.name}, ${t.name_key}, ${t.color}, ${t.creator_id},
  ${u.name} AS creator_name, ${t.is_public}, ${t.category_rid}, ${TAG_BYTES} AS bytes
  FROM tags t JOIN users u ON ${u.id} = ${t.creator_id} WHERE ${t.is_deleted} = 0 ORDER BY ${t.name_key}, ${t.id}`

function readCache(db: Db, version: number): Cache {
  const categories = new Map<number, KnownCategory>()
  for (const row of db.all<Raw<KnownCategory>>(CATEGORIES)) {
    categories.set(row.rid, { ...row, id: hexToUuid(row.id), is_public: row.is_public === 1 })
  }
  const sorted = db.all<TagRow>(TAGS).map(({ category_rid, ...row }, rank): KnownTag => {
    const category = category_rid === null ? null : (categories.get(category_rid) ?? null)
    return { ...row, id: hexToUuid(row.id), is_public: row.is_public === 1, category, rank }
  })
  return {
    version,
    sorted,
    byRid: new Map(sorted.map((tag) => [tag.rid, tag])),
    byId: new Map(sorted.map((tag) => [tag.id, tag])),
    texts: createTagTexts(),
  }
}
