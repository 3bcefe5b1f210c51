import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runBackground } from '../../src/background/run.ts'
import { createDisk } from '../../src/base/disk.ts'
import { DAY } from '../../src/base/time.ts'
import {
  eachWithDatedLibrary,
  IN_BERLIN,
  iso,
  NOON,
  takenJpeg,
  UPLOADED,
} from '../support/dates/dated-library.ts'

const dated = eachWithDatedLibrary()
const { add, call, get, dateOf, pathOf, onRead, undo, run, operations, work } = dated

/** Counts the readings of contents, and has something happen before one of them. */
function countReads(at: number, happen: () => void): { reads: number } {
  const counted = { reads: 0 }
  onRead((input, next) => {
    if (++counted.reads === at) happen()
    return next(input)
  })
  return counted
}

/** Runs the work until it reads a content for the so many-th time, and returns the count of all reads. */
async function runUntilRead(at: number): Promise<{ reads: number }> {
  const background: Partial<ReturnType<typeof runBackground>> = {}
  let counted = { reads: 0 }
  await new Promise<void>((resolve) => {
    counted = countReads(at, () => void background.stop!().then(resolve))
    Object.assign(background, runBackground(dated.library.deps))
  })
  return counted
}

/**
 * Has the system refuse a file's content until a pause is over, in which something happens, and returns
 * which contents are read.
 */
function refuse(id: string, inPause: () => Promise<void>): string[] {
  const { decoder } = dated.library.deps
  const path = pathOf(id)
  const read: string[] = []
  let isRefused = true
  dated.library.deps.decoder = {
    ...decoder,
    look: async (input) => (input.path === path && isRefused ? null : decoder.look(input)),
  }
  onRead(async (input, next) => {
    read.push(input.path)
    return input.path === path && isRefused ? null : next(input)
  })
  dated.library.deps.wait = async (ms) => {
    if (ms !== 10 * 60_000) return
    await inPause()
    isRefused = false
  }
  return read
}

describe('the work on dates', () => {
  it('is one operation over many portions and starts, undone only when it is over', async () => {
    const bytes = await takenJpeg()
    const ids = Array.from({ length: 120 }, () => add({ bytes }))
    const left = Array.from({ length: 10 }, () => add({ bytes, content_datetime: NOON - DAY }))
    // In the third portion.
    const counted = await runUntilRead(110)
    const { operation, files } = operations()[0]!
    assert.equal(files, 99)
    assert.equal(work()!.looked_at, 109)
    assert.deepEqual((await call('GET', '/status')).body.background, { looked_at: 109, total: 130 })
    assert.equal((await undo(operation)).status, 409)
    await run()
    assert.deepEqual(operations(), [{ operation, files: 120 }])
    // The one under way at the stop once more, and none that is as undecided as before.
    assert.equal(counted.reads, 131)
    await run()
    assert.equal(counted.reads, 131)
    for (const id of left) assert.deepEqual(await dateOf(id), [iso(NOON - DAY), null, null])
    const { body } = await undo(operation)
    assert.deepEqual([body.undone, body.kept_total], [120, 0])
    for (const id of ids) assert.deepEqual(await dateOf(id), UPLOADED)
  })

  it('stays one operation when more can be read than before', async () => {
    const bytes = await takenJpeg()
    for (let n = 0; n < 60; n++) add({ bytes })
    await runUntilRead(56)
    const { operation } = operations()[0]!
    dated.library.deps.db.run("UPDATE background_work SET version = 'older' WHERE name = 'dates'")
    await run()
    assert.deepEqual(operations(), [{ operation, files: 60 }])
    assert.deepEqual(work(), { place: null, looked_at: 60, operation })
  })

  it('comes back to what the system refused as the same operation, and reads nothing newer', async () => {
    const bytes = await takenJpeg()
    const [older, refused, newer] = [add({ bytes }), add({ bytes }), add({ bytes })]
    for (let n = 0; n < 3; n++) add({ bytes, content_datetime: NOON - DAY })
    const seen: unknown[] = []
    const read = refuse(refused!, async () => {
      const { background, dates_operation } = (await call('GET', '/status')).body
      seen.push(background, dates_operation === operations()[0]!.operation)
      seen.push((await get(newer!)).width, await dateOf(older!), await dateOf(refused!))
    })
    await run()
    assert.deepEqual(seen, [null, true, 16, IN_BERLIN, UPLOADED])
    const { operation, files } = operations()[0]!
    assert.deepEqual([operations().length, files], [1, 3])
    assert.deepEqual(work(), { place: null, looked_at: 6, operation })
    assert.equal((await call('GET', '/status')).body.dates_operation, operation)
    // Six files, the second try of the one, and that one again.
    assert.equal(read.length, 8)
    await run()
    assert.equal(read.length, 8)
    assert.equal((await undo(operation)).body.undone, 3)
    for (const id of [older, refused, newer]) assert.deepEqual(await dateOf(id!), UPLOADED)
  })

  it('comes back to it after a restart in the pause', async () => {
    const bytes = await takenJpeg()
    const refused = add({ bytes })
    const other = add({ bytes })
    refuse(refused, async () => void background.stop())
    const background = runBackground(dated.library.deps)
    await background.over
    assert.deepEqual([await dateOf(refused), await dateOf(other)], [UPLOADED, IN_BERLIN])
    const { operation } = operations()[0]!
    await run()
    assert.deepEqual(await dateOf(refused), IN_BERLIN)
    assert.deepEqual(operations(), [{ operation, files: 2 }])
  })

  it('reads no content while there is no room for what is found', async () => {
    const id = add({ bytes: await takenJpeg() })
    const { deps, folder } = dated.library
    const { disk } = deps
    deps.disk = createDisk(folder, disk.free()! * 8)
    const counted = countReads(0, () => {})
    const reads: number[] = []
    deps.wait = async () => {
      reads.push(counted.reads)
      deps.disk = disk
    }
    await run()
    assert.deepEqual(reads, [0])
    assert.deepEqual(await dateOf(id), IN_BERLIN)
  })

  for (const what of ['undone', 'being undone']) {
    it(`goes on with no operation that is ${what} in the pause`, async () => {
      const bytes = await takenJpeg()
      const [refused, other] = [add({ bytes }), add({ bytes })]
      refuse(refused!, async () => {
        const { operation } = operations()[0]!
        if (what === 'undone') assert.equal((await undo(operation)).status, 200)
        else {
          dated.library.deps.db.run(
            `INSERT INTO long_changes (kind, subject, user_id, user_name, state, started_at)
             VALUES ('undo_operation', ?, 1, 'Ann', '{}', 0)`,
            `undo ${operation}`,
          )
        }
      })
      await run()
      assert.deepEqual(await dateOf(refused!), IN_BERLIN)
      assert.deepEqual(await dateOf(other!), what === 'undone' ? UPLOADED : IN_BERLIN)
      const [first, second] = operations()
      assert.deepEqual([first!.files, second!.files], [1, 1])
      assert.equal((await call('GET', '/status')).body.dates_operation, second!.operation)
    })
  }
})
