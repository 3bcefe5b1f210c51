import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { SYSTEM } from '../../../src/audit/record.ts'
import { runBackground } from '../../../src/background/run.ts'
import { rescan } from '../../../src/duplicates/rescan/rescan.ts'
import {
  createDueTimes,
  scheduleRescans,
  whyOutOfDate,
} from '../../../src/duplicates/rescan/schedule.ts'
import { beginUpload } from '../../support/begun-upload.ts'
import { eventually } from '../../support/eventually.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { pathsOf } from '../../support/stored-files.ts'

let library: Library
let token: string
before(async () => {
  library = await openLibrary({ DUPLICATE_RESCAN_INTERVAL: '1s' })
  token = (await library.join('root', { is_admin: true })).token
})
after(() => library.close())

async function rescanAll(): Promise<void> {
  library.time.now += 1000
  for await (const _ of rescan(library.deps, { id: 0, name: 'system' })) {
    // Its end is what counts.
  }
  library.time.now += 1000
}

describe('a rescan of its own', () => {
  it('is due when there are files and was none, and after what may change its result', async () => {
    const { deps } = library
    assert.equal(whyOutOfDate(deps), null)
    const { id } = (await library.upload(token, await picture(1))).body
    assert.equal(whyOutOfDate(deps), 'changed')
    await rescanAll()
    assert.equal(whyOutOfDate(deps), null)

    const changes: Record<string, () => unknown> = {
      upload: async () => library.upload(token, await picture(2)),
      replacement: async () =>
        library.call('PUT', `/files/${id}/content`, {
          token,
          body: form(await picture(3), 'x.jpg'),
        }),
      'files untried': () =>
        deps.db.run("UPDATE file_details SET derivative_state = 'pending' WHERE file_rid = 1"),
      threshold: () => {
        deps.config.duplicateHashThreshold = 9
      },
      'finer hashes of older files': () => runBackground(deps).over,
    }
    const unfinished = ['files untried', 'finer hashes of older files']
    for (const [name, change] of Object.entries(changes)) {
      await change()
      assert.equal(whyOutOfDate(deps), unfinished.includes(name) ? 'unfinished' : 'changed', name)
      await rescanAll()
      assert.equal(whyOutOfDate(deps), null, name)
    }
    await library.call('PATCH', `/files/${id}`, { token, body: { notes: 'seen' } })
    await library.call('DELETE', `/files/${id}`, { token })
    assert.equal(whyOutOfDate(deps), null)
  })

  it('is due later each time when there is only what the last ones could not do', async () => {
    const { deps, time } = library
    const { rid, blob } = deps.db.get<{ rid: number; blob: string }>(
      'SELECT file_rid AS rid, blob FROM file_details ORDER BY file_rid',
    )!
    // As on a disk that is absent.
    const shelf = dirname(pathsOf(deps).content(blob))
    renameSync(shelf, `${shelf}.absent`)
    deps.db.run("UPDATE file_details SET derivative_state = 'pending' WHERE file_rid = ?", rid)
    const begins = createDueTimes(deps)
    /** Returns how many seconds after the last rescan the next one begins. */
    const next = async () => {
      let seconds = 1
      for (; !begins(); seconds++) time.now += 1000
      await rescanAll()
      return seconds
    }
    const waits: number[] = []
    for (let n = 0; n < 4; n++) waits.push(await next())
    deps.config.duplicateHashThreshold = 10
    for (let n = 0; n < 3; n++) waits.push(await next())
    assert.deepEqual(waits, [1, 2, 4, 8, 1, 1, 2])
    renameSync(`${shelf}.absent`, shelf)
    await rescanAll()
    assert.equal(whyOutOfDate(deps), null)
  })

  it('is due when a hash has come too late for the last one', async () => {
    const { deps } = library
    const { id, blob } = deps.db.get<{ id: string; blob: string }>(
      'SELECT lower(hex(id)) AS id, blob FROM files JOIN file_details ON file_rid = rid ORDER BY rid',
    )!
    const shelf = dirname(pathsOf(deps).content(blob))
    renameSync(shelf, `${shelf}.absent`)
    deps.db.run("UPDATE file_details SET derivative_state = 'pending' WHERE blob = ?", blob)
    await rescanAll()
    renameSync(`${shelf}.absent`, shelf)
    rmSync(pathsOf(deps).derivative('thumbnail', blob))
    const uuid = id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const look = await library.fetchRaw('GET', `/files/${uuid}/thumbnail`, { token })
    assert.notEqual(look.headers.get('ETag'), '"placeholder"')
    assert.equal(whyOutOfDate(deps), 'unfinished')
    await rescanAll()
    assert.equal(whyOutOfDate(deps), null)
  })

  it('is due when a newer decoder has hashed on its own what no earlier one could', async () => {
    const { deps } = library
    const { id, blob, rid } = deps.db.get<{ id: string; blob: string; rid: number }>(
      'SELECT lower(hex(id)) AS id, blob, rid FROM files JOIN file_details ON file_rid = rid ORDER BY rid',
    )!
    const failed =
      "UPDATE file_details SET derivative_state = 'failed', decoder_version = ? WHERE blob = ?"
    deps.db.run('UPDATE files SET phash = NULL WHERE rid = ?', rid)
    deps.db.run(failed, deps.decoder.version, blob)
    await rescanAll()
    assert.equal(whyOutOfDate(deps), null)
    deps.db.run(failed, 'an older one', blob)
    rmSync(pathsOf(deps).derivative('thumbnail', blob))
    const uuid = id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    await library.fetchRaw('GET', `/files/${uuid}/thumbnail`, { token })
    assert.equal(whyOutOfDate(deps), 'changed')
    await rescanAll()
    assert.equal(whyOutOfDate(deps), null)
  })

  it('runs by itself, and is told in the log', async () => {
    await library.upload(token, await picture(4))
    const rescans = scheduleRescans(library.deps)
    const told = () => library.logged.find((line) => line.message === 'rescanned')
    library.time.now = Date.now()
    await eventually(told)
    await rescans.stop()
    assert.equal(told()?.fields?.files, 3)
    const scans = (await library.audit()).filter((entry) => entry.action === 'duplicate_rescan')
    assert.deepEqual(scans.at(-1)?.user_name, 'system')
    const { state, by, progress } = library.deps.rescans.last()
    assert.deepEqual([state, by, progress], ['done', SYSTEM, told()?.fields])
  })

  it('is due soon after the last of many uploads, without waiting for its interval', async () => {
    const { deps, time } = library
    const config = { ...deps.config, duplicateRescanInterval: 24 * 3_600_000 }
    const begins = createDueTimes({ ...deps, config })
    const upload = async (seed: number) => {
      const { access_token } = await library.signIn('root')
      assert.equal((await library.upload(access_token, await picture(seed))).status, 201)
    }
    const dueIn = (seconds: number) => {
      time.now += seconds * 1000
      return begins()
    }
    await rescanAll()
    assert.equal(dueIn(3600), false, 'nothing has come')
    for (const seed of [40, 41]) {
      await upload(seed)
      assert.equal(dueIn(10), false, 'more may come')
    }
    assert.equal(dueIn(6), true)
    assert.equal(dueIn(3600), false, 'a rescan that failed is no reason to try again soon')
    await rescanAll()

    // As after a rescan of a huge library.
    deps.db.run('UPDATE duplicate_scans SET finished_at = started_at + 60000 WHERE is_current')
    await upload(42)
    assert.equal(dueIn(600), false, 'the last one took a minute')
    assert.equal(dueIn(600), true)
    await rescanAll()
  })

  it('waits for uploads that take long, but not for ever', async () => {
    const { deps, time } = library
    const config = { ...deps.config, duplicateRescanInterval: 24 * 3_600_000 }
    const begins = createDueTimes({ ...deps, config })
    const dueIn = (seconds: number) => {
      time.now += seconds * 1000
      return begins()
    }
    await rescanAll()
    for (const seed of [60, 61]) {
      const { access_token } = await library.signIn('root')
      const upload = await beginUpload(library, access_token, { file: await picture(seed) })
      assert.equal(dueIn(600), false, 'one is still coming')
      upload.end()
      assert.equal((await upload.answer).status, 201)
      assert.equal(dueIn(10), false, 'more may come')
    }
    assert.equal(dueIn(6), true)
    await rescanAll()

    const { access_token } = await library.signIn('root')
    await library.upload(access_token, await picture(62))
    const endless = await beginUpload(library, access_token, { file: await picture(63) })
    assert.equal(dueIn(6 * 3600 - 1), false)
    assert.equal(dueIn(1), true)
    endless.end()
    await endless.answer
    await rescanAll()
  })

  it('lists a copy that has been uploaded, without being asked for', async () => {
    const { deps } = library
    deps.config.duplicateRescanInterval = 24 * 3_600_000
    await rescanAll()
    const { access_token } = await library.signIn('root')
    const ids: string[] = []
    for (const body of [await picture(50), await picture(50)]) {
      ids.push((await library.upload(access_token, body)).body.id)
    }
    library.time.now += 20_000
    const rescans = scheduleRescans(deps, 10)
    const listed = async () => {
      const page = await library.call('GET', '/files/duplicates', { token: access_token })
      const all: { files: { id: string }[] }[] = page.body.items
      return all.find(({ files }) => files.some(({ id }) => ids.includes(id)))
    }
    const found = await eventually(listed)
    await rescans.stop()
    assert.deepEqual(found.files.map(({ id }) => id).sort(), ids.sort())
    deps.config.duplicateRescanInterval = 1000
  })

  it('is due after the clock was set back, and once', async () => {
    const { deps, time } = library
    const begins = createDueTimes(deps)
    const upload = async (seed: number) => {
      const { access_token } = await library.signIn('root')
      assert.equal((await library.upload(access_token, await picture(seed))).status, 201)
    }
    time.now += 3_600_000
    await upload(4)
    assert.equal(begins(), true)
    await rescanAll()
    time.now -= 3_600_000
    await upload(5)
    assert.equal(begins(), true)
    assert.equal(begins(), false, 'it is taken to run')
    await rescanAll()
    assert.equal(whyOutOfDate(deps), null)
  })
})
