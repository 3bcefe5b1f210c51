import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { filesOf } from '../../../src/files/file-set.ts'
import { ALL_TIMES } from '../../../src/files/find/range.ts'
import { orderedFiles } from '../../../src/files/sets/ordered.ts'
import type { FileIdPage } from '../../../src/files/sets/schema.ts'
import { visibleFiles } from '../../../src/files/sets/visible.ts'
import { getUser } from '../../../src/users/queries.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { setWalks } from '../../support/set-walks.ts'

let own: Library
let other: Db
let admin: { id: number; token: string }
beforeEach(async () => {
  own = await openLibrary()
  other = openDatabase(join(own.folder, 'tagstead.sqlite'))
  admin = await own.join('admin', { is_admin: true })
})
afterEach(async () => {
  other.close()
  await own.close()
})

/** Resolves with how many turns of the event loop something takes, which reads a stretch of the files in each. */
async function turnsOf(reading: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = reading.finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++) await setImmediate()
  await over
  return turns
}

describe('what changes while it is read', () => {
  it('is missed in nothing, though more changes come at once than are kept', async () => {
    const { id } = admin
    const { db } = own.deps
    write(db, { now: 0 }, (tx) => addManyFiles(tx, 10_500, { owner: id }))
    const reading = visibleFiles(db, getUser(db, id), false)
    // The first 10,000 have been read by now, and only the last 8,192 changes are kept.
    other.run('UPDATE files SET is_deleted = 1 WHERE rid <= 10000')
    const left = db.all<{ rid: number }>('SELECT rid FROM files WHERE is_deleted = 0')
    assert.deepEqual(
      filesOf(await reading),
      left.map(({ rid }) => rid),
    )
    assert.equal(left.length, 500)
  })

  it('is read once, though more changes than are kept come one after the other', async () => {
    const { id } = admin
    const { db } = own.deps
    write(db, { now: 0 }, (tx) => addManyFiles(tx, 17_000, { owner: id }))
    const asked = { sort: 'content_datetime', trash: false, range: ALL_TIMES } as const
    const alone = await turnsOf(orderedFiles(other, asked))
    const reading = orderedFiles(db, asked)
    const counted = turnsOf(reading)
    for (let turn = 0; turn < 4; turn++) {
      const later = 'UPDATE files SET content_datetime = content_datetime + 500'
      other.run(`${later} WHERE rid > ? AND rid <= ?`, turn * 2500, turn * 2500 + 2500)
      await setImmediate()
    }
    const { rids } = await reading
    const inOrder = db.all<{ rid: number }>(
      'SELECT rid FROM files INDEXED BY files_content_datetime WHERE is_deleted = 0 ORDER BY content_datetime, id',
    )
    assert.deepEqual(
      [...rids],
      inOrder.map(({ rid }) => rid),
    )
    const turns = await counted
    // Who reads all of them twice has twice as many.
    assert.ok(turns < 1.5 * alone, `${turns} turns, and ${alone} when nothing changes`)
  })

  it('is there once, though it moved from before what is read to behind it', async () => {
    const { id } = admin
    const { db } = own.deps
    write(db, { now: 0 }, (tx) => {
      addManyFiles(tx, 9000, { owner: id })
      tx.run("UPDATE files SET name_key = printf('n%05d', rid)")
    })
    const moves = {
      content_datetime: 'UPDATE files SET content_datetime = 1e12 WHERE rid = 5',
    }
    for (const [sort, move] of Object.entries(moves)) {
      const asked = { sort: sort as keyof typeof moves, trash: false, range: ALL_TIMES }
      const reading = orderedFiles(db, asked)
      db.run(move)
      const rids = [...(await reading).rids]
      const others = Array.from({ length: 9000 }, (_, n) => n + 1).filter((rid) => rid !== 5)
      assert.deepEqual(rids, [...others, 5], sort)
    }
  })

  it('is in its new place among the ids', async () => {
    const { id, token } = admin
    const { db } = own.deps
    write(db, { now: 0 }, (tx) => {
      addManyFiles(tx, 12_000, { owner: id })
      tx.run('UPDATE files SET is_deleted = 1 WHERE rid > 6000')
    })
    const { got } = setWalks(own, { admin: token })
    const sorted = { sort: 'content_datetime', order: 'asc' }
    await got('admin', '/files/ids', sorted)
    const asked = got<FileIdPage>('admin', '/files/ids', sorted)
    for (let turn = 1; turn <= 40; turn++) {
      await setImmediate()
      other.run('UPDATE files SET content_datetime = 9000 + rid WHERE rid = ?', turn)
    }
    const { ids } = await asked
    const expected = db.all<{ id: string }>(
      `SELECT lower(hex(id)) AS id FROM files WHERE is_deleted = 0 ORDER BY content_datetime, id`,
    )
    assert.deepEqual(
      ids.map((id) => id.replaceAll('-', '')),
      expected.map((file) => file.id),
    )
  })
})
