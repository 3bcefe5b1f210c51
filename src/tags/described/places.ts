import type { User } from '../../base/user.ts'
import { createCategory } from '../../categories/edit.ts'
import { CategoryCreate } from '../../categories/schema.ts'
import type { Db } from '../../db/client.ts'
import { fold } from '../../db/text.ts'
import type { Tx } from '../../db/write.ts'
import { OBJECT_TEXT } from '../../http/text-fields.ts'
import { expandTags } from '../apply.ts'
import { createTag, editTag, tagFields } from '../edit.ts'
import { tooManyFollowing } from '../limits.ts'
import { isMergedAway } from '../merge/under-way.ts'
import { loadTagByRid, loadTagRids } from '../queries.ts'
import { createRule } from '../rules/rules.ts'
import {
  findCategoryNamed,
  findRule,
  findTagNamed,
  findTagOfPath,
  type KnownPath,
  listTagsNamed,
  mayEditTag,
} from './described-queries.ts'
import type { Wanted } from './wanted.ts'

/** How a tag gets onto files that have one below it. */
export type Follows = 'rule' | 'new_rule' | 'by_hand'

/** The tags among which those of a description are found and made, for the user who gets the new ones. */
export interface Places {
  owner: string
  ofPath(path: string): KnownPath | undefined
  /** Returns the tags of a name, in any case, that the owner may view, those in this case first. */
  named(name: string): KnownPath[]
  /** Whether a tag has exactly this name, one that the owner may not view included. */
  isTaken(name: string): boolean
  /** Makes a tag; `path` is stored with it unless it is null. */
  make(name: string, path: string[] | null, category: string | null): KnownPath
  /** Gives a tag without a path this one. */
  claim(tag: KnownPath, path: string[]): void
  /** Makes a tag follow from another one, if that may be. */
  link(when: number, then: number): Follows
}

// The most code points that a name may have.
const LONGEST = 256

/** Returns the tag of a path, which is found or made. */
function tagAt(places: Places, path: string[], category: string | null): KnownPath {
  const name = path.at(-1)!
  const isFlat = path.length === 1
  const key = JSON.stringify(path)
  const known = places.ofPath(key)
  if (known) return known
  const named = places.named(name)
  const isFit = (tag: KnownPath) => isFlat || tag.path === null || fold(tag.path) === fold(key)
  const fit = named.find(isFit)
  if (fit) {
    if (!isFlat && fit.path === null) places.claim(fit, path)
    return fit
  }
  if (named.length === 0 && !places.isTaken(name)) {
    return places.make(name, isFlat ? null : path, category)
  }
  // Either a tag that the owner can't see has the name, or one that stands elsewhere.
  const by = named.length === 0 ? places.owner : path.at(-2)!
  const ownAt = (candidate: string) =>
    places.named(candidate).find((tag) => tag.name === candidate && tag.path === null)
  const count = firstOpen((at) => {
    const candidate = nameWith(name, by, at)
    return !places.isTaken(candidate) || ownAt(candidate) !== undefined
  })
  const candidate = nameWith(name, by, count)
  const own = ownAt(candidate)
  if (!own) return places.make(candidate, path, category)
  places.claim(own, path)
  return own
}

// Doubles and then halves: one name may have been given thousands of times.
function firstOpen(isOpen: (count: number) => boolean): number {
  let open = 1
  while (!isOpen(open)) open *= 2
  let taken = open >> 1
  while (open - taken > 1) {
    const middle = (taken + open) >> 1
    if (isOpen(middle)) open = middle
    else taken = middle
  }
  return open
}

/** A level of a wanted path. */
export interface Level {
  /** The path under which it is listed. */
  key: string[]
  tag: KnownPath
  /** How the tag above it gets onto files that have it; null for the first one. */
  above: Follows | null
}

/** Returns the levels of a wanted path that are tags, from the top; finds or makes the tags, and links them. */
export function wayTo(places: Places, { key, path, from, category }: Wanted): Level[] {
  const above = key.length - path.length
  const levels = path.slice(from).map((_, at): Level => {
    const end = from + at + 1
    const tag = tagAt(places, path.slice(0, end), category)
    return { key: key.slice(0, above + end), tag, above: null }
  })
  for (const [at, level] of levels.slice(1).entries()) {
    level.above = places.link(level.tag.rid, levels[at]!.tag.rid)
  }
  return levels
}

/** Returns `Paris (Texas)`, and with a count above 1 `Paris (Texas) 2`, within the limit of names. */
export function nameWith(name: string, by: string, count: number): string {
  const end = ` (${[...by]
    .slice(0, LONGEST / 2)
    .join('')
    .trim()})${count === 1 ? '' : ` ${count}`}`
  return (
    [...name]
      .slice(0, LONGEST - [...end].length)
      .join('')
      .trimEnd() + end
  )
}

/** What a run remembers of the tags that its owner may not edit: the paths for which it uses them. */
interface Claims {
  paths: Map<number, string>
  tags: Map<string, number>
}

export function noClaims(): Claims {
  return { paths: new Map(), tags: new Map() }
}

/** Returns the half that only reads. */
export function readPlaces(
  db: Db,
  user: User,
  claims: Claims,
): Pick<Places, 'owner' | 'ofPath' | 'named' | 'isTaken'> & { rule: Places['link'] } {
  const withClaim = (tag: KnownPath) => ({
    ...tag,
    path: tag.path ?? claims.paths.get(tag.rid) ?? null,
  })
  const named = (name: string) => listTagsNamed(db, user, name).map(withClaim)
  return {
    owner: user.name,
    ofPath(path) {
      const claimed = claims.tags.get(path)
      const name = JSON.parse(path).at(-1)
      return (
        findTagOfPath(db, user, path) ??
        (claimed === undefined ? undefined : named(name).find(({ rid }) => rid === claimed))
      )
    },
    named,
    isTaken: (name) => findTagNamed(db, user, name) !== undefined,
    rule(when, then) {
      const is_active = findRule(db, when, then)
      if (is_active !== null) return is_active ? 'rule' : 'by_hand'
      const mayBe =
        when !== then &&
        mayEditTag(db, user, when) &&
        !isMergedAway(db, [when, then]) &&
        !expandTags(db, [then]).includes(when) &&
        tooManyFollowing(db, { when_tag_rid: when, then_tag_rid: then }) === null
      return mayBe ? 'new_rule' : 'by_hand'
    },
  }
}

/** Returns the tags of the library, as a write finds and makes them for a user. */
export function placesOf(
  tx: Tx,
  user: User,
  { is_public, claims }: { is_public: boolean; claims: Claims },
): Places {
  const { rule, ...found } = readPlaces(tx, user, claims)
  return {
    ...found,
    make(name, path, category) {
      const category_id = category === null ? null : categoryNamed(tx, user, category, is_public)
      const metadata = path && { xmp_path: path }
      const id = createTag(tx, user, { name, metadata, category_id, is_public })
      return { rid: loadTagRids(tx, user, [id])[0]!, name, path: path && JSON.stringify(path) }
    },
    claim({ rid }, path) {
      const tag = loadTagByRid(tx, rid)
      const metadata = { ...tagFields(tx, tag).metadata, xmp_path: path }
      const hasRoom = Buffer.byteLength(JSON.stringify(metadata)) <= OBJECT_TEXT
      if (hasRoom && mayEditTag(tx, user, rid)) editTag(tx, user, tag, { metadata })
      else {
        claims.paths.set(rid, JSON.stringify(path))
        claims.tags.set(JSON.stringify(path), rid)
      }
    },
    link(when, then) {
      const follows = rule(when, then)
      if (follows !== 'new_rule') return follows
      const tags = { whenTag: loadTagByRid(tx, when), thenTag: loadTagByRid(tx, then) }
      createRule(tx, user, tags, { is_active: true, apply_to_existing: false })
      return follows
    },
  }
}

function categoryNamed(tx: Tx, user: User, name: string, is_public: boolean): string {
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? name : nameWith(name, user.name, count)
    const found = findCategoryNamed(tx, user, candidate)
    if (found?.allowed) return found.id
    if (!found)
      return createCategory(tx, user, CategoryCreate.parse({ name: candidate, is_public }))
  }
}
