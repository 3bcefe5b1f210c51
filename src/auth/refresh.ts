import { audit } from '../audit/record.ts'
import { type Tx, write } from '../db/write.ts'
import { unauthorized } from './guard.ts'
import { keepNetwork } from './network-queries.ts'
import { deleteSession, findSession, rotateSession, type SessionRow } from './queries.ts'
import type { SessionDeps } from './token-pair.ts'

/** How long the direct predecessor of the live token is still exchanged for it, in milliseconds. */
const GRACE = 60_000

/**
 * Rotates the session of the live refresh token and returns it. For the previous token, returns the
 * session as it is if the rotation is recent enough. An older token ends the session. Throws
 * AppError unauthorized for that and for everything else that isn't the live token. A network from
 * which the user has signed in stays known by it; no other becomes so.
 */
export function refresh(deps: SessionDeps, token: string, network: string | null): SessionRow {
  const session = write(deps.db, { now: deps.clock() }, (tx) => {
    const next = nextSession(tx, deps, token)
    if (next && network !== null) keepNetwork(tx, next.user_id, network)
    return next
  })
  if (!session) throw unauthorized('The refresh token is not valid')
  return session
}

function nextSession(tx: Tx, { tokens, config }: SessionDeps, token: string): SessionRow | null {
  const { now } = tx
  const claims = tokens.readRefresh(token)
  const session = claims && findSession(tx, claims.session_id, now)
  if (!session || session.is_blocked) return null
  const { generation } = claims
  const isOurs = tokens.isRefreshMac({ ...session, generation }, claims.mac)
  // A token ahead of its session was issued after the moment to which the database was restored.
  if (!isOurs || generation > session.generation) return null

  const expires_at = now + config.refreshTokenTtl
  if (rotateSession(tx, { id: session.id, generation, expires_at })) {
    return { ...session, generation: generation + 1 }
  }
  const isPredecessor = generation === session.generation - 1
  if (isPredecessor && now - session.rotated_at <= GRACE) return session

  deleteSession(tx, session.id)
  const user = { id: session.user_id, name: session.user_name }
  audit(tx, user, 'token_reuse', null, { session_id: session.id })
  return null
}
