import { Hono } from 'hono'
import { requireAdmin } from '../../acl/access.ts'
import { audit } from '../../audit/record.ts'
import type { Config } from '../../base/config.ts'
import { AppError, invalid } from '../../base/errors.ts'
import { isoTime } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Tx, WriteDeps } from '../../db/write.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody, validPath } from '../../http/validate.ts'
import { writeAs } from '../write-as.ts'
import { makeKey } from './admit.ts'
import { countKeys, deleteKey, insertKey, type KeyRow, listKeys, loadKey } from './queries.ts'
import { type Key, KeyCreate, KeyList, KeyPath, NewKey } from './schema.ts'

const MOST_KEYS = 100

interface KeyDeps extends WriteDeps {
  config: Pick<Config, 'publicUrl'>
  /** Returns the row number of a pool to which the user may add files; throws AppError otherwise. */
  poolFor(tx: Tx, user: User, pool_id: string): number
}

/** Returns the routes of the keys with which apps act for a user. No key opens them. */
export function keyRoutes(deps: KeyDeps): Hono<AppEnv> {
  const { db, clock } = deps

  return new Hono<AppEnv>()
    .post(
      '/auth/keys',
      operation({
        id: 'createKey',
        tag: 'Auth',
        summary: 'Make a key for an app',
        description:
          'Only this answer contains the key. It never gives more than its user may do at the moment; ' +
          'the scope `admin` is for admins only. A user may have 100 keys; more get 409.',
        isAudited: true,
        responses: { 201: { description: 'The key', schema: NewKey } },
        errors: ['forbidden', 'not_found', 'conflict'],
      }),
      validBody(KeyCreate),
      (c) => {
        const { key, digest } = makeKey()
        const row = writeAs(deps, c, (tx, user) =>
          createKey(deps, tx, { user, digest, fields: c.req.valid('json') }),
        )
        const public_url = deps.config.publicUrl
        return c.json({ ...presentKey(row), key, public_url } satisfies NewKey, 201)
      },
    )
    .get(
      '/auth/keys',
      operation({
        id: 'listKeys',
        tag: 'Auth',
        summary: 'List the keys of the caller',
        description: 'Only keys that have not ended, and without the keys themselves.',
        responses: { 200: { description: 'The live keys, newest first', schema: KeyList } },
      }),
      (c) => {
        const items = listKeys(db, c.var.user.id, clock()).map(presentKey)
        return c.json({ items } satisfies KeyList)
      },
    )
    .delete(
      '/auth/keys/:key_id',
      operation({
        id: 'endKey',
        tag: 'Auth',
        summary: 'End a key',
        description: 'Users may end their own keys; admins may end any.',
        isAudited: true,
        isDeletion: true,
        responses: { 204: null },
        errors: ['not_found'],
      }),
      validPath(KeyPath),
      (c) => {
        writeAs(deps, c, (tx, user) => {
          const key = loadKey(tx, c.req.valid('param').key_id, tx.now)
          if (!key || (key.user_id !== user.id && !user.is_admin)) {
            throw new AppError('not_found', 'There is no such key')
          }
          deleteKey(tx, key.id)
          const { id: key_id, name, user_id, user_name } = key
          audit(tx, user, 'key_end', null, { key_id, name, user_id, user_name })
        })
        return c.body(null, 204)
      },
    )
}

function createKey(
  { poolFor }: KeyDeps,
  tx: Tx,
  { user, digest, fields }: { user: User; digest: Uint8Array; fields: KeyCreate },
): KeyRow {
  const { pool_id, ...rest } = fields
  const { name, scope, expires_at } = rest
  if (expires_at !== null && expires_at <= tx.now) throw invalid('expires_at', 'is over already')
  if (scope === 'admin') requireAdmin(user)
  const pool_rid = pool_id === null ? null : poolFor(tx, user, pool_id)
  const key_id = insertKey(tx, { ...rest, user_id: user.id, pool_rid, digest })
  if (countKeys(tx, user.id) > MOST_KEYS) {
    throw new AppError('conflict', `You have ${MOST_KEYS} keys; end one first`)
  }
  audit(tx, user, 'key_create', null, { key_id, name, scope })
  return loadKey(tx, key_id, tx.now)!
}

function presentKey({ created_at, expires_at, last_use, ...row }: KeyRow): Key {
  const { id, name, scope, pool_id, folder_tags } = row
  const timeOf = (time: number | null) => (time === null ? null : isoTime(time))
  return {
    ...{ id, name, scope, pool_id, folder_tags },
    created_at: isoTime(created_at),
    expires_at: timeOf(expires_at),
    last_use: timeOf(last_use),
  }
}
