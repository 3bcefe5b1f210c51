import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { isoTime } from '../../src/base/time.ts'
import { openImportFolder } from '../../src/imports/folder.ts'
import { importFiles } from '../../src/imports/import.ts'
import { createImports } from '../../src/imports/imports.ts'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { namesIn, putFile, runImport } from '../support/imports.ts'
import { streamed } from '../support/streamed.ts'

const IDLE = {
  state: 'idle',
  started_at: null,
  by: null,
  progress: null,
  tallies: null,
  refused: [],
  dry_run: false,
  background: null,
}

let library: Library
let folder: string
let ada: { id: number; token: string }
let eve: { id: number; token: string }
beforeEach(async () => {
  library = await openLibrary()
  folder = join(library.folder, 'import')
  mkdirSync(folder)
  ada = await library.join('ada', { is_admin: true })
  eve = await library.join('eve', { is_admin: true })
})
afterEach(() => library.close())

/** Puts pictures into the folder, the first one oldest. */
async function putPictures(count: number): Promise<void> {
  for (let n = 0; n < count; n++) putFile(folder, `${n}.jpg`, await picture(n), n)
}

const begin = async () =>
  streamed<ImportEvent>(await library.fetchRaw('POST', '/files/import', { token: ada.token }))

async function state(token = eve.token) {
  const { status, body } = await library.call('GET', '/files/import', { token })
  assert.equal(status, 200)
  return body
}

const end = () => library.call('DELETE', '/files/import', { token: eve.token })

describe('the state of the import', () => {
  it('is idle before the first one, and after a restart', async () => {
    assert.deepEqual(await state(), IDLE)
    await runImport(library, ada.token)
    assert.equal((await state()).state, 'done')
    await library.restart()
    assert.deepEqual(await state(), IDLE)
  })

  it('tells another admin how far it is, and then how it went', async () => {
    await putPictures(2)
    putFile(folder, 'text.jpg', 'no picture at all', 2)
    const started_at = isoTime(library.time.now)
    const running = { ...IDLE, state: 'running', started_at, by: { id: ada.id, name: 'ada' } }
    const stream = await begin()
    const start = await stream.next()
    assert.deepEqual(await state(), {
      ...running,
      progress: start,
      tallies: { total: 3, imported: 0, skipped: 0, errors: 0 },
    })
    library.time.now += 5000
    const first = await stream.next()
    assert.deepEqual(first, { type: 'file', index: 1, filename: '0.jpg', status: 'imported' })
    assert.deepEqual(await state(), {
      ...running,
      progress: first,
      tallies: { total: 3, imported: 1, skipped: 0, errors: 0 },
    })
    const done = (await stream.rest()).at(-1)
    assert.equal(done?.type, 'done')
    assert.deepEqual(await state(), {
      ...running,
      state: 'done',
      progress: done,
      tallies: { total: 3, imported: 2, skipped: 1, errors: 0 },
      refused: [
        {
          filename: 'text.jpg',
          status: 'skipped',
          reason: 'The file is not a picture or video of a known type',
        },
      ],
    })
  })

  it('tells whether it is a dry run from its beginning on, while the folders are still read', async () => {
    const imports = createImports(() => 0)
    for (const dry_run of [true, false, true]) {
      const events = imports.watch({ id: 1, name: 'ada' }, { dry_run }, async function* () {
        yield { type: 'start', total: 0, ...(dry_run && { dry_run }) }
      })
      const first = events.next()
      const { state, progress, dry_run: told } = imports.state()
      assert.deepEqual([state, progress, told], ['running', null, dry_run])
      await first
      assert.equal(imports.state().dry_run, dry_run)
      await events.return(undefined)
    }
  })

  it('lists the last 200 that were refused, in their order, and those of one import alone', async () => {
    for (let n = 0; n < 203; n++) putFile(folder, `${n}.jpg`, '', n)
    putFile(folder, 'large.jpg', await picture(), 203)
    library.deps.config.userQuota = 1
    await runImport(library, ada.token)
    const { refused, tallies } = await state()
    assert.deepEqual(tallies, { total: 204, imported: 0, skipped: 203, errors: 1 })
    assert.equal(refused.length, 200)
    assert.deepEqual(refused[0], { filename: '4.jpg', status: 'skipped', reason: 'empty' })
    assert.deepEqual(refused[198], { filename: '202.jpg', status: 'skipped', reason: 'empty' })
    const { reason, ...last } = refused[199]
    assert.deepEqual(last, { filename: 'large.jpg', status: 'error' })
    assert.match(reason, /quota/i)
    mkdirSync(join(folder, 'none'))
    await runImport(library, ada.token, 'none')
    assert.deepEqual((await state()).refused, [])
  })

  it('is failed when who imports is no admin any more, and when the client hangs up', async () => {
    await putPictures(5)
    const stream = await begin()
    await stream.next()
    const rights = { token: eve.token, body: { is_admin: false } }
    await library.call('PATCH', `/users/${ada.id}`, rights)
    const error = (await stream.rest()).at(-1)
    assert.deepEqual(error, { type: 'error', reason: 'Only admins may do that' })
    const failed = await state()
    assert.deepEqual([failed.state, failed.progress], ['failed', error])

    await library.call('PATCH', `/users/${ada.id}`, { ...rights, body: { is_admin: true } })
    const left = await begin()
    await left.next()
    const file = await left.next()
    assert.equal(file?.status, 'imported')
    await left.leave()
    const { state: after, progress, tallies } = await state()
    assert.deepEqual([after, progress, tallies.imported], ['failed', file, 1])
  })

  it('tells how far the background is, as the status does', async () => {
    library.deps.db.run(
      "INSERT INTO background_work (name, version, place, looked_at, total) VALUES ('looks', 'x', 7, 4, 9)",
    )
    assert.deepEqual((await state()).background, { looked_at: 4, total: 9 })
    const { token } = eve
    assert.deepEqual((await library.call('GET', '/status', { token })).body.background, {
      looked_at: 4,
      total: 9,
    })
  })

  it('stays that of the one that runs when another one is refused', async () => {
    await putPictures(1)
    const stream = await begin()
    await stream.next()
    const during = await state()
    assert.equal(during.state, 'running')
    assertError(await library.call('POST', '/files/import', { token: eve.token }), 409, 'conflict')
    const elsewhere = { token: eve.token, body: { path: '/' } }
    const outside = await library.call('POST', '/files/import', elsewhere)
    assertError(outside, 400, 'validation_error', ['path'])
    assert.deepEqual(await state(), during)
    await stream.rest()
  })
})

describe('ending the import', () => {
  it('ends the stream, and leaves what was taken in, as one operation', async () => {
    await putPictures(5)
    const stream = await begin()
    for (let n = 0; n < 3; n++) await stream.next()
    assert.equal((await end()).status, 204)
    assert.equal((await state()).state, 'running')
    assert.equal((await end()).status, 204)
    const [done, ...more] = await stream.rest()
    assert.deepEqual(more, [])
    const { operation, ...told } = done!
    const tally = { imported: 2, skipped: 0, errors: 0 }
    assert.deepEqual(told, { type: 'done', total: 2, ...tally, reason: 'ended by eve' })
    const { state: after, progress, tallies, by } = await state()
    assert.deepEqual(
      [after, progress, tallies, by],
      ['done', done, { total: 5, ...tally }, { id: ada.id, name: 'ada' }],
    )
    assert.deepEqual(namesIn(folder), ['2.jpg', '3.jpg', '4.jpg'])
    assert.deepEqual(namesIn(join(library.folder, 'tmp')), [])
    const created = await library.call('GET', '/audit?action=file_create', { token: eve.token })
    assert.deepEqual(
      created.body.items.map((entry: { operation: number }) => entry.operation),
      [operation, operation],
    )
    const undone = await library.call('POST', `/operations/${operation}/undo`, ada)
    assert.deepEqual([undone.status, undone.body.undone], [200, 2])

    const next = (await runImport(library, eve.token)).at(-1)
    assert.deepEqual(next, { type: 'done', total: 3, imported: 3, skipped: 0, errors: 0 })
  })

  it('is told when it comes while the folder is read, and one that was stopped then has no end', async () => {
    await putPictures(2)
    const opened = await openImportFolder(library.deps.config, undefined)
    const events = async (controller: AbortController, ended?: AbortSignal) => {
      const names = () => {
        controller.abort('ended by eve')
        return opened.names()
      }
      const caller = () => ({ id: ada.id, name: 'ada', is_admin: true, can_create: true })
      const { signal } = ended ? new AbortController() : controller
      const request = { folder: { ...opened, names }, caller, signal, ...(ended && { ended }) }
      const told: ImportEvent[] = []
      for await (const event of importFiles(library.deps, request)) told.push(event)
      return told
    }
    const ending = new AbortController()
    assert.deepEqual(await events(ending, ending.signal), [
      { type: 'start', total: 0 },
      { type: 'done', total: 0, imported: 0, skipped: 0, errors: 0, reason: 'ended by eve' },
    ])
    assert.deepEqual(await events(new AbortController()), [])
    await opened.close()
    assert.deepEqual(namesIn(folder), ['0.jpg', '1.jpg'])
  })

  it('is a conflict when none runs, before the first one and after the last one', async () => {
    assertError(await end(), 409, 'conflict')
    await runImport(library, ada.token)
    assertError(await end(), 409, 'conflict')
  })

  it('changes nothing of an import that has come past its last file', async () => {
    await putPictures(1)
    const stream = await begin()
    for (let n = 0; n < 2; n++) await stream.next()
    assert.equal((await end()).status, 204)
    const [{ operation: _, ...done }] = (await stream.rest()) as [ImportEvent]
    assert.deepEqual(done, { type: 'done', total: 1, imported: 1, skipped: 0, errors: 0 })
  })

  it('is for admins', async () => {
    const { token } = await library.join('bob', { can_create: true })
    await putPictures(2)
    const stream = await begin()
    await stream.next()
    for (const method of ['GET', 'DELETE']) {
      assertError(await library.call(method, '/files/import', { token }), 403, 'forbidden')
      assertError(await library.call(method, '/files/import'), 401, 'unauthorized')
    }
    assert.equal((await stream.rest()).length, 3)
  })
})
