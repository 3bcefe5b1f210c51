import { LRUCache } from 'lru-cache'
import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { idTime } from '../db/ids.ts'
import type { categories, tags } from '../db/schema/tags.ts'
import type { JsonText } from '../http/json.ts'
import { longTexts } from './queries.ts'
import type { Tag } from './schema.ts'

// Columns of a tag that are not cached, since they may be long or change all the time.
type Uncached = 'notes' | 'metadata' | 'category_rid' | 'file_count' | 'is_deleted'

/** A tag as it is cached, the same for every viewer. */
export interface KnownTag extends Omit<typeof tags.$inferSelect, Uncached> {
  creator_name: string
  category: KnownCategory | null
  /** Its rank among all tags, by name, then id. */
  rank: number
  /** An upper bound on its bytes as JSON, without its category. */
  bytes: number
}

export interface KnownCategory extends Omit<typeof categories.$inferSelect, 'notes' | 'metadata'> {
  /** The most bytes that it adds to the JSON of a tag. */
  bytes: number
}

// The most bytes in memory of the JSON of a tag that is cached, and of all of it; a character takes up to two.
const LONGEST_CACHED = 2048
const MOST_CACHED = 64 * 1024 * 1024

/** Returns the specification's Tag of each, with the category that `categoryOf` returns. */
export type TagTexts = (
  db: Db,
  tags: KnownTag[],
  categoryOf: (tag: KnownTag) => KnownCategory | null,
) => JsonText<Tag>[]

/**
 * Returns a function that writes tags as JSON. It caches short texts and evicts the least used; one statement reads
 * what the missing ones need.
 */
export function createTagTexts(): TagTexts {
  const cached = new LRUCache<number, JsonText<Tag>>({
    maxSize: MOST_CACHED,
    maxEntrySize: LONGEST_CACHED,
    sizeCalculation: (text) => 2 * text.length,
  })
  return (db, tags, categoryOf) => {
    // Some viewers see the tag without its category.
    const keyOf = (tag: KnownTag) => (categoryOf(tag) ? tag.rid : -tag.rid)
    const missing = new Map<number, KnownTag>()
    const texts = tags.map((tag) => {
      const text = cached.get(keyOf(tag))
      if (text === undefined) missing.set(tag.rid, tag)
      return text
    })
    if (missing.size === 0) return texts as JsonText<Tag>[]
    const made = new Map<number, JsonText<Tag>>()
    for (const { rid, ...long } of longTexts(db, [...missing.keys()])) {
      const tag = missing.get(rid)!
      const text = tagJson(tag, categoryOf(tag), long)
      made.set(rid, text)
      cached.set(keyOf(tag), text)
    }
    return texts.map((text, index) => text ?? made.get(tags[index]!.rid)!)
  }
}

// The specification's Tag is written out only here.
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
