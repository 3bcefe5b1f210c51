import type { Db } from '../../src/db/client.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { write } from '../../src/db/write.ts'
import { reorderFiles } from '../../src/pools/arrange.ts'
import { countPoolFiles, listPools, loadPool } from '../../src/pools/queries.ts'
import type { User } from '../../src/user.ts'
import { makeLibrary } from './library.ts'
import { printTable } from './measure.ts'

const LARGE = 10_000
const POOLS = 50
const POOL = 1000
const ROUNDS = 15

/**
 * Prints how long it takes to arrange a large pool and to count the files of many, compared with
 * bare statements.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: 30_000 })
  const db = library.reopen()
  try {
    const { ann, ben } = library.users
    const large = addPool(db, { size: LARGE, owner: ann })
    const rows = [reorders(db, large, ann)]
    for (let n = 0; n < POOLS; n++) addPool(db, { size: POOL, owner: ann })
    for (const user of [ann, ben]) rows.push(counts(db, user))
    printTable('pools', rows)
  } finally {
    db.close()
    library.remove()
  }
}

/** Adds a public pool of files from all over the library and returns its id. */
function addPool(db: Db, { size, owner }: { size: number; owner: User }): string {
  return write(db, { now: 0 }, () => {
    const { rid, id } = db.get<{ rid: number; id: Uint8Array }>(
      `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
       VALUES (randomblob(16), 'pool', 'pool', ?, 1, 'manual', 'asc') RETURNING rid, id`,
      owner.id,
    )!
    db.run(
      `INSERT INTO pool_files SELECT ?, rid, row_number() OVER () - 1
       FROM (SELECT rid FROM files ORDER BY random() LIMIT ?)`,
      rid,
      size,
    )
    return blobToUuid(id)
  })
}

/** Measures how the files that the user sees are put in another order each time. */
function reorders(db: Db, id: string, user: User): Record<string, number | string> {
  const pool = loadPool(db, user, id, 'edit')
  const seen = db.all<{ rid: number; id: Uint8Array; position: number }>(
    `SELECT f.rid, f.id, p.position FROM pool_files p JOIN files f ON f.rid = p.file_rid
     WHERE p.pool_rid = ? AND f.is_deleted = 0 AND (f.is_public OR f.creator_id = ?)
     ORDER BY p.position`,
    pool.rid,
    user.id,
  )
  const positions = seen.map((file) => file.position)
  const files = seen.map((file) => ({ rid: file.rid, id: blobToUuid(file.id) }))
  const work = () => {
    files.reverse()
    const ids = files.map((file) => file.id)
    write(db, { now: Date.now() }, (tx) => reorderFiles(tx, user, pool, ids))
  }
  const bare = () => {
    files.reverse()
    const moves = files.map((file, index) => [file.rid, positions[index]])
    write(db, { now: 0 }, () => {
      db.run(
        `INSERT INTO pool_files SELECT ?, value ->> 0, -1 - (value ->> 1) FROM json_each(?) WHERE true
         ON CONFLICT (pool_rid, file_rid) DO UPDATE SET position = excluded.position`,
        pool.rid,
        JSON.stringify(moves),
      )
      db.run(
        'UPDATE pool_files SET position = -1 - position WHERE pool_rid = ? AND position < 0',
        pool.rid,
      )
    })
  }
  return compared(`reorder ${files.length} of a pool of ${LARGE}`, user, { work, bare })
}

/** Measures a page of the list of pools. */
function counts(db: Db, user: User): Record<string, number | string> {
  const query = { sort: 'created', order: 'desc', offset: 0, limit: POOLS } as const
  const work = () => {
    const { rows } = listPools(db, user, query)
    return countPoolFiles(
      db,
      user,
      rows.map((pool) => pool.rid),
    )
  }
  const right = (type: string, alias: string) =>
    `(${alias}.creator_id = ${user.id} OR ${alias}.is_public OR EXISTS (SELECT 1 FROM acl
      WHERE user_id = ${user.id} AND object_type = '${type}' AND object_rid = ${alias}.rid AND can_view))`
  const bare = () => {
    db.all(
      `SELECT p.*, u.name, (
         SELECT count(*) FROM pool_files pf JOIN files f ON f.rid = pf.file_rid
         WHERE pf.pool_rid = p.rid AND f.is_deleted = 0 AND ${right('file', 'f')}) AS file_count
       FROM pools p JOIN users u ON u.id = p.creator_id
       WHERE ${right('pool', 'p')} ORDER BY p.id DESC LIMIT ${POOLS}`,
    )
    db.get(`SELECT count(*) FROM pools p WHERE ${right('pool', 'p')}`)
  }
  return compared(`a page of ${POOLS} pools of ${POOL}, with counts`, user, { work, bare })
}

/** Measures both in turn, so that whatever else the machine does slows both. */
function compared(
  what: string,
  user: User,
  { work, bare }: { work: () => unknown; bare: () => unknown },
): Record<string, number | string> {
  const times: { work: number[]; bare: number[] } = { work: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries({ work, bare })) {
      const started = performance.now()
      run()
      times[name as keyof typeof times].push(performance.now() - started)
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  const [took, toBare] = [median(times.work), median(times.bare)]
  return { pools: what, who: user.name, took, bare: toBare, '× bare': took / toBare }
}
