import { audit } from '../audit/record.ts'
import { type Tx, write } from '../db/write.ts'
import { unauthorized } from './guard.ts'
import { touchNetwork } from './network-queries.ts'
import { deleteSession, findSession, rotateSession, type SessionRow } from './queries.ts'
import type { SessionDeps } from './token-pair.ts'
import type { RefreshTokens } from './tokens.ts'

/** How the refresh tokens of one kind of session are renewed; times are in milliseconds. */
export interface Renewal {
  tokens: RefreshTokens
  /** How long the live token is used before its next use rotates the session. */
  rotateAfter: number
  /** How long after a rotation the direct predecessor of the live token is exchanged for it. */
  grace: number
}

/** Returns the renewal for programs, whose sessions rotate at each use. */
export function programRenewal(tokens: RefreshTokens): Renewal {
  return { tokens, rotateAfter: 0, grace: 60_000 }
}

type RefreshDeps = Pick<SessionDeps, 'db' | 'clock' | 'config'>

/**
 * Rotates the session of the live refresh token, unless that token is to be used for longer, and returns the session.
 * For the previous token, returns the session as it is if the rotation is recent enough. An older token ends the
 * session. Throws AppError unauthorized for that and for anything else that isn't the live token. A network from which
 * the user has signed in stays recognised; no other is added.
 */
export function refresh(
  deps: RefreshDeps,
  renewal: Renewal,
  { token, network }: { token: string; network: string | null },
): SessionRow {
  const session = write(deps.db, { now: deps.clock() }, (tx) => {
    const next = nextSession(tx, { ...renewal, ttl: deps.config.refreshTokenTtl }, token)
    if (next && network !== null) touchNetwork(tx, next.user_id, network)
    return next
  })
  if (!session) throw unauthorized('The refresh token is not valid')
  return session
}

function nextSession(
  tx: Tx,
  { tokens, rotateAfter, grace, ttl }: Renewal & { ttl: number },
  token: string,
): SessionRow | null {
  const { now } = tx
  const claims = tokens.read(token)
  const session = claims && findSession(tx, claims.session_id, now)
  if (!session || session.is_blocked) return null
  const { generation } = claims
  const isOurs = tokens.isMac({ ...session, generation }, claims.mac)
  // A token ahead of its session was issued after the moment to which the database was restored.
  if (!isOurs || generation > session.generation) return null

  const isLive = generation === session.generation
  // After the clock was set back, neither the live token nor its predecessor may last longer.
  if (isLive && Math.abs(now - session.rotated_at) < rotateAfter) return session
  const expires_at = now + ttl
  if (rotateSession(tx, { id: session.id, generation, expires_at })) {
    return { ...session, generation: generation + 1, expires_at }
  }
  const isPredecessor = generation === session.generation - 1
  if (isPredecessor && Math.abs(now - session.rotated_at) <= grace) return session

  deleteSession(tx, session.id)
  const user = { id: session.user_id, name: session.user_name }
  audit(tx, user, 'token_reuse', null, { session_id: session.id })
  return null
}
