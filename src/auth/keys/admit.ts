import { createHash, randomBytes } from 'node:crypto'
import { requireAdmin } from '../../acl/access.ts'
import type { ApiKey, User } from '../../base/user.ts'
import { type ActivityDeps, recordActivity } from '../activity.ts'
import { type FoundKey, findKey, touchKey } from './queries.ts'

const SECRET = /^tsk_[0-9a-v]{26}$/

/** Returns a new key of 128 random bits in base 32 (RFC 4648, `0-9a-v`), with its SHA-256. */
export function makeKey(): { key: string; digest: Uint8Array } {
  const bits = BigInt(`0x${randomBytes(16).toString('hex')}`)
  const key = `tsk_${bits.toString(32).padStart(26, '0')}`
  return { key, digest: digestOf(key) }
}

// The key itself has 128 random bits, so a slow hash would add nothing.
function digestOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}

/** Returns whether a bearer token has the shape of a key. */
export function isKey(token: string | undefined): token is string {
  return token !== undefined && SECRET.test(token)
}

/**
 * Returns the user of a key with their present rights, and the key, or null when it is none or has ended. Records its
 * use. Throws AppError forbidden for a key of the scope `admin` whose user is no admin any more.
 */
export function admitKey(
  deps: Pick<ActivityDeps, 'db' | 'clock' | 'log'>,
  token: string,
): { user: User; key: ApiKey } | null {
  const found = isKey(token) && findKey(deps.db, { digest: digestOf(token) }, deps.clock())
  if (!found) return null
  const { user, key } = withinScope(found)
  recordActivity(deps, found.last_use, (now) => touchKey(deps.db, key.id, now))
  return { user, key }
}

/** Returns what it is given. Throws AppError forbidden for a key of the scope `admin` whose user is no admin. */
export function withinScope<Found extends Pick<FoundKey, 'user' | 'key'>>(found: Found): Found {
  if (found.key.scope === 'admin') requireAdmin(found.user)
  return found
}

/**
 * Does the same for a key that is the password of an `Authorization: Basic` header, whatever the name in it. Returns
 * null for every other header.
 */
export function admitBasic(
  deps: Pick<ActivityDeps, 'db' | 'clock' | 'log'>,
  authorization: string | undefined,
): { user: User; key: ApiKey } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return admitKey(deps, text.slice(text.indexOf(':') + 1))
}
