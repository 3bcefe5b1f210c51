import type { Db } from '../../db/client.ts'
import { type FileSet, hasFile, setOf, without } from '../file-set.ts'
import { amongList, countListed } from '../find/far.ts'
import { settled } from '../find/list.ts'
import { type Listing, type Part, placeOf } from '../find/page.ts'
import type { FileList } from '../find/query.ts'
import type { Entry } from '../find/statement.ts'
import { allPairs, filmsOf, pairsOfFilms } from './companion-queries.ts'

/** A page that lacks files is filled by walks of at least this many, each twice as long as the one before. */
const SHORTEST = 16
const LONGEST = 4000

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
  for (let [wanted, shortest] = [limit, SHORTEST]; ; shortest *= 2) {
    const found = await listing.walk({ place: from, direction, limit: wanted })
    kept.push(...foldEntries(db, list, found))
    if (found.length < wanted || kept.length >= limit) return kept.slice(0, limit)
    from = placeOf(found.at(-1)!, side)
    wanted = Math.min(Math.max(2 * (limit - kept.length), shortest), LONGEST)
  }
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
