import type { User } from '../../src/base/user.ts'
import type { Db } from '../../src/db/client.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { write } from '../../src/db/write.ts'
import { readReach } from '../../src/pools/sharing/reach.ts'
import { ReachAsked } from '../../src/pools/sharing/schema.ts'
import { makeLibrary } from './library.ts'
import { measure, measureOnce, printTable } from './measure.ts'
import { fillPool } from './pool-files.ts'

const FILES = Number(process.env.BENCH_FILES ?? 100_000)
const POOL = 50_000
const NAMED = 10_000
const USERS = 20
const RUNS = { runs: 200, budget: 3000 }

/**
 * Prints what it takes to tell how many files of a pool of 50,000, and of 10,000 named ones, each of 20
 * users sees, who have an entry for most of them; BENCH_FILES sets how many files there are.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: FILES })
  const db = library.reopen()
  try {
    const { root, ann, ben, cat } = library.users
    const { pool_id, file_ids } = addPool(db)
    const user_ids = addUsers(db)
    const rows: Record<string, string | number>[] = []
    const time = async (of: string, caller: User, asked: object, meanwhile = () => {}) => {
      const request = ReachAsked.parse({ ...asked, user_ids })
      const work = () => {
        meanwhile()
        return readReach(db, caller, request)
      }
      const first = await measureOnce(work)
      const times = await measure(work, RUNS)
      rows.push({ of, who: caller.name, first: first.ms, 'held by it': first.hold, ...times })
    }
    for (const caller of [ann, root, ben, cat]) await time(`a pool of ${POOL}`, caller, { pool_id })
    for (const caller of [ann, root]) await time(`${NAMED} files`, caller, { file_ids })
    await time(`a pool of ${POOL}, after a change`, ann, { pool_id }, () =>
      write(db, { now: 0 }, () => {
        db.run('UPDATE files SET is_public = 1 - is_public WHERE rid = ?', FILES >> 1)
      }),
    )
    printTable(`whom files reach: ${USERS} users, ${FILES} files`, rows)
  } finally {
    db.close()
    library.remove()
  }
}

/** Adds a public pool of files from all over the library; returns its id, and some of its files. */
function addPool(db: Db): { pool_id: string; file_ids: string[] } {
  return write(db, { now: 0 }, (tx) => {
    const { rid, id } = db.get<{ rid: number; id: Uint8Array }>(
      `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
       VALUES (randomblob(16), 'pool', 'pool', 2, 1, 'manual', 'asc') RETURNING rid, id`,
    )!
    fillPool(tx, rid, POOL)
    const files = db.all<{ id: Uint8Array }>(
      'SELECT id FROM pool_files JOIN files ON rid = file_rid WHERE pool_rid = ? LIMIT ?',
      rid,
      NAMED,
    )
    return { pool_id: blobToUuid(id), file_ids: files.map((file) => blobToUuid(file.id)) }
  })
}

/** Adds users with entries for nine of ten files of the pool, and returns their ids. */
function addUsers(db: Db): number[] {
  return Array.from({ length: USERS }, (_, n) =>
    write(db, { now: 0 }, () => {
      const { id } = db.get<{ id: number }>(
        `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
         VALUES (?, '', 0, 0, 0) RETURNING id`,
        `user ${n}`,
      )!
      db.run(
        `INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) SELECT ?, 'file', file_rid, 1, (file_rid + ?) % 2 FROM pool_files
         WHERE (file_rid + ?) % 10 > 0`,
        id,
        n,
        n,
      )
      return id
    }),
  )
}
