import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { idTime } from '../db/ids.ts'
import type { categories, tags } from '../db/schema/tags.ts'
import type { JsonText } from '../http/json.ts'
import { longTexts } from './queries.ts'
import type { Tag } from './schema.ts'

// Columns of a tag that are not cached, since they may be long or change all the time.
type Unkept = 'notes' | 'metadata' | 'category_rid' | 'file_count' | 'is_deleted'

/** A tag as it is cached, the same for every viewer. */
export interface KnownTag extends Omit<typeof tags.$inferSelect, Unkept> {
  creator_name: string
  category: KnownCategory | null
  /** Its rank among all tags, by name, then id. */
  rank: number
  /** An upper bound on its bytes as JSON, without its category. */
  bytes: number
  /** Its JSON with its category and without, as far as it is cached. */
  kept: { withCategory: Kept | null; without: Kept | null }
}

interface Kept {
  text: JsonText<Tag>
  /** When it was last used; an era ends when the texts used in it fill half of the cache. */
  era: number
}

export interface KnownCategory extends Omit<typeof categories.$inferSelect, 'notes' | 'metadata'> {
  /** The most bytes that it adds to the JSON of a tag. */
  bytes: number
}

// The most characters of a tag's JSON that is cached, and the most bytes of the whole cache.
const LONGEST_KEPT = 1024
const MOST_KEPT = 64 * 1024 * 1024

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
export function createTagTexts(all: KnownTag[]): TagTexts {
  let era = 0
  let bytes = 0
  const use = (kept: Kept) => {
    if (kept.era === era) return
    kept.era = era
    // A character takes up to two bytes in memory.
    bytes += kept.text.length * 2
    if (bytes <= MOST_KEPT / 2) return
    for (const { kept } of all) {
      for (const slot of SLOTS) if (kept[slot] && kept[slot].era < era) kept[slot] = null
    }
    era++
    bytes = 0
  }
  return (db, tags, categoryOf) => {
    const missing = new Map<number, KnownTag>()
    const texts = tags.map((tag) => {
      const kept = tag.kept[slotFor(categoryOf(tag))]
      if (kept) use(kept)
      else missing.set(tag.rid, tag)
      return kept?.text
    })
    if (missing.size === 0) return texts as JsonText<Tag>[]
    const made = new Map<number, JsonText<Tag>>()
    for (const { rid, ...long } of longTexts(db, [...missing.keys()])) {
      const tag = missing.get(rid)!
      const category = categoryOf(tag)
      const text = tagJson(tag, category, long)
      made.set(rid, text)
      if (text.length > LONGEST_KEPT) continue
      const kept = { text, era: -1 }
      tag.kept[slotFor(category)] = kept
      use(kept)
    }
    return texts.map((text, index) => text ?? made.get(tags[index]!.rid)!)
  }
}

const SLOTS = ['withCategory', 'without'] as const

function slotFor(category: KnownCategory | null): (typeof SLOTS)[number] {
  return category ? 'withCategory' : 'without'
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
