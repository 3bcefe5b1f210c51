import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { SYSTEM } from '../../../src/audit/record.ts'
import { lockRescans, rescan } from '../../../src/duplicates/rescan/rescan.ts'
import type { RescanEvent } from '../../../src/duplicates/rescan/schema.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { streamed } from '../../support/streamed.ts'

const IDLE = {
  state: 'idle',
  started_at: null,
  by: null,
  progress: null,
  tallies: null,
  refused: [],
  background: null,
}

let library: Library
let ada: { id: number; token: string }
let eve: { id: number; token: string }
beforeEach(async () => {
  library = await openLibrary()
  // The process of a rescan has the clock of the machine.
  library.time.now = Date.now()
  ada = await library.join('ada', { is_admin: true })
  eve = await library.join('eve', { is_admin: true })
  for (const n of [1, 2]) await library.upload(ada.token, await picture(n))
})
afterEach(() => library.close())

const begin = async () =>
  streamed<RescanEvent>(
    await library.fetchRaw('POST', '/files/duplicates/rescan', { token: ada.token }),
  )

async function state(token = eve.token) {
  const { status, body } = await library.call('GET', '/files/duplicates/rescan', { token })
  assert.equal(status, 200)
  return body
}

describe('the state of the rescan', () => {
  it('tells another admin how far it is, and then what it found, after a restart too', async () => {
    assert.deepEqual(await state(), IDLE)
    const stream = await begin()
    const start = await stream.next()
    const during = await state()
    const { started_at } = during
    const by = { id: ada.id, name: 'ada' }
    const running = { ...IDLE, state: 'running', started_at, by, progress: { type: 'start' } }
    assert.deepEqual([start, during], [{ type: 'start' }, running])
    assert.equal(started_at, new Date(library.time.now).toISOString())

    // Later than the process ends.
    library.time.now += 60_000
    const { type, ...tallies } = (await stream.rest()).at(-1) as RescanEvent & { type: 'done' }
    assert.deepEqual([type, tallies.files], ['done', 2])
    const done = { ...running, state: 'done', progress: { type, ...tallies }, tallies }
    assert.deepEqual(await state(), done)

    await library.restart()
    const { started_at: told, ...rest } = await state()
    assert.deepEqual({ ...rest, started_at }, done)
    assert.ok(Math.abs(Date.parse(told) - Date.parse(started_at)) < 60_000, told)
  })

  it('tells a later one of another process, too', async () => {
    const first = await begin()
    library.time.now += 60_000
    await first.rest()
    library.time.now += 60_000
    const by = { id: eve.id, name: 'eve' }
    for await (const _ of rescan(library.deps, by)) library.time.now += 1000
    assert.deepEqual((await state()).by, by)
    // One that failed since then is the last one.
    library.time.now += 60_000
    const stream = await begin()
    await stream.next()
    await stream.leave()
    const { by: last, state: after, tallies } = await state()
    assert.deepEqual([after, last.name, tallies], ['failed', 'ada', null])
  })

  it('is failed when it could not begin, without saying more than its stream would', async () => {
    const { db } = library.deps
    db.run('UPDATE __drizzle_migrations SET created_at = created_at + 1')
    const token = ada.token
    const answer = await library.call('POST', '/files/duplicates/rescan', { token })
    db.run('UPDATE __drizzle_migrations SET created_at = created_at - 1')
    assertError(answer, 500, 'internal_error')
    const { state: after, progress } = await state()
    assert.equal(after, 'failed')
    const message = 'Something went wrong on the server'
    assert.deepEqual(progress, { type: 'error', code: 'internal_error', message })
  })

  it('is not that of one that was refused', async () => {
    const lock = lockRescans(library.deps.config)
    const token = ada.token
    try {
      const answer = await library.call('POST', '/files/duplicates/rescan', { token })
      assertError(answer, 409, 'conflict')
    } finally {
      lock.release()
    }
    assert.deepEqual(await state(), IDLE)
  })

  it('names the server as who began what it began by itself', async () => {
    for await (const _ of rescan(library.deps, SYSTEM)) {
      // Its end is what counts.
    }
    assert.deepEqual((await state()).by, { id: 0, name: 'system' })
  })
})
