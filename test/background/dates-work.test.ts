import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runBackground } from '../../src/background/run.ts'
import { jpegWith } from '../support/dates/contents.ts'
import {
  CREATED,
  eachWithDatedLibrary,
  IN_BERLIN,
  iso,
  TAKEN,
} from '../support/dates/dated-library.ts'

const dated = eachWithDatedLibrary()
const { add, call, get, dateOf, undo, run, operations, work } = dated
const UPLOADED = [iso(CREATED), null, null]

describe('the work on dates', () => {
  it('is one operation over many portions and starts, undone only when it is over', async () => {
    const bytes = await jpegWith({ exif: { IFD2: TAKEN } })
    const ids = Array.from({ length: 120 }, () => add({ bytes }))
    const { decoder } = dated.library.deps
    let reads = 0
    let stop = async () => {}
    const ended = new Promise<void>((resolve) => {
      dated.library.deps.decoder = {
        ...decoder,
        read: (input) => {
          // In the third portion.
          if (++reads === 110) void stop().then(resolve)
          return decoder.read(input)
        },
      }
    })
    stop = runBackground(dated.library.deps).stop
    await ended
    const { operation, files } = operations()[0]!
    assert.equal(files, 109)
    assert.equal(work()!.looked_at, 109)
    assert.deepEqual((await call('GET', '/status')).body.background, { looked_at: 109, total: 120 })
    assert.equal((await undo(operation)).status, 409)
    await run()
    assert.deepEqual(operations(), [{ operation, files: 120 }])
    // The one under way at the stop once more.
    assert.equal(reads, 121)
    await run()
    assert.equal(reads, 121)
    const { body } = await undo(operation)
    assert.deepEqual([body.undone, body.kept_total], [120, 0])
    for (const id of ids) assert.deepEqual(await dateOf(id), UPLOADED)
  })

  it('comes back to what the system refused; until then other work goes on and may be undone', async () => {
    const bytes = await jpegWith({ exif: { IFD2: TAKEN } })
    const [refused, other] = [add({ bytes }), add({ bytes })]
    const { decoder, storage, db } = dated.library.deps
    const { blob } = db.get<{ blob: string }>('SELECT blob FROM file_details ORDER BY file_rid')!
    let looks = 2
    let reads = 2
    const isRefused = (path: string) => path === storage.pathForDecoder(blob)
    dated.library.deps.decoder = {
      ...decoder,
      look: async (input) => (isRefused(input.path) && looks-- > 0 ? null : decoder.look(input)),
      read: async (input) => (isRefused(input.path) && reads-- > 0 ? null : decoder.read(input)),
    }
    const seen: unknown[] = []
    dated.library.deps.wait = async (ms) => {
      if (ms !== 10 * 60_000) return
      seen.push((await get(other!)).width, await dateOf(other!))
      seen.push((await undo(operations()[0]!.operation)).status)
    }
    await run()
    assert.deepEqual(seen, [16, IN_BERLIN, 200])
    assert.deepEqual(await dateOf(refused!), IN_BERLIN)
    assert.equal((await get(refused!)).width, 16)
    assert.deepEqual(await dateOf(other!), UPLOADED)
    assert.equal(operations().length, 2)
  })
})
