import { Hono } from 'hono'
import { writeAs } from '../../auth/write-as.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { AppEnv } from '../../http/env.ts'
import { jsonText } from '../../http/json.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody, validQuery } from '../../http/validate.ts'
import { findProposals, type ProposalDeps } from './find.ts'
import { presentProposals } from './present.ts'
import {
  DuplicateProposalPage,
  ProposalListQuery,
  ProposalsSettle,
  SettleResult,
} from './schema.ts'
import { settleFound } from './settle-found.ts'

/** Returns the routes that propose what becomes of files that show the same, and do it. */
export function proposalRoutes(deps: WriteDeps & ProposalDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/duplicates/proposals',
    operation({
      id: 'listDuplicateProposals',
      tag: 'Duplicates',
      scope: 'read',
      summary: 'List which copies could be merged without a loss',
      description:
        'Lists copies among files of one creator that the caller may edit and that are not in ' +
        'the trash. A copy has equal contents, or is a smaller version of a still picture, as ' +
        'of the last rescan. Two files are never in the same item if they were dismissed as a ' +
        'pair, if their notes, values of metadata or given dates differ, or if one has a given ' +
        'date and the other a different date that was read from its content. More than 1,000 ' +
        'files of equal contents are not proposed, and neither are more than 50 of them that ' +
        'have notes, metadata or a given date. Those are decided by hand.',
      responses: { 200: { description: 'A page of proposals', schema: DuplicateProposalPage } },
    }),
    validQuery(ProposalListQuery),
    async (c) => {
      const { user } = c.var
      const find = () => findProposals(deps, user)
      return jsonText(c, await presentProposals(db, user, find, c.req.valid('query')))
    },
  )

  routes.post(
    '/files/duplicates/proposals/settle',
    operation({
      id: 'settleDuplicateProposals',
      tag: 'Duplicates',
      scope: 'admin',
      summary: 'Merge copies as proposed',
      description:
        'The kept file gets the tags, pools and metadata of the discarded ones, their notes if ' +
        'it has none, and a better date. It becomes public if one of them was. Everybody who ' +
        'could view or edit one of them through its access list can do the same with the kept ' +
        'file. The discarded files go to the trash. Each item is settled completely or skipped. ' +
        'All of them are one operation, which can be undone.',
      isAudited: true,
      responses: { 200: { description: 'What was settled', schema: SettleResult } },
    }),
    validBody(ProposalsSettle),
    async (c) => {
      const request = c.req.valid('json')
      const result = await settleFound(deps, c.var.user, request, (work) => writeAs(deps, c, work))
      return c.json(result satisfies SettleResult)
    },
  )

  return routes
}
