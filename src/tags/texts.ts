import type { Db } from '../db/client.ts'
import { idTime } from '../db/ids.ts'
import type { categories } from '../db/schema/categories.ts'
import type { tags } from '../db/schema/tags.ts'
import type { JsonText } from '../http/json.ts'
import { createRecentMap } from '../recent-map.ts'
import { isoTime } from '../time.ts'
import { longTexts } from './queries.ts'
import type { Tag } from './schema.ts'

/** Columns of a tag that are not kept in memory: what may be long, and what changes all the time. */
type Unkept = 'notes' | 'metadata' | 'category_rid' | 'file_count' | 'files_version' | 'is_deleted'

/** A tag as it is kept in memory, the same for every viewer. */
export interface KnownTag extends Omit<typeof tags.$inferSelect, Unkept> {
  creator_name: string
  category: KnownCategory | null
  /** Its rank among all tags, by name, then id. */
  rank: number
  /** How many bytes it has at most as JSON, without its category. */
  bytes: number
}

export interface KnownCategory
  extends Omit<typeof categories.$inferSelect, 'notes' | 'metadata'> {
  /** How many bytes it adds at most to the JSON of a tag. */
  bytes: number
}

/** How many characters a tag's JSON may have to be kept in memory, and how many bytes all may take. */
const LONGEST_KEPT = 1024
const MOST_KEPT = 64 * 1024 * 1024

/** Returns the specification's Tag of each, with the category that `categoryOf` returns. */
export type TagTexts = (
  db: Db,
  tags: KnownTag[],
  categoryOf: (tag: KnownTag) => KnownCategory | null,
) => JsonText<Tag>[]

/**
 * Returns what writes tags as JSON and keeps the short texts that were used last. Texts that it does
 * not have are made of what one statement reads.
 */
export function createTagTexts(): TagTexts {
  // A character takes up to two bytes in memory.
  const kept = createRecentMap<number, string>(MOST_KEPT, (text) => text.length * 2)
  return (db, tags, categoryOf) => {
    const keyOf = (tag: KnownTag) => tag.rid * 2 + Number(categoryOf(tag) !== null)
    const missing = new Map<number, KnownTag>()
    const known = tags.map((tag) => {
      const text = kept.get(keyOf(tag))
      if (text === undefined) missing.set(tag.rid, tag)
      return text
    })
    if (missing.size === 0) return known as string[]
    const made = new Map<number, string>()
    for (const { rid, ...long } of longTexts(db, [...missing.keys()])) {
      const tag = missing.get(rid)!
      const text = tagJson(tag, categoryOf(tag), long)
      made.set(rid, text)
      if (text.length <= LONGEST_KEPT) kept.set(keyOf(tag), text)
    }
    return known.map((text, index) => text ?? made.get(tags[index]!.rid)!)
  }
}

/** Returns the specification's Tag, which is written out only here. */
function tagJson(
  tag: KnownTag,
  category: KnownCategory | null,
  { notes, metadata }: { notes: string | null; metadata: string | null },
): JsonText<Tag> {
  const fields = JSON.stringify({
    id: tag.id,
    name: tag.name,
    notes,
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
  return `${fields.slice(0, -1)},"metadata":${metadata ?? 'null'}}`
}
