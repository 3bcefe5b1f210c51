import { Hono } from 'hono'
import type { Db } from '../../db/client.ts'
import type { AppEnv } from '../../http/env.ts'
import { jsonPage } from '../../http/json.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validQuery } from '../../http/validate.ts'
import { listCells } from './cells.ts'
import { readFacets } from './facets.ts'
import { listFileIds } from './ids.ts'
import type { Pools } from './listing.ts'
import { readMap } from './map.ts'
import {
  CellPage,
  CellsQuery,
  FacetQuery,
  Facets,
  FileIdPage,
  FileIdsQuery,
  FileMap,
  MapQuery,
  ThisDay,
  ThisDayQuery,
  Timeline,
  TimelineQuery,
} from './schema.ts'
import { readThisDay } from './this-day.ts'
import { readTimeline } from './timeline.ts'

/** Returns the routes that return little about many files: what a grid of pictures and a selection need. */
export function fileSetRoutes({ db, pools }: { db: Db; pools: Pools }): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/ids',
    operation({
      id: 'listFileIds',
      tag: 'Files',
      scope: 'read',
      summary: 'List the ids of files',
      description:
        'For selecting everything in a list. `total` counts all pages. Of a pool, only the ' +
        'files that the caller sees are listed.',
      responses: { 200: { description: 'A page of ids', schema: FileIdPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(FileIdsQuery),
    async (c) => jsonPage(c, await listFileIds(db, c.var.user, c.req.valid('query'), pools)),
  )

  routes.get(
    '/files/cells',
    operation({
      id: 'listCells',
      tag: 'Files',
      scope: 'read',
      summary: 'List files as the cells of a grid',
      description:
        'The same pages as the list of files, but in columns and with only what a grid of ' +
        'pictures shows. With `pool`, and without a sort or an order, they are in the order of ' +
        'the pool.',
      responses: { 200: { description: 'A page of cells', schema: CellPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(CellsQuery),
    async (c) => jsonPage(c, await listCells(db, c.var.user, c.req.valid('query'), pools)),
  )

  routes.get(
    '/files/timeline',
    operation({
      id: 'getTimeline',
      tag: 'Files',
      scope: 'read',
      summary: 'Count files by month',
      description:
        'Months are those of the local time of the files. Each bucket has a cursor: from there, ' +
        'the list of files or its cells show that part of the month.',
      responses: { 200: { description: 'The months that have files', schema: Timeline } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(TimelineQuery),
    async (c) => jsonPage(c, await readTimeline(db, c.var.user, c.req.valid('query'), pools)),
  )

  routes.get(
    '/files/facets',
    operation({
      id: 'countFacets',
      tag: 'Files',
      scope: 'read',
      summary: 'Count files by what they have in common',
      description:
        'Each value comes with the token that finds its files. To count what else could be ' +
        'chosen of a facet, leave its own condition out of the filter.',
      responses: { 200: { description: 'The values that files have', schema: Facets } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(FacetQuery),
    async (c) => jsonPage(c, await readFacets(db, c.var.user, c.req.valid('query'), pools)),
  )

  routes.get(
    '/files/map',
    operation({
      id: 'readMap',
      tag: 'Files',
      scope: 'read',
      summary: 'Count files by where they were taken',
      description:
        'Cells are those of a geohash: `u2e` is about 156 km wide and high. Files that do not say ' +
        'where they were taken do not count.',
      responses: { 200: { description: 'The cells that have files', schema: FileMap } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(MapQuery),
    async (c) => jsonPage(c, await readMap(db, c.var.user, c.req.valid('query'), pools)),
  )

  routes.get(
    '/files/this-day',
    operation({
      id: 'readThisDay',
      tag: 'Files',
      scope: 'read',
      summary: 'Find what was taken on this day in earlier years',
      description:
        'Goes back 100 years. Days are those of the local time of the files. The 29th of ' +
        'February is one of leap years only. Files in the trash do not count.',
      responses: { 200: { description: 'The years that have files', schema: ThisDay } },
    }),
    validQuery(ThisDayQuery),
    async (c) => {
      const { day, pairs } = c.req.valid('query')
      return c.json(await readThisDay(db, { viewer: c.var.user, day, pairs: pairs === '1' }))
    },
  )

  return routes
}
