import type { Db } from '../../db/client.ts'
import { blobToUuid } from '../../db/columns.ts'
import { idTime } from '../../db/ids.ts'
import type { User } from '../../user.ts'
import { anchorPlace, refuseBoth } from '../list.ts'
import { fileVersion } from '../version.ts'
import { type CellRow, cellRows } from './cell-queries.ts'
import { openListing, type Pools } from './listing.ts'
import { pageOf } from './page.ts'
import type { CellPage, CellsQuery } from './schema.ts'

/** What a bit of `f` says. */
const FLAGS = { review: 1, shared: 2, editable: 4, placeholder: 8, own: 16 }

/**
 * Returns a page of a list as columns, with no more of each file than a grid of pictures shows. Throws
 * validation errors for its cursor, anchor and filter, and not_found or forbidden for anchor and pool.
 */
export async function listCells(
  db: Db,
  viewer: User,
  query: CellsQuery,
  pools: Pools,
): Promise<CellPage> {
  refuseBoth(query)
  const { direction, limit } = query
  const { listing, members, ...opened } = await openListing(db, viewer, query, pools)
  const isAnchored = query.anchor !== undefined
  const place = isAnchored ? await anchorPlace(db, viewer, listing, query) : opened.place
  const withHash = query.hashes === '1'
  const page = await pageOf(listing, { place, direction, limit }, (rids) => {
    const rows = cellRows(db, viewer, rids, { withHash })
    const items = rids.map((rid) => rows.get(rid)).filter((row) => row !== undefined)
    return { items, taken: rids.length }
  })
  return presentCells(page.items, {
    viewer,
    byCreation: members.sort === 'created',
    withHash,
    next_cursor: page.next,
    prev_cursor: page.prev,
  })
}

function presentCells(
  rows: CellRow[],
  {
    viewer,
    byCreation,
    withHash,
    ...cursors
  }: { viewer: User; byCreation: boolean; withHash: boolean } & Pick<
    CellPage,
    'next_cursor' | 'prev_cursor'
  >,
): CellPage {
  const ids = rows.map((row) => blobToUuid(row.id))
  const timeOf = (row: CellRow, n: number) => (byCreation ? idTime(ids[n]!) : localTime(row))
  return {
    ids,
    t: rows.map((row, n) => Math.floor(timeOf(row, n) / 1000)),
    r: rows.map((row) => row.ratio),
    k: rows.map((row) => (row.mime_type.startsWith('video/') ? 'v' : 'j')).join(''),
    ...(withHash ? { h: rows.map(hashText) } : {}),
    f: rows.map((row) => flagsOf(row, viewer)),
    d: rows.map(({ duration }) => (duration === null ? null : Math.round(duration))),
    v: rows.map(fileVersion),
    ...cursors,
  }
}

function localTime({ content_datetime, content_offset }: CellRow): number {
  return Number(content_datetime) + (content_offset ?? 0) * 60_000
}

function hashText({ thumbhash }: CellRow): string | null {
  return thumbhash && Buffer.from(thumbhash).toString('base64')
}

function flagsOf(row: CellRow, viewer: User): number {
  return (
    row.needs_review * FLAGS.review +
    row.shared * FLAGS.shared +
    row.editable * FLAGS.editable +
    Number(row.derivative_state !== 'made') * FLAGS.placeholder +
    Number(row.creator_id === viewer.id) * FLAGS.own
  )
}
