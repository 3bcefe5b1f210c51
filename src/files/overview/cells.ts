import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { idTime } from '../../db/ids.ts'
import { listFilms } from '../companions/folding.ts'
import { anchorPlace, refuseBoth, withRightsOfNow } from '../find/list.ts'
import { pageOf } from '../find/page.ts'
import { placeOf } from '../places/towns.ts'
import { fileVersion } from '../version.ts'
import { type CellRow, camerasOf, cellRows, KNOWN } from './cell-queries.ts'
import { type Opened, openListing, type Pools } from './listing.ts'
import type { CellPage, CellsQuery } from './schema.ts'
import { seriesOf } from './series.ts'

/**
 * Returns a page of a list as columns, with no more of each file than a grid of pictures shows. Throws validation
 * errors for its cursor, anchor and filter, and not_found or forbidden for anchor and pool.
 */
export async function listCells(
  db: Db,
  viewer: User,
  query: CellsQuery,
  pools: Pools,
): Promise<CellPage> {
  refuseBoth(query)
  const ask = (now: User) => openListing(db, now, query, pools)
  return withRightsOfNow(db, viewer, ask, (opened) => pageOfCells(db, query, opened))
}

async function pageOfCells(
  db: Db,
  query: CellsQuery,
  { list, listing, ...opened }: Opened,
): Promise<CellPage> {
  const { direction, limit } = query
  const { viewer } = list
  const isAnchored = query.anchor !== undefined
  const place = isAnchored ? anchorPlace(db, viewer, listing, query) : opened.place
  const withHash = query.hashes === '1'
  const withTown = query.places === '1'
  const page = await pageOf(listing, { place, direction, limit }, (found) => {
    const rows = cellRows(
      db,
      viewer,
      found.map((entry) => entry.rid),
      { withHash, withTown },
    )
    const items = found.flatMap(({ rid, id }) => {
      const row = rows.get(rid)
      return row ? [Object.assign(row, { id })] : []
    })
    return { items, taken: found.length }
  })
  const { items } = page
  const byCreation = list.sort === 'created'
  const isTimed = list.sort === 'timeline' || list.sort === 'content_datetime'
  return {
    ids: items.map((cell) => cell.id),
    t: items.map((cell) => Math.floor((byCreation ? idTime(cell.id) : cell.time) / 1000)),
    r: items.map((cell) => cell.ratio),
    k: items.map((cell) => (cell.isFilm === 1 ? 'v' : 'j')).join(''),
    ...(withHash ? { h: items.map(hashText) } : {}),
    ...(query.pairs === '1' ? { c: listFilms(db, list, items) } : {}),
    ...(query.series === '1'
      ? { s: isTimed ? seriesOf(items, (rids) => camerasOf(db, rids)) : items.map(() => null) }
      : {}),
    ...(withTown ? placesOf(items) : {}),
    f: items.map(({ flags }) => (byCreation ? flags & ~KNOWN.year : flags)),
    d: items.map(({ duration }) => (duration === null ? null : Math.round(duration))),
    v: items.map(fileVersion),
    next_cursor: page.next,
    prev_cursor: page.prev,
  }
}

function placesOf(cells: CellRow[]): Pick<CellPage, 'p' | 'places'> {
  const towns = [...new Set(cells.flatMap(({ town }) => town ?? []))]
  const at = new Map(towns.map((town, n) => [town, n]))
  return {
    p: cells.map(({ town }) => (town === null ? null : at.get(town)!)),
    places: towns.map(placeOf),
  }
}

function hashText({ thumbhash }: CellRow): string | null {
  return thumbhash && Buffer.from(thumbhash, 'hex').toString('base64')
}
