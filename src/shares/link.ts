import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { audit, SYSTEM } from '../audit/record.ts'
import { unauthorized } from '../auth/guard.ts'
import { findActiveUser } from '../auth/queries.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { DAY, isWithin, MINUTE } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type WriteDeps, write } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { loadPool, type PoolRecord } from '../pools/queries.ts'
import { type CookieDeps, isHttps } from '../web/session.ts'
import { digestOf, type ShareKeys } from './keys.ts'
import { findShareByToken, type ShareRecord, touchShare } from './queries.ts'
import type { Source } from './shown-queries.ts'

/** A link that works, with who made it and their present rights. */
export interface Link {
  share: ShareRecord
  maker: User
  pool: PoolRecord | null
}

/** Returns what shows the files of a link. */
export function sourceOf({ share, maker, pool }: Link): Source {
  const { rid, follows } = share
  return { ...sourceOfPool(maker, pool), share: follows ? 0 : rid, follows }
}

/** Returns what shows all files of a pool that a link of the user may show. */
export function sourceOfPool({ id, is_admin }: User, pool: PoolRecord | null): Source {
  const sorted = pool && { rid: pool.rid, sort_key: pool.sort_key, sort_order: pool.sort_order }
  return { maker: { id, is_admin }, share: 0, follows: true, pool: sorted }
}

/** Returns the link of a row; null while its maker is blocked or gone, or may not view its pool. */
export function linkOf(db: Db, share: ShareRecord): Link | null {
  const maker = findActiveUser(db, share.creator_id)
  if (!maker) return null
  if (share.pool_id === null) return { share, maker, pool: null }
  const pool = viewablePool(db, maker, share.pool_id)
  return pool && { share, maker, pool }
}

/** Returns a pool, or null if the user may not view it. */
export function viewablePool(db: Db, user: User, id: string): PoolRecord | null {
  try {
    return loadPool(db, user, id, 'view')
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * Returns the link with these characters. Throws not_found, the same for one that never was, has ended, or doesn't work
 * at the moment.
 */
export function findLink(db: Db, token: string, now: number): Link {
  const token_hash = digestOf(token)
  const share = token_hash && findShareByToken(db, { token_hash, now })
  const link = share && linkOf(db, share)
  if (!link) throw noLink()
  return link
}

export function noLink(): AppError {
  return new AppError('not_found', 'There is no such link, or it has ended')
}

/** What answering through a link needs. */
export interface LinkDeps extends WriteDeps, CookieDeps {
  shareKeys: ShareKeys
  log: Log
}

type LinkContext = Context<AppEnv, string, { out: { param: { token: string } } }>

/**
 * Returns the link of the request, and writes that it is used. Throws not_found as `findLink`, and unauthorized until
 * its password was sent.
 */
export function openLink(deps: LinkDeps, c: LinkContext): Link {
  const link = findLink(deps.db, c.req.valid('param').token, deps.clock())
  const { share } = link
  const isOpen =
    share.password_hash === null ||
    deps.shareKeys.isCookie(share, getCookie(c, cookieName(deps, c)) ?? '')
  if (!isOpen) throw unauthorized('The link asks for a password')
  if (!isWithin(MINUTE, share.last_used_at, deps.clock())) recordUse(deps, share)
  return link
}

// One entry a day (UTC) and link.
function recordUse({ db, clock, log }: LinkDeps, share: ShareRecord): void {
  const day = (time: number) => Math.floor(time / DAY)
  try {
    write(db, { now: clock() }, (tx) => {
      touchShare(tx, share.rid)
      if (share.last_used_at !== null && day(share.last_used_at) === day(tx.now)) return
      const { id: share_id, title, creator_id, creator_name } = share
      audit(tx, SYSTEM, 'share_use', null, { share_id, title, creator_id, creator_name })
    })
  } catch (error) {
    // When the disk is full, reading still works.
    log.warn('the use of a link could not be written', { error: String(error) })
  }
}

/** Sets the cookie of those who sent the password, for the addresses of this link alone. */
export function setLinkCookie(deps: LinkDeps, c: LinkContext, { share }: Link): void {
  const parts = [
    `${cookieName(deps, c)}=${deps.shareKeys.cookie(share)}`,
    `Path=/s/${c.req.valid('param').token}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps(deps, c) ? ['Secure'] : []),
  ]
  c.header('Set-Cookie', parts.join('; '))
}

function cookieName(deps: LinkDeps, c: LinkContext): string {
  return `${isHttps(deps, c) ? '__Secure-' : ''}tagstead-${deps.webTokens.instance}-link`
}
