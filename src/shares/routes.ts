import { Hono } from 'hono'
import type { Passwords } from '../auth/password.ts'
import { writeAs } from '../auth/write-as.ts'
import type { Config } from '../base/config.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { OffsetQuery } from '../http/fields.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody, validPath, validQuery } from '../http/validate.ts'
import { createShare, endShare, readShareReach } from './edit.ts'
import { linkOf, sourceOf, viewablePool } from './link.ts'
import { listShares, type ShareRecord } from './queries.ts'
import {
  type Share,
  ShareAsked,
  ShareCreate,
  ShareMade,
  ShareOffsetPage,
  SharePath,
  ShareReach,
} from './schema.ts'
import { countEach } from './shown.ts'

interface ShareDeps extends WriteDeps {
  config: Pick<Config, 'publicUrl'>
  /** A queue of its own, so that nobody who guesses passwords of links keeps users from signing in. */
  linkPasswords: Passwords
}

/** Returns the routes by which users make, list and end links for people without an account. */
export function shareLinkRoutes(deps: ShareDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.post(
    '/shares/reach',
    operation({
      id: 'readShareReach',
      tag: 'Links',
      summary: 'Tell what a link would show',
      description:
        'Counts the files that a link made now would show: of those in the pool, or of the named ' +
        'ones, the files that the caller created (of an admin’s all), without those in the trash.',
      responses: { 200: { description: 'How many files there are', schema: ShareReach } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validBody(ShareAsked),
    async (c) => c.json(await readShareReach(db, c.var.user, c.req.valid('json'))),
  )

  routes.post(
    '/shares',
    operation({
      id: 'createShare',
      tag: 'Links',
      summary: 'Make a link for people without an account',
      description:
        'Everybody who has the link sees the files of its maker (of an admin: all) that are not in ' +
        'the trash: the named ones; or those of the pool that were there when it was made and still ' +
        'are, and with `follows` also those that come into it later, whoever adds them. That is ' +
        'looked up at each request. It works until it ends or its maker is blocked. A pool that fills itself gets 409, ' +
        'and so do more than 10,000 files without `follows`, and more than 1,000 links of a user that ' +
        'have not ended.',
      isAudited: true,
      responses: { 201: { description: 'The link and its address', schema: ShareMade } },
      errors: ['not_found', 'forbidden', 'conflict', 'rate_limited'],
    }),
    validBody(ShareCreate),
    async (c) => {
      const asked = c.req.valid('json')
      const { password } = asked
      const hash = password === null ? null : await deps.linkPasswords.hash(password)
      const { token, ...made } = writeAs(deps, c, (tx, user) => createShare(tx, user, asked, hash))
      const url = `${deps.config.publicUrl ?? ''}/s/${token}`
      return c.json({ ...presentShare(db, c.var.user, made), url } satisfies ShareMade, 201)
    },
  )

  routes.get(
    '/shares',
    operation({
      id: 'listShares',
      tag: 'Links',
      summary: 'List links for people without an account',
      description: 'Those of the caller, for an admin those of all users, the newest first.',
      responses: { 200: { description: 'A page of links', schema: ShareOffsetPage } },
    }),
    validQuery(OffsetQuery),
    async (c) => {
      const query = c.req.valid('query')
      const { rows, total } = listShares(db, c.var.user, query)
      const now = deps.clock()
      const hasEnded = ({ expires_at }: ShareRecord) => expires_at !== null && expires_at <= now
      const links = rows.map((share) => (hasEnded(share) ? null : linkOf(db, share)))
      const sources = links.map((link) => link && sourceOf(link))
      const counts = await countEach(db, c.var.user, sources)
      const items = rows.map((share, index) =>
        presentShare(db, c.var.user, { share, files: counts[index]! }),
      )
      return c.json({ items, total, ...query } satisfies ShareOffsetPage)
    },
  )

  routes.delete(
    '/shares/:share_id',
    operation({
      id: 'endShare',
      tag: 'Links',
      summary: 'End a link',
      description: 'One’s own; admins may end any.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found'],
    }),
    validPath(SharePath),
    (c) => {
      writeAs(deps, c, (tx, user) => endShare(tx, user, c.req.valid('param').share_id))
      return c.body(null, 204)
    },
  )

  return routes
}

function presentShare(
  db: Db,
  viewer: User,
  { share, files }: { share: ShareRecord; files: number },
): Share {
  const { id, title, pool_id, follows, downloads, shows_names, may_upload } = share
  const { creator_id, creator_name, expires_at, last_used_at } = share
  return {
    ...{ id, title, pool_id },
    pool_name: (pool_id && viewablePool(db, viewer, pool_id)?.name) ?? null,
    files,
    ...{ follows, downloads, shows_names, may_upload, creator_id, creator_name },
    has_password: share.password_hash !== null,
    created_at: isoTime(share.created_at),
    expires_at: expires_at === null ? null : isoTime(expires_at),
    last_used_at: last_used_at === null ? null : isoTime(last_used_at),
  }
}
