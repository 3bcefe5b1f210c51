import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { findCategoryNamed, findTagNamed, findTagOfPath } from './described-queries.ts'

/**
 * Returns the `xmp_path` of a tag, as it is stored, for a viewer of the tag: without those levels above it that are
 * names of hidden tags, or of a hidden category at the top. A tag's creator sees the whole path, and so does an admin.
 */
export function shownPath(
  db: Db,
  viewer: User,
  { path, creator_id }: { path: unknown; creator_id: number },
): unknown {
  if (!Array.isArray(path) || viewer.is_admin || viewer.id === creator_id) return path
  // A top level may have become a category.
  const named = (level: string, at: number) =>
    findTagNamed(db, viewer, level) ?? (at === 0 ? findCategoryNamed(db, viewer, level) : undefined)
  const isShown = (level: unknown, at: number) =>
    at === path.length - 1 ||
    typeof level !== 'string' ||
    named(level, at)?.allowed !== false ||
    // The name is hidden where it stands for another tag, and not here.
    findTagOfPath(db, viewer, JSON.stringify(path.slice(0, at + 1))) !== undefined
  return path.filter(isShown)
}
