import assert from 'node:assert/strict'
import { listAudit } from '../../src/audit/list.ts'
import { type AuditRequest, listByIndex } from '../../src/audit/queries.ts'
import { isTallied, readTally } from '../../src/audit/tally.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { createPause } from '../../src/pause.ts'
import { eventually } from '../support/eventually.ts'
import { randomNumbers } from '../support/file-rows.ts'
import { temporaryFolder } from '../support/media/media.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { after, afterEach, before, describe, it } from '../support/test.ts'

const START = Date.UTC(2026, 5, 7)
const ACTIONS = ['file_edit', 'file_tag_add', 'pool_edit', 'user_login']
const TYPES = ['file', 'pool', null]
/** All of the id of an object but its end. */
const OBJECT = '018bcfe5-6800-7000-8000-0000000000'

/** Pages that the process reads besides. */
const SOME = 30

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let db: Db
/** Another process beside it. */
let other: Db
const random = randomNumbers(7)
before(async () => {
  folder = await temporaryFolder()
  const path = `${folder.path}/tagstead.sqlite`
  db = openDatabase(path, { migrations: 'drizzle' })
  other = openDatabase(path)
})
after(async () => {
  db.close()
  other.close()
  await folder.remove()
})
afterEach(() => db.run('DELETE FROM audit_log'))

/** Writes entries that are `step` milliseconds apart, from a time on. */
function log(by: Db, count: number, { from, step }: { from: number; step: number }): void {
  const rows = Array.from({ length: count }, (_, index) => [
    // Nearly all are by one user, and few of some kinds.
    random(50) === 0 ? 2 + random(3) : 1,
    ACTIONS[random(20) === 0 ? random(4) : 1],
    TYPES[random(9) === 0 ? random(3) : 0],
    from + index * step,
    random(9),
  ])
  by.run(
    `INSERT INTO audit_log (user_id, user_name, action, object_type, performed_at, object_id)
     SELECT value ->> 0, 'somebody', value ->> 1, value ->> 2, value ->> 3,
     unhex('${OBJECT.replaceAll('-', '')}' || printf('%02x', value ->> 4)) FROM json_each(?)`,
    JSON.stringify(rows),
  )
}

function someRequest(): AuditRequest {
  const some = <Value>(value: Value) => (random(2) === 0 ? value : undefined)
  return {
    user_id: some(1 + random(5)),
    action: some(ACTIONS[random(4)]),
    object_type: some(random(2) === 0 ? 'file' : 'pool'),
    object_id: random(5) === 0 ? `${OBJECT}0${random(9)}` : undefined,
    from: some(START - 12_000 + random(21_000)),
    to: some(START - 12_000 + random(21_000)),
    offset: random(3) === 0 ? random(5000) : random(100),
    limit: 1 + random(60),
  }
}

async function assertSame(requests: number): Promise<void> {
  for (let n = 0; n < requests; n++) {
    const request = someRequest()
    const said = JSON.stringify(request)
    assert.deepEqual(await listAudit(db, request), listByIndex(db, request), said)
  }
}

describe('pages of the log that are found by a tally', () => {
  it('are those that a look at every entry finds, whatever the order of their times', async () => {
    log(db, 3000, { from: START, step: 1 })
    // One instant, as of a change of many files; then the clock goes back, ahead, and is set right.
    log(db, 2000, { from: START + 3000, step: 0 })
    log(db, 1500, { from: START - 500, step: 3 })
    log(db, 1, { from: START + 1e9, step: 0 })
    log(db, 1500, { from: START + 4000, step: 2 })
    await readTally(db, createPause())
    await assertSame(300)
    log(db, 10, { from: START - 10_000, step: 1 })
    await assertSame(100)
    // The same again when they come one by one, and from another process.
    for (let n = 0; n < 40; n++) {
      const from = START + random(12_000) - 1000
      log(n % 2 === 0 ? db : other, 1 + random(400), { from, step: random(3) })
      await assertSame(8)
    }
  })

  it('are right while many are counted, and several are asked for at once', async () => {
    log(db, 100, { from: START, step: 1 })
    await readTally(db, createPause())
    log(other, 9000, { from: START + 100, step: 1 })
    const request = { user_id: 1, offset: 4000, limit: 50 }
    const pages = await Promise.all([1, 2, 3].map(() => listAudit(db, request)))
    for (const page of pages) assert.deepEqual(page, listByIndex(db, request))
  })

  it('have what was written while the log was counted', async () => {
    log(db, 9000, { from: START, step: 1 })
    let turns = 0
    await readTally(db, async () => {
      turns++
      log(other, 100, { from: START + turns * 2500, step: 1 })
    })
    assert.ok(turns > 3)
    await assertSame(100)
  })

  it('need no count for the first who asks for all, or for one kind, which begins it', async () => {
    log(db, 9000, { from: START, step: 1 })
    for (const request of [{}, { user_id: 1 }, { action: 'file_tag_add', from: START + 99 }]) {
      const fresh: Db = { ...db }
      const asked = { ...request, offset: 20, limit: 50 }
      let turns = 0
      const counted = setImmediate(() => turns++)
      assert.deepEqual(await listAudit(fresh, asked), listByIndex(db, asked))
      assert.equal(turns, 0)
      assert.ok(!isTallied(fresh))
      clearImmediate(counted)
      await eventually(() => isTallied(fresh))
      assert.deepEqual(await listAudit(fresh, asked), listByIndex(db, asked))
    }
    const fresh: Db = { ...db }
    const asked = { user_id: 1, action: 'file_tag_add', offset: 20, limit: 50 }
    assert.deepEqual(await listAudit(fresh, asked), listByIndex(db, asked))
    assert.ok(isTallied(fresh))
  })

  it('are found by an index where that passes fewer', { skip: lacksCounters }, async () => {
    log(db, 20_000, { from: START, step: 1 })
    await readTally(db, createPause())
    db.run('UPDATE audit_log SET user_id = 9 WHERE id % 40 = 0')
    await readTally(db, createPause())
    const request = { user_id: 9, offset: 100, limit: 200 }
    const byIndex = await pagesRead(db, () => listByIndex(db, request))
    const { result, pages } = await pagesRead(db, () => listAudit(db, request))
    assert.deepEqual(result, byIndex.result)
    assert.ok(pages <= byIndex.pages + SOME, `${pages} instead of ${byIndex.pages} pages`)
  })

  it('read but the blocks that have their entries', { skip: lacksCounters }, async () => {
    log(db, 20_000, { from: START, step: 1 })
    await readTally(db, createPause())
    const asked = { user_id: 1, action: 'file_tag_add', limit: 50 }
    const all = await pagesRead(db, () => db.all('SELECT details FROM audit_log'))
    for (const offset of [0, 9000, 17_000]) {
      const { result, pages } = await pagesRead(db, () => listAudit(db, { ...asked, offset }))
      assert.deepEqual(result, listByIndex(db, { ...asked, offset }))
      assert.ok(pages < all.pages / 2, `${pages} of ${all.pages} pages`)
    }
    const beyond = await pagesRead(db, () => listAudit(db, { ...asked, offset: 30_000 }))
    assert.deepEqual(beyond.result.rows, [])
    assert.ok(beyond.pages < SOME, `${beyond.pages} pages`)
  })
})
