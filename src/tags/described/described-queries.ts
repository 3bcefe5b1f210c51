import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { categories, tagRules, tags } from '../../db/schema/tags.ts'
import { fold } from '../../db/text.ts'

/** A tag with the path that it has kept, as JSON. */
export interface KnownPath {
  rid: number
  name: string
  path: string | null
}

const kept = sql<string | null>`${tags.metadata} ->> '$.xmp_path'`.as('path')
const FIELDS = { rid: tags.rid, name: tags.name, path: kept }

const ofPath = preparedWithAccess('tag', { path: 'text' }, (db, given, allowed) =>
  reading(FIELDS, (fields) =>
    db
      .select(fields)
      .from(tags)
      .where(
        and(
          // As the index has it.
          sql`metadata ->> '$.xmp_path' = ${given.path}`,
          sql`metadata ->> '$.xmp_path' IS NOT NULL`,
          eq(tags.is_deleted, false),
          allowed.sql,
        ),
      )
      .orderBy(asc(tags.rid)),
  ),
)

/** Returns the oldest tag with a path, as JSON, that the user may view. */
export function findTagOfPath(db: Db, user: User, path: string): KnownPath | undefined {
  return ofPath(user, 'view').get(db, { path, user: user.id })
}

const exactly = preparedWithAccess('tag', { name: tags.name }, (db, given, allowed) =>
  reading({ ...FIELDS, allowed }, (fields) =>
    db.select(fields).from(tags).where(eq(tags.name, given.name)),
  ),
)

/** Returns the tag with exactly this name, if there is one, and whether the user may view it. */
export function findTagNamed(
  db: Db,
  user: User,
  name: string,
): (KnownPath & { allowed: boolean }) | undefined {
  return exactly(user, 'view').get(db, { name, user: user.id })
}

const inAnyCase = preparedWithAccess(
  'tag',
  { name: tags.name, name_key: tags.name_key },
  (db, given, allowed) =>
    reading(FIELDS, (fields) =>
      db
        .select(fields)
        .from(tags)
        .where(and(eq(tags.name_key, given.name_key), eq(tags.is_deleted, false), allowed.sql))
        .orderBy(desc(eq(tags.name, given.name)), asc(tags.rid)),
    ),
)

/** Returns the tags with a name, in any case, that the user may view: in this case first, then the oldest. */
export function listTagsNamed(db: Db, user: User, name: string): KnownPath[] {
  return inAnyCase(user, 'view').all(db, { name, name_key: fold(name), user: user.id })
}

const editable = preparedWithAccess('tag', { rid: tags.rid }, (db, given, allowed) =>
  reading({ allowed }, (fields) => db.select(fields).from(tags).where(eq(tags.rid, given.rid))),
)

/** Returns whether the user may edit a tag. */
export function mayEditTag(db: Db, user: User, rid: number): boolean {
  return editable(user, 'edit').get(db, { rid, user: user.id })?.allowed ?? false
}

const rule = prepared(
  { when_rid: tagRules.when_tag_rid, then_rid: tagRules.then_tag_rid },
  (db, given) =>
    reading({ is_active: tagRules.is_active }, (fields) =>
      db
        .select(fields)
        .from(tagRules)
        .where(
          and(eq(tagRules.when_tag_rid, given.when_rid), eq(tagRules.then_tag_rid, given.then_rid)),
        ),
    ),
)

/** Returns whether the rule between two tags is active, or null if there is none. */
export function findRule(db: Db, when_rid: number, then_rid: number): boolean | null {
  return rule.get(db, { when_rid, then_rid })?.is_active ?? null
}

const category = preparedWithAccess('category', { name: categories.name }, (db, given, allowed) =>
  reading({ rid: categories.rid, id: categories.id, allowed }, (fields) =>
    db.select(fields).from(categories).where(eq(categories.name, given.name)),
  ),
)

/** Returns the category with exactly this name, if there is one, and whether the user may view it. */
export function findCategoryNamed(
  db: Db,
  user: User,
  name: string,
): { rid: number; id: string; allowed: boolean } | undefined {
  return category(user, 'view').get(db, { name, user: user.id })
}
