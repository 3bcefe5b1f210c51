import type { WriteAs } from '../../auth/write-as.ts'
import { createPause } from '../../base/pause.ts'
import type { User } from '../../base/user.ts'
import { dismissedPairs } from '../queries.ts'
import { libraryState } from './contents-queries.ts'
import { findProposals, keepProposals, type ProposalDeps } from './find.ts'
import { itemsLeft } from './left.ts'
import type { ProposalsSettle, SettleResult } from './schema.ts'
import { settleProposals } from './settle.ts'

const MOST_TRIES = 3

/** Merges, in one write, what was proposed to a user, and caches what is left of the proposals. */
export async function settleFound(
  deps: ProposalDeps,
  user: User,
  request: ProposalsSettle,
  write: WriteAs,
): Promise<SettleResult> {
  for (let tries = 1; ; tries++) {
    const proposals = await findProposals(deps, user)
    const settled = write((tx, user) => {
      // Changes that happen while proposals are found make them stale again, but not without end.
      const isStale = libraryState(tx).proposals !== proposals.state
      if (isStale && tries < MOST_TRIES) return null
      const proposed = { items: proposals.items, dismissed: dismissedPairs(tx) }
      const done = settleProposals(tx, user, proposed, request)
      return { ...done, proposed, isStale, state: libraryState(tx).proposals }
    })
    if (!settled) continue
    const { result, merges, proposed, isStale, state } = settled
    if (!isStale && merges.length > 0) {
      const items = await itemsLeft(deps.db, { user, pause: createPause() }, proposed, merges)
      if (items) keepProposals(deps, user, { state, items })
    }
    return result
  }
}
