import type { User } from '../../src/base/user.ts'
import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { findProposals } from '../../src/duplicates/proposals/find.ts'
import { presentProposals } from '../../src/duplicates/proposals/present.ts'
import type { ProposalsSettle } from '../../src/duplicates/proposals/schema.ts'
import { settleFound } from '../../src/duplicates/proposals/settle-found.ts'
import type { Storage } from '../../src/media/storage.ts'
import { makeLibrary } from './library.ts'
import { measure, measureOnce, printTable } from './measure.ts'
import { fillPool } from './pool-files.ts'

const FILES = Number(process.env.BENCH_FILES ?? 200_000)
const GROUPS = Math.min(100_000, FILES / 2)
const POOL = 50_000
const SETTLED = 500
const SINGLE = 20
const PAGE = 100

/** No file of the library has a content. */
const storage = {} as Storage

/**
 * Prints what it takes to propose what becomes of 100,000 groups of equal files, to settle 500 of them out
 * of one pool of 50,000, and some one by one; BENCH_FILES sets how many files there are.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: FILES })
  const db = library.reopen()
  try {
    const { root, ann } = library.users
    makeEqual(db)
    const rows: Record<string, string | number>[] = []
    for (const user of [ann, root]) {
      const page = async (offset: number) =>
        presentProposals(db, user, () => findProposals({ db, storage }, user), {
          offset,
          limit: PAGE,
        })
      const first = await measureOnce(() => page(0))
      const times = await measure(() => page(Math.floor(Math.random() * GROUPS)), { budget: 3000 })
      const changed = await measureOnce(() => {
        write(db, { now: 0 }, () => {
          db.run('UPDATE files SET is_public = 1 - is_public WHERE rid = 1')
        })
        return page(0)
      })
      const kept = { 'after a change': changed.ms, 'held then': changed.hold }
      rows.push({ who: user.name, first: first.ms, 'held by it': first.hold, ...times, ...kept })
    }
    printTable(`proposals for ${GROUPS} groups of equal files, of ${FILES}`, rows)
    printTable(`settling ${SETTLED} of a pool of ${POOL}`, [await timeSettle(db, root)])
    printTable(`settling ${SINGLE} one by one`, [await timeSingle(db, root)])
  } finally {
    db.close()
    library.remove()
  }
}

/** Makes pairs of equal files of one creator, which are far from each other. */
function makeEqual(db: Db): void {
  write(db, { now: 0 }, (tx) => {
    db.run('UPDATE file_details SET sha256 = randomblob(32)')
    db.run(
      `UPDATE file_details SET sha256 = (SELECT sha256 FROM file_details AS other
       WHERE other.file_rid = file_details.file_rid - ?) WHERE file_rid > ? AND file_rid <= ?`,
      GROUPS,
      GROUPS,
      2 * GROUPS,
    )
    db.run('UPDATE files SET creator_id = 2, is_deleted = 0 WHERE rid <= ?', 2 * GROUPS)
    db.run(
      `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
       VALUES (randomblob(16), 'pool', 'pool', 2, 1, 'manual', 'asc')`,
    )
    const { rid } = db.get<{ rid: number }>('SELECT max(rid) AS rid FROM pools')!
    fillPool(tx, rid, POOL, GROUPS)
  })
}

async function timeSettle(db: Db, user: User): Promise<Record<string, string | number>> {
  const proposals = await findProposals({ db, storage }, user)
  const inPool = new Set(
    db.all<{ rid: number }>('SELECT file_rid AS rid FROM pool_files').map(({ rid }) => rid),
  )
  const items = proposals.items.filter(({ files }) => inPool.has(files[1]!)).slice(0, SETTLED)
  const pages: { items: { keep: string; discard: string[] }[] }[] = []
  for (let at = 0; at < SETTLED; at += PAGE) {
    const page = { offset: at, limit: PAGE }
    pages.push(
      JSON.parse(await presentProposals(db, user, async () => ({ ...proposals, items }), page)),
    )
  }
  const asked = { items: pages.flatMap((page) => page.items) }
  let settled = 0
  const times = await measureOnce(async () => {
    settled = await settle(db, user, asked)
  })
  return { settled, ...times }
}

/** Returns how many items were settled. */
async function settle(db: Db, user: User, asked: ProposalsSettle): Promise<number> {
  const result = await settleFound({ db, storage }, user, asked, (work) =>
    write(db, { now: 0 }, (tx) => work(tx, user)),
  )
  return result.settled
}

async function timeSingle(db: Db, user: User): Promise<Record<string, string | number>> {
  const deps = { db, storage }
  const page = { offset: 0, limit: SINGLE }
  const { items } = JSON.parse(
    await presentProposals(db, user, () => findProposals(deps, user), page),
  ) as { items: { keep: string; discard: string[] }[] }
  let settled = 0
  const start = performance.now()
  for (const { keep, discard } of items) {
    settled += await settle(db, user, { items: [{ keep, discard }] })
  }
  return { settled, each: (performance.now() - start) / items.length }
}
