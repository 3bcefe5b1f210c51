import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runBackground } from '../../src/background/run.ts'
import { DAY } from '../../src/base/time.ts'
import { openDatabase } from '../../src/db/client.ts'
import {
  eachWithDatedLibrary,
  IN_BERLIN,
  iso,
  NOON,
  TAKEN,
  takenJpeg,
  UPLOADED,
} from '../support/dates/dated-library.ts'
import { openLibraryOf3 } from '../support/dates/old-files.ts'
import { pathsOf } from '../support/stored-files.ts'

const dated = eachWithDatedLibrary()
const { add, call, get, dateOf, pathOf, onRead, run, operations } = dated

const PAUSE = 10 * 60_000
/** A file of which nobody can tell where its date is from. */
const LEFT = { content_datetime: NOON - DAY }

/**
 * Has the server not be allowed to read some contents, and returns these, which may change, and what is
 * read of all, in this order.
 */
function lock(...ids: string[]): { locked: Set<string>; read: string[] } {
  const { deps } = dated.library
  const { storage } = deps
  const locked = new Set(ids.map(pathOf))
  const read: string[] = []
  const refuse = async (path: string) => {
    if (locked.has(path)) throw Object.assign(new Error('permission denied'), { code: 'EACCES' })
  }
  onRead(async (input, next) => {
    read.push(input.path)
    await refuse(input.path)
    return next(input)
  })
  deps.storage = {
    ...storage,
    readStart: async (blob) => {
      await refuse(pathsOf(deps).content(blob))
      return storage.readStart(blob)
    },
  }
  return { locked, read }
}

/** Runs the work until something reads a file, and ends it there as a kill would. */
async function runUntilRead(id: string): Promise<void> {
  const path = pathOf(id)
  const background: Partial<ReturnType<typeof runBackground>> = {}
  await new Promise<void>((resolve) => {
    onRead(async (input, next) => {
      if (input.path === path) void background.stop!().then(resolve)
      return next(input)
    })
    Object.assign(background, runBackground(dated.library.deps))
  })
}

const owed = () => dated.library.deps.db.all('SELECT file_rid, work FROM owed_work')
const pauses = () => dated.library.waits.filter((ms) => ms === PAUSE).length

describe('what the background owes another try', () => {
  it('is all that the next starts read', async () => {
    const bytes = await takenJpeg()
    const [older, broken, newer] = [add({ bytes, ...LEFT }), add({ bytes }), add({ bytes })]
    const { read } = lock(broken!)
    await run()
    assert.deepEqual(read, [newer!, broken!, older!].map(pathOf))
    for (const start of [2, 3]) {
      await run()
      assert.deepEqual(read.slice(start + 1), [pathOf(broken!)], `start ${start}`)
    }
    assert.deepEqual(await dateOf(older!), [iso(NOON - DAY), null, null])
    assert.deepEqual(await dateOf(broken!), UPLOADED)
    assert.equal(pauses(), 0)
  })

  it('is told as progress, and gone on with after a kill without a pause', async () => {
    const bytes = await takenJpeg()
    const files = [1, 2, 3].map(() => add({ bytes }))
    const other = add({ bytes, ...LEFT })
    const { locked, read } = lock(...files)
    await run()
    assert.equal((await call('GET', '/status')).body.background, null)
    locked.clear()
    read.length = 0
    // The newest first, so that one is left.
    await runUntilRead(files[1]!)
    assert.deepEqual(await dateOf(files[2]!), IN_BERLIN)
    assert.deepEqual((await call('GET', '/status')).body.background, { looked_at: 2, total: 4 })
    const { operation } = operations()[0]!
    assert.equal((await dated.undo(operation)).status, 409)
    read.length = 0
    await run()
    assert.deepEqual(read, [files[1]!, files[0]!].map(pathOf))
    assert.deepEqual(operations(), [{ operation, files: 3 }])
    assert.equal((await call('GET', '/status')).body.background, null)
    assert.deepEqual(owed(), [])
    read.length = 0
    await run()
    assert.deepEqual([read, pauses()], [[], 0])
    assert.deepEqual(await dateOf(other), [iso(NOON - DAY), null, null])
  })

  it('is tried again at the start that goes on with older files, behind these', async () => {
    const bytes = await takenJpeg()
    const older = Array.from({ length: 60 }, () => add({ bytes }))
    const [still, broken] = [add({ bytes }), add({ bytes })]
    const { locked, read } = lock(still, broken)
    await runUntilRead(older[5]!)
    locked.delete(pathOf(broken))
    locked.add(pathOf(older[2]!))
    read.length = 0
    await run()
    const again = older.slice(0, 6).reverse()
    assert.deepEqual(read, [...again, broken, still].map(pathOf))
    assert.deepEqual(await dateOf(broken), IN_BERLIN)
    assert.equal(pauses(), 0)
    locked.clear()
    await run()
    assert.deepEqual(read.slice(8), [still, older[2]!].map(pathOf))
    assert.equal(operations().length, 1)
    assert.equal(operations()[0]!.files, 62)
  })

  it('waits for the next start when it is unread, though the system refused another one', async () => {
    const bytes = await takenJpeg()
    const [refused, broken] = [add({ bytes }), add({ bytes })]
    const { read } = lock(broken!)
    let refusals = 2
    onRead(async (input, next) => {
      if (input.path === pathOf(refused!) && refusals-- > 0) return null
      return next(input)
    })
    await run()
    assert.deepEqual(await dateOf(refused!), IN_BERLIN)
    assert.deepEqual(read, [broken!, refused!].map(pathOf))
    assert.equal(pauses(), 1)
    assert.equal(owed().length, 1)
  })

  it('is the EXIF of a file whose date is known to be given at once', async () => {
    const bytes = await takenJpeg()
    const [given, known, other] = [
      add({ bytes }),
      add({ bytes, exif: { Make: 'Sony' } }),
      add({ bytes }),
    ]
    const to = { content_datetime: '2001-02-03T04:05:06Z' }
    for (const id of [given, known]) await call('PATCH', `/files/${id}`, to)
    // Versions before kept no sources when a date was changed.
    dated.library.deps.db.run('UPDATE files SET date_source = NULL')
    const { locked, read } = lock(given!, known!, other!)
    await run()
    const date = ['2001-02-03T04:05:06.000Z', null, 'given']
    for (const id of [given, known]) assert.deepEqual(await dateOf(id!), date)
    assert.deepEqual(await dateOf(other!), UPLOADED)
    assert.deepEqual(operations(), [])
    locked.clear()
    read.length = 0
    await run()
    // The other one has its EXIF already.
    assert.deepEqual(read, [other!, given!].map(pathOf))
    assert.deepEqual(await dateOf(given!), date)
    assert.equal((await get(given!)).exif.DateTimeOriginal, TAKEN.DateTimeOriginal)
    assert.deepEqual(await dateOf(other!), IN_BERLIN)
    assert.deepEqual(owed(), [])
  })

  it('is forgotten with a purge, with what another way has told, and with a work that begins anew', async () => {
    const { db } = dated.library.deps
    const bytes = await takenJpeg()
    const [purged, told, kept] = [add({ bytes, is_deleted: true }), add({ bytes }), add({ bytes })]
    const { read } = lock(purged!, told!, kept!)
    await run()
    assert.equal(owed().length, 3)
    assert.equal((await call('DELETE', `/files/${purged}/permanent`)).status, 204)
    assert.equal(owed().length, 2)
    db.run("UPDATE files SET date_source = 'exif' WHERE id = unhex(?)", told!.replaceAll('-', ''))
    read.length = 0
    await run()
    assert.deepEqual(read, [pathOf(kept!)])
    assert.equal(owed().length, 1)
    db.run("UPDATE background_work SET version = 'older' WHERE name = 'dates'")
    db.run("UPDATE files SET date_source = 'exif'")
    await run()
    assert.deepEqual(owed(), [])
  })

  it('is nothing when it was purged after a kill', async () => {
    const bytes = await takenJpeg()
    const [one, two] = [1, 2].map(() => add({ bytes, is_deleted: true }))
    const { locked } = lock(one!, two!)
    await run()
    locked.clear()
    await runUntilRead(two!)
    assert.deepEqual((await call('GET', '/status')).body.background, { looked_at: 0, total: 2 })
    for (const id of [one, two]) await call('DELETE', `/files/${id}/permanent`)
    await run()
    assert.equal((await call('GET', '/status')).body.background, null)
  })

  it('is not known of a library that kept only a place, whose work begins anew', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tagstead-owed-'))
    try {
      const before = openLibraryOf3(folder, 'owed_work')
      before.run(
        `INSERT INTO background_work (name, version, place, total, looked_at, again, operation)
         VALUES ('looks', '7', NULL, 9, 9, NULL, NULL), ('dates', '1', NULL, 9, 9, 5, 77)`,
      )
      before.close()
      const db = openDatabase(join(folder, 'tagstead.sqlite'), { migrations: 'drizzle' })
      const work = db.all('SELECT name, version, operation, due FROM background_work ORDER BY name')
      db.close()
      assert.deepEqual(work, [
        { name: 'dates', version: '', operation: 77, due: null },
        { name: 'looks', version: '7', operation: null, due: null },
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
