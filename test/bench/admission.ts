import { findSessionUser } from '../../src/auth/queries.ts'
import { openLibrary } from '../support/harness.ts'
import { printBudgets } from './budgets.ts'

const ROUNDS = 15
const REQUESTS = 5000
/** Microseconds for both. */
const GOAL = 'Bun' in globalThis ? 5 : 7.5

/**
 * Prints what each request takes to tell who sent it, in microseconds: to know its token again, and to
 * find the session and its user; beside them, a bare statement that finds as much. In turns, the best of
 * fifteen.
 */
export async function bench(): Promise<void> {
  const library = await openLibrary()
  try {
    const { token } = await library.join('ann')
    const { db, tokens, clock } = library.deps
    const claims = (await tokens.verifyAccess(token))!
    const { user_id, session_id } = claims
    const statement = db.prepare(
      `SELECT u.id, u.name, u.is_admin, u.can_create, s.last_activity
       FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = ? AND s.user_id = ? AND s.expires_at > ? AND u.is_blocked = 0`,
    )
    const works = {
      token: () => tokens.verifyAccess(token),
      'session and user': () => findSessionUser(db, { ...claims, now: clock() }),
      'bare statement': () => statement.get(session_id, user_id, clock()),
    }
    const best = { token: Infinity, 'session and user': Infinity, 'bare statement': Infinity }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, work] of Object.entries(works)) {
        const begun = performance.now()
        for (let n = 0; n < REQUESTS; n++) await work()
        const each = ((performance.now() - begun) * 1000) / REQUESTS
        best[name as keyof typeof best] = Math.min(best[name as keyof typeof best], each)
      }
    }
    const budgets = Object.entries(best).map(([what, value]) => ({ what, value }))
    const both = { what: 'token, session and user', value: best.token + best['session and user'] }
    printBudgets('who sent a request, in microseconds', [...budgets, { ...both, held: GOAL }])
  } finally {
    await library.close()
  }
}
