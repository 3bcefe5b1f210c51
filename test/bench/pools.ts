import type { User } from '../../src/base/user.ts'
import type { Db } from '../../src/db/client.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { write } from '../../src/db/write.ts'
import { purgeFile } from '../../src/files/edit.ts'
import { loadFile, setTrashed } from '../../src/files/queries.ts'
import { addFiles } from '../../src/pools/arrange.ts'
import { listPoolFiles } from '../../src/pools/list.ts'
import { countHeld, findHidden, listPools, loadPool } from '../../src/pools/queries.ts'
import { positionsOf } from '../../src/pools/ranks.ts'
import { reorderFiles } from '../../src/pools/reorder.ts'
import { makeLibrary } from './library.ts'
import { printTable } from './measure.ts'
import { fillPool } from './pool-files.ts'

const LARGE = 10_000
const POOLS = 50
const POOL = 1000
const ROUNDS = 15
const HUGE = 50_000
/** What of the huge pool its owner doesn't see; from an admin, half of it can't be hidden. */
const HIDDEN = ['nothing', '100 in the trash', 'half'] as const
/** Milliseconds that changes may take where nothing is hidden. */
const GOALS: Record<string, number> = {
  'insert at the head': 10,
  'swap two at the head': 10,
  'two from the end to the head': 10,
  'delete one for good': 3,
}

/**
 * Prints how long it takes to arrange a large pool and to count the files of many, compared with
 * bare statements, and what small changes of a huge pool take.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: 100_000 })
  const db = library.reopen()
  try {
    const { ann, ben } = library.users
    const large = addPool(db, { size: LARGE, owner: ann })
    const rows = [await reorders(db, large, ann)]
    for (let n = 0; n < POOLS; n++) addPool(db, { size: POOL, owner: ann })
    for (const user of [ann, ben]) rows.push(await counts(db, user))
    printTable('pools', rows)
    const { root } = library.users
    const changed = []
    for (const user of [root, ann]) {
      for (const hidden of HIDDEN) changed.push(await changes(db, user, hidden))
    }
    printTable(`small changes of a pool of ${HUGE}`, changed)
    const missed = changed.flatMap((row) =>
      Object.entries(GOALS).filter(
        ([what, goal]) => row.hidden === 'nothing' && Number(row[what]) > goal,
      ),
    )
    if (missed.length > 0) throw new Error(`Over the goal: ${missed.join('; ')}`)
  } finally {
    db.close()
    library.remove()
  }
}

/** Adds a public pool of files from all over the library and returns its id. */
function addPool(db: Db, { size, owner }: { size: number; owner: User }): string {
  return write(db, { now: 0 }, (tx) => {
    const { rid, id } = db.get<{ rid: number; id: Uint8Array }>(
      `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
       VALUES (randomblob(16), 'pool', 'pool', ?, 1, 'manual', 'asc') RETURNING rid, id`,
      owner.id,
    )!
    fillPool(tx, rid, size)
    return blobToUuid(id)
  })
}

/** Measures how the files that the user sees are put in another order each time. */
async function reorders(db: Db, id: string, user: User): Promise<Record<string, number | string>> {
  const pool = loadPool(db, user, id, 'edit')
  // As after a look at the pool.
  await countHeld(db, user, [pool.rid])
  const seen = db.all<{ rid: number; id: Uint8Array; order_key: number }>(
    `SELECT f.rid, f.id, p.order_key FROM pool_files p JOIN files f ON f.rid = p.file_rid
     WHERE p.pool_rid = ? AND f.is_deleted = 0 AND (f.is_public OR f.creator_id = ?)
     ORDER BY p.order_key`,
    pool.rid,
    user.id,
  )
  const keys = seen.map((file) => file.order_key)
  const files = seen.map((file) => ({ rid: file.rid, id: blobToUuid(file.id) }))
  const work = async () => {
    files.reverse()
    const ids = files.map((file) => file.id)
    const known = await findHidden(db, user, { pool, ids })
    write(db, { now: Date.now() }, (tx) => reorderFiles(tx, user, pool, { file_ids: ids, known }))
  }
  const bare = () => {
    files.reverse()
    const moves = files.map((file, index) => [file.rid, keys[index]])
    write(db, { now: 0 }, () => {
      db.run(
        `INSERT INTO pool_files SELECT ?, value ->> 0, (value ->> 1) + (1 << 60) FROM json_each(?) WHERE true
         ON CONFLICT (pool_rid, file_rid) DO UPDATE SET order_key = excluded.order_key`,
        pool.rid,
        JSON.stringify(moves),
      )
      db.run(
        'UPDATE pool_files SET order_key = order_key - (1 << 60) WHERE pool_rid = ? AND order_key >= 1 << 60',
        pool.rid,
      )
    })
  }
  return compared(`reorder ${files.length} of a pool of ${LARGE}`, user, { work, bare })
}

/** Measures a page of the list of pools. */
function counts(db: Db, user: User): Promise<Record<string, number | string>> {
  const query = { sort: 'created', order: 'desc', offset: 0, limit: POOLS } as const
  const work = () => {
    const { rows } = listPools(db, user, query)
    return countHeld(
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
async function compared(
  what: string,
  user: User,
  { work, bare }: { work: () => unknown; bare: () => unknown },
): Promise<Record<string, number | string>> {
  const times: { work: number[]; bare: number[] } = { work: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries({ work, bare })) {
      const started = performance.now()
      await run()
      times[name as keyof typeof times].push(performance.now() - started)
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  const [took, toBare] = [median(times.work), median(times.bare)]
  return { pools: what, who: user.name, took, bare: toBare, '× bare': took / toBare }
}

/** Measures what changes little in a pool of files that the user owns, and a page of its list. */
async function changes(
  db: Db,
  user: User,
  hidden: (typeof HIDDEN)[number],
): Promise<Record<string, number | string>> {
  db.run('UPDATE files SET is_deleted = 0, is_public = 0, creator_id = ?', user.id)
  const id = addPool(db, { size: HUGE, owner: user })
  const inPool = 'SELECT file_rid FROM pool_files WHERE pool_rid = (SELECT max(rid) FROM pools)'
  const other = "(SELECT id FROM users WHERE name = 'cat')"
  if (hidden === 'half') db.run(`UPDATE files SET creator_id = ${other} WHERE rid % 2`)
  if (hidden === '100 in the trash') {
    db.run(`UPDATE files SET is_deleted = 1 WHERE rid IN (${inPool} ORDER BY random() LIMIT 100)`)
  }
  const pool = loadPool(db, user, id, 'edit')
  const others = db
    .all<{ rid: number; id: Uint8Array }>(
      `SELECT rid, id FROM files
       WHERE rid NOT IN (SELECT file_rid FROM pool_files WHERE pool_rid = ?) AND creator_id = ? LIMIT ?`,
      pool.rid,
      user.id,
      ROUNDS,
    )
    .map((file) => ({ rid: file.rid, id: blobToUuid(file.id) }))
  const order = (direction: 'ASC' | 'DESC') =>
    db
      .all<{ id: Uint8Array }>(
        `SELECT f.id FROM pool_files p JOIN files f ON f.rid = p.file_rid
         WHERE p.pool_rid = ? AND f.is_deleted = 0 AND (f.creator_id = ? OR ?)
         ORDER BY p.order_key ${direction} LIMIT 100`,
        pool.rid,
        user.id,
        Number(user.is_admin),
      )
      .map((file) => blobToUuid(file.id))
  const now = Date.now()
  // As after a look at the pool.
  await countHeld(db, user, [pool.rid])

  const inserted = await medianOf(async () => {
    const files = [others.pop()!]
    return () => write(db, { now }, (tx) => addFiles(tx, user, pool, { files, position: 0 }))
  })
  const near = await medianOf(async () => {
    const [first, second] = order('ASC')
    const file_ids = [second!, first!]
    const asked = { file_ids, known: await findHidden(db, user, { pool, ids: file_ids }) }
    return () => write(db, { now }, (tx) => reorderFiles(tx, user, pool, asked))
  })
  const far = await medianOf(async () => {
    const file_ids = order('DESC').slice(0, 2)
    // In a server, a reader does so beforehand.
    const asked = { file_ids, known: await findHidden(db, user, { pool, ids: file_ids }) }
    return () => write(db, { now }, (tx) => reorderFiles(tx, user, pool, asked))
  })
  const listed = await medianOf(async () => () => {
    const query = { limit: 50, filter: undefined, cursor: undefined }
    return listPoolFiles(db, user, () => pool, query)
  })
  const purged = await medianOf(async () => {
    const id = order('ASC')[50]!
    const { rid } = loadFile(db, user, id, 'edit')
    write(db, { now }, (tx) => setTrashed(tx, rid, true))
    return () => write(db, { now }, (tx) => purgeFile(tx, user, loadFile(tx, user, id, 'edit')))
  })
  const { rid } = loadFile(db, user, order('DESC')[9]!, 'view')
  const found = await medianOf(async () => () => positionsOf(db, pool.rid, [rid]))
  return {
    who: user.name,
    hidden,
    'insert at the head': inserted,
    'swap two at the head': near,
    'two from the end to the head': far,
    'delete one for good': purged,
    'list 50': listed,
    'find one position': found,
  }
}

/** Returns the median time in milliseconds of what is prepared anew each time. */
async function medianOf(prepare: () => Promise<() => unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const work = await prepare()
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
}
