import { hash, randomUUID } from 'node:crypto'
import type { Db } from '../../src/db/client.ts'
import { uuidToBlob } from '../../src/db/columns.ts'
import { ridOf } from './object-rows.ts'

/** Inserts a link with a known token that shows a pool of its maker, used just now; returns its row number. */
export function insertShare(
  db: Db,
  share: { id?: string; token: string; owner: number; pool: string; now: number; fields?: object },
): number {
  const row = {
    id: uuidToBlob(share.id ?? randomUUID()),
    token_hash: Buffer.from(hash('sha256', share.token, 'hex'), 'hex'),
    creator_id: share.owner,
    pool_rid: ridOf(db, 'pool', share.pool),
    follows: 1,
    downloads: 'as_they_are',
    shows_names: 0,
    may_upload: 1,
    created_at: share.now,
    last_used_at: share.now,
    ...share.fields,
  }
  const columns = Object.keys(row)
  return db.get<{ rid: number }>(
    `INSERT INTO shares (${columns}) VALUES (${columns.map(() => '?')}) RETURNING rid`,
    ...Object.values(row),
  )!.rid
}
