import { seenNow } from '../../auth/seen-now.ts'
import { DAY, isoTime } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { pairsOfFilms } from '../companions/companion-queries.ts'
import { filesByRid } from '../queries.ts'
import { fileVersion } from '../version.ts'
import { cellRows } from './cell-queries.ts'
import { MOST_SHOWN, type ThisDay, YEARS } from './schema.ts'
import { type LocalDay, type Taken, takenOn } from './this-day-queries.ts'

/** Returns what the viewer sees of a day such as 2026-07-14 in the years before it, the latest year first. */
export const readThisDay = question(
  'overview',
  'this day',
  (db: Db, asked: { viewer: User; day: string; pairs: boolean }): ThisDay => {
    const { viewer, day, pairs } = seenNow(db, asked)
    const before = daysBefore(day)
    const all = takenOn(
      db,
      viewer,
      before.map(({ local }) => local),
    )
    const taken = pairs ? withoutFilms(db, all) : all
    const years: (Omit<ThisDay['years'][number], 'shown'> & { shown: Taken[] })[] = []
    for (let first = 0, end = 0; first < taken.length; first = end) {
      while (taken[end]?.day === taken[first]!.day) end++
      const ofDay = taken.slice(first, end)
      years.push({
        year: before[taken[first]!.day]!.year,
        files: ofDay.length,
        from: isoTime(ofDay[0]!.time),
        to: isoTime(ofDay.at(-1)!.time + 1),
        shown: spread(ofDay),
      })
    }
    const present = presenter(
      db,
      viewer,
      years.flatMap(({ shown }) => shown),
    )
    return { years: years.map((year) => ({ ...year, shown: year.shown.map(present) })) }
  },
)

/** Leaves out the films whose pictures are of the same day. */
function withoutFilms(db: Db, taken: Taken[]): Taken[] {
  const days = new Map(taken.map(({ rid, day }) => [rid, day]))
  const pairs = pairsOfFilms(db, [...days.keys()])
  const folded = pairs.filter((pair) => days.get(pair.picture_rid) === days.get(pair.film_rid))
  const films = new Set(folded.map((pair) => pair.film_rid))
  return taken.filter(({ rid }) => !films.has(rid))
}

/** The same day in earlier years; the 29th of February is in few of them. */
function daysBefore(day: string): { year: number; local: LocalDay }[] {
  const now = new Date(day)
  return Array.from({ length: YEARS }, (_, n) => now.getUTCFullYear() - 1 - n).flatMap((year) => {
    const first = new Date(now)
    first.setUTCFullYear(year)
    const isThere = first.getUTCMonth() === now.getUTCMonth()
    return isThere ? [{ year, local: { first: +first, end: +first + DAY } }] : []
  })
}

/** A few of many, from the whole day: those that follow each other are often alike. */
function spread<Item>(items: Item[]): Item[] {
  const count = Math.min(items.length, MOST_SHOWN)
  return Array.from({ length: count }, (_, n) => items[Math.floor((n * items.length) / count)]!)
}

/** Reads files at once, and returns what tells the id and the version of each. */
function presenter(db: Db, viewer: User, taken: Taken[]) {
  const rids = taken.map(({ rid }) => rid)
  const cells = cellRows(db, viewer, rids, { withHash: false })
  const ids = new Map(filesByRid(db, rids).map(({ rid, id }) => [rid, id]))
  return ({ rid }: Taken) => ({ id: ids.get(rid)!, version: fileVersion(cells.get(rid)!) })
}
