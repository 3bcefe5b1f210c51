import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { countFiles, type FileSet, hasFile, setOf, without } from '../file-set.ts'
import { amongList, countListed, walkMembers, walkNow } from '../find/far.ts'
import { settled } from '../find/list.ts'
import { membersOf } from '../find/members.ts'
import { walkArranged } from '../find/near.ts'
import { type Listing, type Part, placeOf } from '../find/page.ts'
import type { FileList, Walk } from '../find/query.ts'
import type { Entry } from '../find/statement.ts'
import { allPairs, filmsOf, pairsOfFilms } from './companion-queries.ts'

/** How many files more than twice those that a page still lacks are looked at: films may be denser than pictures. */
const SPARE = 64

/** Returns a listing of which the films are left out whose pictures are in the list; such a film stands at its picture. */
export function foldedListing(db: Db, list: FileList, listing: Listing): Listing {
  return {
    ...listing,
    walk: (part) =>
      settled(db, {
        find: () => walkFolded(db, list, listing, part),
        count: (rids) => countListed(db, list, rids),
      }),
    find(rid) {
      const [pair] = pairsOfFilms(db, [rid])
      return (pair && listing.find(pair.picture_rid)) ?? listing.find(rid)
    },
  }
}

async function walkFolded(
  db: Db,
  list: FileList,
  listing: Listing,
  { place, direction, limit }: Part,
): Promise<Entry[]> {
  const side = direction === 'forward' ? 'after' : 'before'
  const kept: Entry[] = []
  let from = place
  for (const isFirst of [true, false]) {
    const wanted = isFirst ? limit : 2 * (limit - kept.length) + SPARE
    const found = await listing.walk({ place: from, direction, limit: wanted })
    kept.push(...foldEntries(db, list, found))
    if (found.length < wanted || kept.length >= limit) return kept.slice(0, limit)
    from = placeOf(found.at(-1)!, side)
  }
  const rest = { list, place: from, direction, limit: limit - kept.length }
  return kept.concat(await walkFoldedFar(db, rest))
}

/** Returns the files of a walk, nearest first, where many films in a row are left out. */
export const walkFoldedFar = question('page', 'folded walk', (db: Db, asked: Walk): Entry[] => {
  return walkSet(db, walkNow(db, asked)).found
})

/** Returns the files of a walk, nearest first, by the set of all files of its list, and how many these are. */
export function walkSet(db: Db, walk: Walk): { found: Entry[]; total: number } {
  const { list, limit } = walk
  const members = membersOf(db, list)
  const all = countFiles(members)
  if (list.pairs) foldSet(db, members)
  const total = countFiles(members)
  if (list.sort !== 'manual') return { found: walkMembers(db, walk, members), total }
  // Enough even if the walk passes all films that are left out.
  const longer = { ...walk, limit: limit + all - total }
  const found = walkArranged(db, longer, Number.MAX_SAFE_INTEGER)!
  const shown = list.pairs ? found.filter(({ rid }) => hasFile(members, rid)) : found
  return { found: shown.slice(0, limit), total }
}

/** Returns entries of a list without the films whose pictures are in the list, be they among the entries or not. */
export function foldEntries(db: Db, list: FileList, entries: Entry[]): Entry[] {
  const pairs = pairsOfFilms(
    db,
    entries.map(({ rid }) => rid),
  )
  if (pairs.length === 0) return entries
  const listed = new Set(entries.map(({ rid }) => rid))
  const others = pairs.map((pair) => pair.picture_rid).filter((rid) => !listed.has(rid))
  if (others.length > 0) for (const { rid } of amongList(db, list, others)) listed.add(rid)
  const folded = pairs.filter((pair) => listed.has(pair.picture_rid))
  const films = new Set(folded.map((pair) => pair.film_rid))
  return entries.filter(({ rid }) => !films.has(rid))
}

/** Removes from a set, in place, the films whose pictures are in it, and returns the set. */
export function foldSet(db: Db, files: FileSet): FileSet {
  const folded = allPairs(db).filter((pair) => hasFile(files, pair.picture_rid))
  return without(files, setOf(folded.map((pair) => pair.film_rid)))
}

/** Returns for each file of a list the id of its film, as the viewer of the list sees it there; null for none. */
export function listFilms(
  db: Db,
  { viewer, trash, pairs }: FileList,
  listed: { rid: number }[],
): (string | null)[] {
  const rids = listed.map(({ rid }) => rid)
  const films = pairs ? filmsOf(db, viewer, rids, trash) : null
  return rids.map((rid) => films?.get(rid) ?? null)
}
