import { randomBytes } from 'node:crypto'
import { createTokens } from '../../../src/auth/tokens.ts'
import { DAY } from '../../../src/base/time.ts'
import type { Db } from '../../../src/db/client.ts'
import { blobToUuid, uuidToBlob } from '../../../src/db/columns.ts'
import { newId } from '../../../src/db/ids.ts'
import { emptyLog } from '../../../src/db/upkeep.ts'
import { write } from '../../../src/db/write.ts'
import { fillLog } from '../audit.ts'
import { type Made, makeLibrary } from '../library.ts'
import { fillPool } from '../pool-files.ts'

/** Files of the largest pool, and pools of a page of them. */
export const POOL = 50_000
const POOLS = 50
const SMALL_POOL = 1000
/** Files that somebody sees who sees few. */
const FEW = 20
const SECRET = randomBytes(32).toString('hex')

/** Who asks: an admin; who created most, little, nothing; who sees twenty files, or none. */
export type Viewer = 'root' | 'ann' | 'ben' | 'cat' | 'few' | 'none'

/** A data folder with a library of which every row is made up. */
export interface World extends Pick<Made, 'tags' | 'hidden'> {
  dataDir: string
  files: number
  /** What the server needs to take the tokens. */
  env: Record<string, string>
  tokens: Record<Viewer, string>
  /** Ids of the large pool, and of files from all over the library. */
  pool: string
  someFiles: string[]
  remove(): void
}

/**
 * Makes a library with looks, pools and a log of a million entries in a temporary folder. In one that
 * is private, nobody sees what is neither theirs nor granted to them.
 */
export async function makeWorld(files: number, isPrivate = false): Promise<World> {
  const library = makeLibrary({ files, looks: true, ...(isPrivate && { publicShare: 0 }) })
  const db = library.reopen()
  try {
    const { tags, hidden, users, folder: dataDir, remove } = library
    const [few, none] = ['few', 'none'].map((name) => addUser(db, name)) as [number, number]
    grantFew(db, few)
    const pool = addPool(db, Math.min(POOL, files >> 1))
    for (let n = 1; n < POOLS; n++) addPool(db, SMALL_POOL)
    fillLog(db)
    const { root, ann, ben, cat } = users
    const ids = { root: root.id, ann: ann.id, ben: ben.id, cat: cat.id, few, none }
    const tokens = await tokensOf(db, ids)
    emptyLog(db)
    const someFiles = db
      .all<{ id: Uint8Array }>(
        'SELECT id FROM files WHERE rid % ? = 7 AND NOT is_deleted',
        Math.ceil(files / 1000),
      )
      .map(({ id }) => blobToUuid(id))
    const env = { JWT_SECRET: SECRET, ACCESS_TOKEN_TTL: '1d', LOG_LEVEL: 'warn' }
    return { dataDir, files, env, tokens, tags, hidden, pool, someFiles, remove }
  } finally {
    db.close()
  }
}

function addUser(db: Db, name: string): number {
  return db.get<{ id: number }>(
    `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
     VALUES (?, '', 0, 1, 0) RETURNING id`,
    name,
  )!.id
}

function grantFew(db: Db, user: number): void {
  db.run(
    `INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) SELECT ?, 'file', rid, 1, 0 FROM files
     WHERE is_deleted = 0 ORDER BY random() LIMIT ?`,
    user,
    FEW,
  )
}

function addPool(db: Db, size: number): string {
  return write(db, { now: 0 }, (tx) => {
    const { rid, id } = db.get<{ rid: number; id: Uint8Array }>(
      `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
       VALUES (?, 'pool', 'pool', 2, 1, 'content_datetime', 'desc') RETURNING rid, id`,
      uuidToBlob(newId(tx, 'pools')),
    )!
    fillPool(tx, rid, size)
    return blobToUuid(id)
  })
}

async function tokensOf(db: Db, ids: Record<Viewer, number>): Promise<World['tokens']> {
  const now = Date.now()
  const tokens = createTokens({
    secret: new TextEncoder().encode(SECRET),
    config: { accessTokenTtl: DAY, contentTokenTtl: DAY },
    clock: Date.now,
  })
  const made: Partial<World['tokens']> = {}
  for (const [name, user] of Object.entries(ids)) {
    const { id } = db.get<{ id: number }>(
      `INSERT INTO sessions (user_id, user_agent, nonce, generation, rotated_at, started_at,
       expires_at, last_activity) VALUES (?, '', zeroblob(16), 1, ?, ?, ?, ?) RETURNING id`,
      user,
      now,
      now,
      now + DAY,
      now,
    )!
    made[name as Viewer] = await tokens.signAccess(user, id)
  }
  return made as World['tokens']
}
