import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setReader } from '../../../src/reader/question.ts'
import { createReaders, type Readers } from '../../../src/reader/reader.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { commandOf, descendantsOf } from '../../support/processes.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { until } from '../../torture/points/scene.ts'

const USUAL = { patience: 10_000, start: 30_000, idle: 60_000 }

describe('readers', () => {
  let library: Library
  let token: string
  let readers: Readers
  before(async () => {
    library = await openLibrary()
    token = (await library.join('ann', { can_create: true })).token
    await library.upload(token, await picture(1))
  })
  after(async () => {
    await readers?.close()
    await library.close()
  })

  const path = () => join(library.deps.config.dataDir, 'tagstead.sqlite')
  const begin = async (times: Partial<typeof USUAL> = {}, of = path()) => {
    await readers?.close()
    const { db, log } = library.deps
    readers = createReaders({
      ...{ db, path: of, cacheSize: 2 ** 20, log },
      times: { ...USUAL, ...times },
    })
    setReader(db, readers)
  }
  const timeline = async () => {
    const { status, body, headers } = await library.call('GET', '/files/timeline', { token })
    return { status, total: body.total, retry: headers.get('Retry-After') }
  }
  const pids = () =>
    descendantsOf(process.pid).filter((pid) => commandOf(pid).includes('reader/reader-main'))

  it('start with the first question, and answer what was written before it', async () => {
    await begin()
    assert.deepEqual([readers.running(), pids().length], [0, 0])
    assert.equal((await timeline()).total, 1)
    assert.deepEqual([readers.running(), pids().length], [1, 1])
    await library.upload(token, await picture(2))
    assert.equal((await timeline()).total, 2)
    assert.equal((await timeline()).total, 2)
    assert.equal(pids().length, 1)
  })

  it('pass on what a caller is answered with instead', async () => {
    const asked = { pool_id: randomUUID(), user_ids: [1] }
    const { status } = await library.call('POST', '/files/reach', { token, body: asked })
    assert.equal(status, 404)
    const gone = { id: 99, name: 'nobody', is_admin: true, can_create: true }
    const list = { viewer: gone, trash: false, tree: null, search: '', range: {}, pool: null }
    const walk = { list: { ...list, sort: 'created', order: 'asc' }, place: null, limit: 1 }
    await assert.rejects(readers.ask('overview', 'ids', walk), { code: 'unauthorized' })
  })

  it('cost their question 503 when they are killed, and the next one starts another', async () => {
    const [pid] = pids()
    process.kill(pid!, 'SIGSTOP')
    // Nothing was asked before as this is.
    await library.upload(token, await picture(3))
    const asked = timeline()
    assert.equal((await library.call('GET', '/files', { token })).body.items.length, 3)
    process.kill(pid!, 'SIGKILL')
    assert.deepEqual(await asked, { status: 503, total: undefined, retry: '5' })
    assert.equal((await timeline()).total, 3)
    assert.notEqual(pids()[0], pid)
  })

  it('are killed when they take too long, whoever waits behind', async () => {
    await begin({ patience: 3000 })
    await timeline()
    const [pid] = pids()
    process.kill(pid!, 'SIGSTOP')
    await library.upload(token, await picture(4))
    const counts = library.call('GET', '/tags/counts', { token })
    assert.equal((await timeline()).status, 503)
    assert.equal((await counts).status, 503)
    assert.equal((await timeline()).total, 4)
    assert.ok(!pids().includes(pid!))
  })

  it('let no more than 8 questions of a user wait, and no more than 32 of all', async () => {
    const tokens = [token]
    for (const name of ['ben', 'cat', 'dan', 'eve']) tokens.push((await library.join(name)).token)
    await begin()
    await timeline()
    process.kill(pids()[0]!, 'SIGSTOP')
    let refused = 0
    const ask = async (token: string, n: number) => {
      const { status } = await library.call('GET', `/files/timeline?search=${n}`, { token })
      if (status === 503) refused++
      return status
    }
    const [eve, ...others] = tokens.reverse()
    const asked = others.map((token) => Array.from({ length: 9 }, (_, n) => ask(token, n)))
    await until('one more of each is refused', () => refused === 4)
    assert.equal(await ask(eve!, 0), 503)
    process.kill(pids()[0]!, 'SIGCONT')
    for (const all of asked) {
      const statuses = await Promise.all(all)
      assert.deepEqual(statuses.sort(), [...Array(8).fill(200), 503])
    }
  })

  it('end when nobody asks', async () => {
    await begin({ idle: 1 })
    assert.equal((await timeline()).total, 4)
    await until('no reader', () => readers.running() === 0 && pids().length === 0)
    assert.equal((await timeline()).total, 4)
  })

  it('are done without where they can not open the library', async () => {
    await begin({}, join(library.deps.config.dataDir, 'nowhere.sqlite'))
    assert.equal((await timeline()).total, 4)
    assert.ok(library.logged.some(({ message }) => /no reader can read/.test(message)))
  })

  it('cost the first question 503 when they take too long to start, and are done without then', async () => {
    await begin({ start: 1 })
    assert.equal((await timeline()).status, 503)
    assert.equal((await timeline()).total, 4)
  })

  it('hold no state of the library once they have answered', async () => {
    await begin()
    await timeline()
    await library.upload(token, await picture(5))
    const { db } = library.deps
    assert.deepEqual(
      { ...db.get('PRAGMA wal_checkpoint(TRUNCATE)')! },
      {
        ...{ busy: 0, log: 0, checkpointed: 0 },
      },
    )
    assert.equal((await timeline()).total, 5)
  })
})
