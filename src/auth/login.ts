import { randomBytes } from 'node:crypto'
import { audit, SYSTEM } from '../audit/record.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { cleanLine, isCredential } from '../base/text.ts'
import { type Tx, write } from '../db/write.ts'
import { unauthorized } from './guard.ts'
import { rememberNetwork } from './network-queries.ts'
import type { Passwords } from './password.ts'
import {
  type Account,
  createSession,
  deleteLastEntry,
  deleteSession,
  findAccount,
  findAccountByName,
  type OpenedSession,
  removeExpiredSessions,
} from './queries.ts'
import type { SessionDeps } from './token-pair.ts'

const USER_AGENT_LENGTH = 512

export interface LoginDeps extends SessionDeps {
  passwords: Passwords
  log: Log
}

interface Credentials {
  name: string
  password: string
}

interface Place {
  user_agent: string
  address: string
  /** Null when the login must not add a network to those of the user. */
  network: string | null
}

const LOGGED_CHARACTERS = 64

/**
 * Opens a session and returns it, and adds the network of the place to those of the user. Throws AppError unauthorized
 * for a wrong name or password, and forbidden for a blocked user with the right password.
 */
export async function login(
  deps: LoginDeps,
  credentials: Credentials,
  place: Place,
): Promise<OpenedSession> {
  const { name } = credentials
  const account = isCredential(name) ? findAccountByName(deps.db, name) : undefined
  const isRight = await deps.passwords.verify(account?.password_hash ?? null, credentials.password)
  if (!account) {
    logFailure(deps.log, place, name, 'unknown name')
    write(deps.db, { now: deps.clock() }, costAnEntry)
    throw wrongCredentials()
  }
  const outcome = write(deps.db, { now: deps.clock() }, (tx) =>
    openSession(tx, deps.config, account, { isRight, ...place }),
  )
  if (typeof outcome !== 'string') return outcome
  logFailure(deps.log, place, credentials.name, outcome)
  if (outcome === 'blocked') throw new AppError('forbidden', 'This user is blocked')
  throw wrongCredentials()
}

// The address comes first, so that a program that reads the log can't mistake part of a name for it.
function logFailure(log: Log, { address }: Place, name: string, reason: string): void {
  log.warn('login failed', { address, name: loggedName(name), reason })
}

// Removes what could break or reorder a line of the log.
function loggedName(name: string): string {
  const beginning = [...name.slice(0, 2 * LOGGED_CHARACTERS)].slice(0, LOGGED_CHARACTERS)
  return beginning.join('').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

// Writes an audit entry for an unknown name and deletes it again. An existing name gets an entry, and neither the time
// nor a full disk may reveal which names exist.
function costAnEntry(tx: Tx): void {
  audit(tx, SYSTEM, 'user_login_failed', null, { reason: 'unknown name' })
  deleteLastEntry(tx)
}

function openSession(
  tx: Tx,
  config: LoginDeps['config'],
  account: Account,
  { isRight, user_agent, network }: Place & { isRight: boolean },
) {
  // The user may have been blocked, deleted or given another password during the check.
  const user = findAccount(tx, account.id)
  if (!user) return 'wrong password'
  const mayEnter = isRight && user.password_hash === account.password_hash
  if (!mayEnter || user.is_blocked) {
    const reason = mayEnter ? 'blocked' : 'wrong password'
    audit(tx, user, 'user_login_failed', null, { reason })
    return reason
  }
  removeExpiredSessions(tx)
  const session = createSession(tx, {
    user_id: user.id,
    user_agent: [...cleanLine(user_agent)].slice(0, USER_AGENT_LENGTH).join(''),
    nonce: randomBytes(32),
    expires_at: tx.now + config.refreshTokenTtl,
  })
  audit(tx, user, 'user_login', null, { session_id: session.id })
  if (network !== null) rememberNetwork(tx, user.id, network)
  return session
}

export function logout(tx: Tx, user: { id: number; name: string }, session_id: number): void {
  deleteSession(tx, session_id)
  audit(tx, user, 'user_logout', null, { session_id })
}

function wrongCredentials(): AppError {
  return unauthorized('The name or the password is wrong')
}
