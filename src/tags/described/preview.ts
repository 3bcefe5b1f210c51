import { madeBy } from '../../acl/limit-queries.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { fold } from '../../db/text.ts'
import { expandTags } from '../apply.ts'
import type { KnownPath } from './described-queries.ts'
import { type Follows, type Level, noClaims, type Places, readPlaces, wayTo } from './places.ts'
import { requireFewLevels, type Wanted, type WantedOfFile } from './wanted.ts'

/** A tag that files would get. */
interface PreviewedTag {
  /** The path under which it is listed, and can be left out. */
  path: string[]
  name: string
  files: number
  is_new: boolean
  /** How the tag above gets onto these files. */
  above: Follows | null
}

/** What would become of descriptions. */
interface TagPreview {
  /** New ones first, then those of most files. */
  tags: PreviewedTag[]
  more_tags: number
  new_tags: number
  /** Paths that make no tag. */
  unfit: { path: string[]; files: number }[]
  /** How many tags the owner would have; null for an admin, who may have any number. */
  tags_after: number | null
  most_tags: number | null
}

/** Counts what would become of descriptions, and makes nothing. */
interface Previewer {
  /** Adds a file. Throws conflict when it would have too many tags. */
  add(db: Db, user: User, file: WantedOfFile): void
  preview(db: Db, user: User): TagPreview
}

const MOST_ROWS = 10_000

/** Returns a previewer that has seen no file yet. */
export function createPreviewer(): Previewer {
  const rows = new Map<string, PreviewedTag>()
  const unfit = new Map<string, { path: string[]; files: number }>()
  const ways = new Map<string, Level[]>()
  const pretend = pretender()

  function levelsOf(db: Db, user: User, one: Wanted): Level[] {
    const key = JSON.stringify(one.key)
    const levels = ways.get(key) ?? wayTo(pretend(db, user), one)
    ways.set(key, levels)
    return levels
  }

  return {
    add(db, user, file) {
      requireFewLevels(file.wanted)
      const levels = new Map<string, Level>()
      for (const one of file.wanted) {
        for (const level of levelsOf(db, user, one)) levels.set(JSON.stringify(level.key), level)
      }
      for (const [key, { key: path, tag, above }] of levels) {
        const row = rows.get(key) ?? { path, name: tag.name, files: 0, is_new: tag.rid < 0, above }
        rows.set(key, { ...row, files: row.files + 1 })
      }
      for (const path of file.unfit) {
        const key = JSON.stringify(path)
        if (!unfit.has(key) && unfit.size >= MOST_ROWS) continue
        unfit.set(key, { path, files: (unfit.get(key)?.files ?? 0) + 1 })
      }
    },
    preview(db, user) {
      const tags = [...rows.values()].sort(
        (a, b) => Number(b.is_new) - Number(a.is_new) || b.files - a.files,
      )
      const new_tags = pretend(db, user).count()
      const { made, most } = madeBy(db, 'tag', user.id)
      return {
        tags: tags.slice(0, MOST_ROWS),
        more_tags: Math.max(0, tags.length - MOST_ROWS),
        new_tags,
        unfit: [...unfit.values()],
        tags_after: most === null ? null : made + new_tags,
        most_tags: most,
      }
    },
  }
}

// Tags that would be made have negative numbers.
function pretender(): (db: Db, user: User) => Places & { count(): number } {
  const claims = noClaims()
  const names = new Map<string, KnownPath>()
  const alike = new Map<string, KnownPath[]>()
  const paths = new Map<string, KnownPath>()
  const rules = new Map<number, Set<number>>()
  const leadsTo = (db: Db, from: number, to: number): boolean => {
    const reached = new Set([from])
    // Iterating over a set includes what is added meanwhile.
    for (const rid of reached) {
      if (rid === to) return true
      const stored = rid > 0 ? expandTags(db, [rid]) : []
      for (const next of [...stored, ...(rules.get(rid) ?? [])]) reached.add(next)
    }
    return false
  }
  return (db, user) => {
    const { rule, ...found } = readPlaces(db, user, claims)
    return {
      ...found,
      ofPath: (path) => paths.get(path) ?? found.ofPath(path),
      named(name) {
        const all = [...found.named(name), ...(alike.get(fold(name)) ?? [])]
        return all.sort((a, b) => Number(b.name === name) - Number(a.name === name))
      },
      isTaken: (name) => names.has(name) || found.isTaken(name),
      make(name, path) {
        const tag = { rid: -1 - names.size, name, path: path && JSON.stringify(path) }
        names.set(name, tag)
        alike.set(fold(name), [...(alike.get(fold(name)) ?? []), tag])
        if (tag.path !== null) paths.set(tag.path, tag)
        return tag
      },
      claim(tag, path) {
        const key = JSON.stringify(path)
        tag.path = key
        claims.paths.set(tag.rid, key)
        paths.set(key, tag)
      },
      link(when, then) {
        const isNew = rules.get(when)?.has(then) ?? false
        const follows = isNew || when < 0 ? 'new_rule' : rule(when, then)
        if (follows !== 'new_rule') return follows
        if (when === then || leadsTo(db, then, when)) return 'by_hand'
        rules.set(when, (rules.get(when) ?? new Set()).add(then))
        return 'new_rule'
      },
      count: () => names.size,
    }
  }
}
