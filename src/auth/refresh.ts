import { recordAudit } from '../audit/record.ts'
import { write } from '../db/client.ts'
import { unauthorized } from './guard.ts'
import { deleteSession, findSession, rotateSession, type SessionRow } from './queries.ts'
import type { SessionDeps } from './token-pair.ts'

/** How long the direct predecessor of the live token is still exchanged for it, in milliseconds. */
const GRACE = 60_000

/**
 * Rotates the session of the live refresh token and returns it. For the previous token, returns the
 * session as it is if the rotation is recent enough. An older token ends the session. Throws
 * AppError unauthorized for that and for everything else that isn't the live token.
 */
export function refresh(deps: SessionDeps, token: string): SessionRow {
  const session = write(deps.db, () => nextSession(deps, token))
  if (!session) throw unauthorized('The refresh token is not valid')
  return session
}

function nextSession(deps: SessionDeps, token: string): SessionRow | null {
  const { db, tokens, config } = deps
  const now = deps.clock()
  const claims = tokens.readRefresh(token)
  const session = claims && findSession(db, claims.session_id, now)
  if (!session || session.is_blocked) return null
  const { generation } = claims
  const isOurs = tokens.isRefreshMac({ ...session, generation }, claims.mac)
  // A token ahead of its session was issued after the moment to which the database was restored.
  if (!isOurs || generation > session.generation) return null

  const expires_at = now + config.refreshTokenTtl
  if (rotateSession(db, { id: session.id, generation, now, expires_at })) {
    return { ...session, generation: generation + 1 }
  }
  const isPredecessor = generation === session.generation - 1
  if (isPredecessor && now - session.rotated_at <= GRACE) return session

  deleteSession(db, session.id)
  const user = { id: session.user_id, name: session.user_name }
  const details = { session_id: session.id }
  recordAudit(db, { user, action: 'token_reuse', details, now })
  return null
}
