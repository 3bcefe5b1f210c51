import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../base/errors.ts'
import { isCredential, nfc } from '../base/text.ts'

/** Passwords are compared as NFC, so that it doesn't matter how a keyboard composes a letter. */
export interface Passwords {
  /** Returns a PHC string. Throws AppError rate_limited when too many are waiting. */
  hash(password: string): Promise<string>
  /**
   * Returns whether the password is the one in the PHC string; false for a malformed string. Null stands for a name
   * without a user: the check costs as much and returns false, as it does for an impossible password. Throws AppError
   * rate_limited when too many are waiting.
   */
  verify(hash: string | null, password: string): Promise<boolean>
}

interface PasswordCost {
  /** KiB. */
  memoryCost: number
  /** Passes over the memory. */
  timeCost: number
}

const COST: PasswordCost = { memoryCost: 64 * 1024, timeCost: 3 }
const AT_ONCE = 2
const MAX_WAITING = 20

/** Returns argon2id with at most two computations at a time and 20 more waiting. */
export function createPasswords(cost: PasswordCost = COST): Passwords {
  const limit = pLimit(AT_ONCE)
  const options = { ...cost, parallelism: 1 }

  function queued<T>(work: () => Promise<T>): Promise<T> {
    if (limit.activeCount + limit.pendingCount >= AT_ONCE + MAX_WAITING) {
      throw new AppError('rate_limited', 'Too many passwords were sent at once; try again', {
        headers: { 'Retry-After': '1' },
      })
    }
    return limit(work)
  }

  return {
    hash: async (password) => queued(() => hash(nfc(password), options)),
    verify: async (stored, password) =>
      queued(async () => {
        const isPossible = isCredential(password)
        const text = isPossible ? nfc(password) : ''
        if (stored === null) {
          await hash(text, options)
          return false
        }
        // A malformed hash throws.
        const isRight = await verify(stored, text).catch(() => false)
        return isRight && isPossible
      }),
  }
}

/** Returns a random password of at least 20 characters and `minLength`, which is at most 256. */
export function generatePassword(minLength: number): string {
  return randomBytes(Math.max(15, minLength)).toString('base64url').slice(0, 256)
}
