import type { Config } from '../base/config.ts'
import { isCredential } from '../base/text.ts'
import type { Clock, Wait } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import type { Client } from './client.ts'
import { createNameDelay } from './name-delay.ts'
import { isKnownNetwork } from './network-queries.ts'
import { clientKey, createLoginLimit, isFailedAttempt } from './rate-limit.ts'

/** Holds back clients that guess passwords. */
export interface PasswordLimit {
  /**
   * Runs the work that checks a password for a name, and returns its result. The attempt counts as failed when the work
   * throws AppError unauthorized or forbidden, or when the client hangs up. Throws AppError rate_limited, without
   * running the work, after too many failures.
   */
  attempt<T>(client: Client, name: string, work: () => Promise<T>): Promise<T>
}

interface PasswordLimitDeps {
  db: Db
  clock: Clock
  wait: Wait
  config: Pick<Config, 'authRateLimit'>
}

/**
 * Returns the limit on passwords: for each client as in `createLoginLimit`, and for each name the delay of
 * `createNameDelay`, which spares the networks from which its user has signed in. With AUTH_RATE_LIMIT=0 there is
 * neither.
 */
export function createPasswordLimit(deps: PasswordLimitDeps): PasswordLimit {
  const { db, clock, config } = deps
  if (config.authRateLimit === 0) return { attempt: (_client, _name, work) => work() }
  const limit = createLoginLimit(config.authRateLimit, clock)
  const delay = createNameDelay(deps)
  return {
    async attempt({ address, network, signal }, sent, work) {
      // A name that no user can have isn't worth its memory.
      const name = isCredential(sent) ? sent : ''
      const key = clientKey(address)
      const attempt = limit.start(key, name)
      try {
        const isKnown = () => isKnownNetwork(db, name, network)
        await delay.pass(name, { key, isKnown, signal })
        const result = await work()
        attempt.giveBack()
        return result
      } catch (error) {
        if (isFailedAttempt(error)) delay.failed(name)
        // Otherwise a client that hangs up would always have a place among those that wait.
        else if (!signal.aborted) attempt.giveBack()
        throw error
      }
    },
  }
}
