import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { SYSTEM } from '../../src/audit/record.ts'
import { DAY, isoTime } from '../../src/base/time.ts'
import { scheduleRemovals } from '../../src/files/content/removals.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { removeExpired } from '../../src/retention/retention.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const HOUR = DAY / 24

let library: Library
let token: string
let people = 0
before(async () => {
  library = await openLibrary({ TRASH_KEEP: '30d', AUDIT_KEEP: '60d' })
  await setTime(library.time.now)
})
after(() => library.close())

/** Goes on at another time, at which tokens of the time before are none. */
async function setTime(now: number): Promise<void> {
  library.time.now = now
  ;({ token } = await library.join(`Ann ${people++}`, { is_admin: true }))
}

const call = (method: string, path: string, body?: unknown) =>
  library.call(method, path, { token, body })
const upload = async (seed: number): Promise<string> =>
  (await library.upload(token, await picture(seed))).body.id
const pass = () => removeExpired(library.deps, new AbortController().signal)
/** Goes on at a time, after passes from a day before it on. */
async function passUntil(now: number): Promise<void> {
  for (const time of [now - DAY, now]) {
    await setTime(time)
    await pass()
  }
}
const shown = async (id: string) => {
  const { status, body } = await call('GET', `/files/${id}`)
  return status === 200 ? body.leaves_trash_at : status
}
const pathOf = (id: string) => {
  const { blob } = library.deps.db.get<{ blob: string }>(
    `SELECT blob FROM file_details JOIN files ON rid = file_rid
     WHERE id = unhex(replace(?, '-', ''))`,
    id,
  )!
  return dataFolder(library.folder).content(blob)
}

describe('TRASH_KEEP', () => {
  it('lets files leave the trash for good after so many days, each of which shows its day', async () => {
    const [one, other, back, kept] = [
      await upload(1),
      await upload(2),
      await upload(3),
      await upload(4),
    ]
    const start = library.time.now
    await call('DELETE', `/files/${one}`)
    await call('POST', '/files/bulk/delete', { file_ids: [other, back] })
    const day = isoTime(start + 30 * DAY)
    assert.equal((await call('GET', `/files/${one}`)).body.trashed_at, isoTime(start))
    assert.equal((await call('GET', `/files/${kept}`)).body.trashed_at, null)
    assert.deepEqual(await Promise.all([one, other, back, kept].map(shown)), [day, day, day, null])
    await call('POST', '/files/bulk/restore', { file_ids: [back] })
    assert.equal(await shown(back), null)
    const paths = [one, other].map(pathOf)

    await passUntil(start + 30 * DAY)
    assert.deepEqual(await Promise.all([one, other].map(shown)), [day, day])

    await setTime(start + 30 * DAY + 1)
    await pass()
    await scheduleRemovals(library.deps).stop()
    assert.deepEqual(await Promise.all([one, other, back, kept].map(shown)), [404, 404, null, null])
    assert.deepEqual(paths.map(existsSync), [false, false])
    const gone = library.audit().filter(({ action }) => action === 'file_permanent_delete')
    assert.deepEqual(
      gone.map(({ user_id }) => user_id),
      [SYSTEM.id, SYSTEM.id],
    )
  })

  it('begins anew for a file that was taken out of it', async () => {
    const id = await upload(5)
    const start = library.time.now
    await call('DELETE', `/files/${id}`)
    await setTime(start + 20 * DAY)
    await call('POST', `/files/${id}/restore`)
    await call('DELETE', `/files/${id}`)
    assert.equal(await shown(id), isoTime(start + 50 * DAY))
    await passUntil(start + 40 * DAY)
    assert.equal(await shown(id), isoTime(start + 50 * DAY))
  })

  it('believes no clock that has leapt before a day of passes has gone by', async () => {
    const id = await upload(7)
    const start = library.time.now
    await call('DELETE', `/files/${id}`)
    await passUntil(start + DAY)
    const isThere = async () => (await shown(id)) !== 404
    // Set ahead for some hours, again and again, and back.
    for (const hours of [0, 5, 23]) {
      await setTime(start + 5000 * DAY + hours * HOUR)
      await pass()
      assert.equal(await isThere(), true, `${hours}`)
      await setTime(start + 2 * DAY)
      await pass()
      assert.equal(await isThere(), true, `${hours}`)
    }
    await passUntil(start + 31 * DAY)
    assert.equal(await isThere(), false)
  })

  it('begins with the first pass for a file that a clock behind has put there before it came', async () => {
    const id = await upload(8)
    const start = library.time.now
    await setTime(start - 3000 * DAY)
    await call('DELETE', `/files/${id}`)
    await passUntil(start + DAY)
    assert.equal(await shown(id), isoTime(start + 30 * DAY))
    await passUntil(start + 30 * DAY + 1)
    assert.equal(await shown(id), 404)
  })
})

describe('AUDIT_KEEP', () => {
  it('lets entries go by their age, and the pages of the log know it', async () => {
    const id = await upload(6)
    const start = library.time.now
    const count = async (query = '') => (await call('GET', `/audit?limit=200${query}`)).body.total
    const before = await count()
    assert.equal(before, library.audit().length)
    await setTime(start + 60 * DAY)
    await call('PATCH', `/files/${id}`, { notes: 'n' })
    await passUntil(start + 60 * DAY + 1)
    const left = library.audit().map(({ action }) => action)
    assert.ok(left.includes('file_edit') && !left.includes('file_create'), left.join())
    assert.equal(await count(), left.length)
    assert.equal(await count('&action=file_create'), 0)
    const undone = (await call('GET', '/audit?action=file_edit&limit=1')).body.items[0].operation
    assert.equal((await call('POST', `/operations/${undone}/undo`)).status, 200)
  })

  it('is two days at least', async () => {
    await assert.rejects(openLibrary({ AUDIT_KEEP: '1d' }), /AUDIT_KEEP/)
  })
})
