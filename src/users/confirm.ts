import type { Client } from '../auth/client.ts'
import type { Passwords } from '../auth/password.ts'
import type { PasswordLimit } from '../auth/password-limit.ts'
import { findAccount, findSession } from '../auth/queries.ts'
import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { User } from '../base/user.ts'
import type { Tx, WriteDeps } from '../db/write.ts'

// How long after its login a session needs no password confirmation, in milliseconds.
const PROVED_FOR = 10 * 60_000

export interface ConfirmDeps extends WriteDeps {
  passwords: Passwords
  passwordLimit: PasswordLimit
  log: Log
  config: Pick<Config, 'confirmPassword'>
}

interface Caller extends Client {
  user: User
  session_id: number
}

/**
 * Checks the password that a caller sends before they set another one, and returns the hash that it matches, or
 * undefined when none was sent. Throws AppError forbidden when it is wrong, or when it is missing although the server
 * requires it and the session is older than ten minutes, and rate_limited after too many wrong ones.
 */
export async function confirmPassword(
  deps: ConfirmDeps,
  caller: Caller,
  current_password: string | undefined,
): Promise<string | undefined> {
  const { db, clock, passwords, passwordLimit, log, config } = deps
  const { user, session_id, address } = caller
  if (current_password === undefined) {
    if (config.confirmPassword && !isFresh(findSession(db, session_id, clock()), clock())) {
      throw new AppError('forbidden', 'A new password requires `current_password`')
    }
    return undefined
  }
  return passwordLimit.attempt(caller, user.name, async () => {
    const hash = findAccount(db, user.id)?.password_hash ?? null
    const isRight = await passwords.verify(hash, current_password)
    if (hash !== null && isRight) return hash
    // With a stolen token, this may be guessing.
    log.warn('wrong current password', { address, name: user.name })
    throw wrongPassword()
  })
}

/**
 * Throws AppError forbidden when a password was changed since it was proved; `proved_hash` is what `confirmPassword`
 * returned.
 */
export function requireStillProved(tx: Tx, user: User, proved_hash: string | undefined): void {
  if (proved_hash === undefined) return
  if (findAccount(tx, user.id)?.password_hash !== proved_hash) throw wrongPassword()
}

function wrongPassword(): AppError {
  return new AppError('forbidden', 'The current password is wrong')
}

// Every session begins with the password.
function isFresh(session: { started_at: number } | undefined, now: number): boolean {
  return session !== undefined && Math.abs(now - session.started_at) <= PROVED_FOR
}
