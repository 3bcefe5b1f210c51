import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid } from '../db/columns.ts'
import { idTime } from '../db/ids.ts'
import { perConnection } from '../db/per-connection.ts'
import { acl } from '../db/schema/acl.ts'
import { cacheVersions } from '../db/schema/caches.ts'
import { categories } from '../db/schema/categories.ts'
import { tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { compareText } from '../db/text.ts'
import { isoTime } from '../time.ts'
import type { User } from '../user.ts'

const a = columnNames(acl)
const v = columnNames(cacheVersions)
const c = columnNames(categories)
const t = columnNames(tags, 't')
const u = columnNames(users, 'u')

type Tag = typeof tags.$inferSelect
type Category = typeof categories.$inferSelect

/** A tag as it is kept in memory, the same for every viewer; `metadata` is JSON text. */
export interface KnownTag
  extends Omit<Tag, 'category_rid' | 'file_count' | 'files_version' | 'is_deleted'> {
  creator_name: string
  category: KnownCategory | null
  /** Its rank among all tags, by name, then id. */
  rank: number
  /** The specification's Tag as JSON, with its category and without. */
  json: { withCategory: string; without: string }
}

type KnownCategory = Omit<Category, 'notes' | 'metadata'>

/** All tags, as one viewer may see them. */
export interface TagView {
  /** Returns a tag, or undefined if there is none or the viewer may not view it. */
  byRid(rid: number): KnownTag | undefined
  byId(id: string): KnownTag | undefined
  /** Returns the tags that the viewer may view, by name. */
  visible(): KnownTag[]
  /** Returns the tag's category, or null if there is none or the viewer may not view it. */
  categoryOf(tag: KnownTag): KnownCategory | null
  /** Returns the specification's Tag as JSON text. */
  json(tag: KnownTag): string
}

interface Cache {
  version: number
  byRid: Map<number, KnownTag>
  byId: Map<string, KnownTag>
  sorted: KnownTag[]
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
    json: (tag) => (categoryOf(tag) ? tag.json.withCategory : tag.json.without),
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

/** Returns the cache, read anew if a trigger has raised its version, here or in another process. */
function freshCache(db: Db): Cache {
  const { version } = db.get<Pick<typeof cacheVersions.$inferSelect, 'version'>>(
    `SELECT ${v.version} FROM cache_versions WHERE ${v.name} = 'tags'`,
  )!
  const held = cacheOf(db)
  if (held.current?.version !== version) held.current = readCache(db, version)
  return held.current
}

/** What the driver gives of a row. */
type Raw<Row> = Omit<Row, 'id' | 'is_public'> & { id: Uint8Array; is_public: number }
type TagRow = Raw<Omit<KnownTag, 'category' | 'rank' | 'json'> & Pick<Tag, 'category_rid'>>

function readCache(db: Db, version: number): Cache {
  const known = new Map<number, KnownCategory>()
  for (const row of db.all<Raw<KnownCategory>>(
    `SELECT ${c.rid}, ${c.id}, ${c.name}, ${c.name_key}, ${c.color}, ${c.creator_id}, ${c.is_public} FROM categories`,
  )) {
    known.set(row.rid, { ...row, id: blobToUuid(row.id), is_public: row.is_public === 1 })
  }
  const sorted = db
    .all<TagRow>(
      `SELECT ${t.rid}, ${t.id}, ${t.name}, ${t.name_key}, ${t.notes}, ${t.color}, ${t.metadata}, ${t.creator_id}, ${u.name} AS creator_name, ${t.is_public}, ${t.category_rid} FROM tags t JOIN users u ON ${u.id} = ${t.creator_id} WHERE ${t.is_deleted} = 0`,
    )
    .map((row) => knownTag(row, known))
    .sort((a, b) => compareText(a.name_key, b.name_key) || compareText(a.id, b.id))
  sorted.forEach((tag, rank) => {
    tag.rank = rank
  })
  return {
    version,
    sorted,
    byRid: new Map(sorted.map((tag) => [tag.rid, tag])),
    byId: new Map(sorted.map((tag) => [tag.id, tag])),
  }
}

function knownTag(row: TagRow, known: Map<number, KnownCategory>): KnownTag {
  const category = row.category_rid === null ? null : (known.get(row.category_rid) ?? null)
  const id = blobToUuid(row.id)
  const tag = { ...row, id, is_public: row.is_public === 1, category, rank: 0 }
  return {
    ...tag,
    json: {
      withCategory: tagJson(tag, category),
      without: tagJson(tag, null),
    },
  }
}

/** Returns the specification's Tag, which is written out only here. */
function tagJson(tag: Omit<KnownTag, 'json'>, category: KnownCategory | null): string {
  const fields = JSON.stringify({
    id: tag.id,
    name: tag.name,
    notes: tag.notes,
    color: tag.color,
    category_id: category?.id ?? null,
    category_name: category?.name ?? null,
    category_color: category?.color ?? null,
    creator_id: tag.creator_id,
    creator_name: tag.creator_name,
    is_public: tag.is_public,
    created_at: isoTime(idTime(tag.id)),
  })
  // Metadata goes in as it is: it was validated when it was stored, as JSON text.
  return `${fields.slice(0, -1)},"metadata":${tag.metadata ?? 'null'}}`
}
