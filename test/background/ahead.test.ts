import assert from 'node:assert/strict'
import { readAhead } from '../../src/background/ahead.ts'
import { write } from '../../src/db/write.ts'
import { equalContents } from '../../src/duplicates/proposals/contents.ts'
import type { Timeline } from '../../src/files/sets/schema.ts'
import { idAt } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertTag, putTags } from '../support/object-rows.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { afterEach, beforeEach, describe, it } from '../support/test.ts'

const FILES = 9002
const TAGS = [idAt(1.6e12, 1), idAt(1.6e12, 2)]

let library: Library
let root: { id: number; token: string }
let files: string[]

beforeEach(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  const { db } = library.deps
  files = write(db, { now: 0 }, (tx) => {
    const ids = addManyFiles(tx, FILES, { owner: root.id })
    for (const id of TAGS) insertTag(tx, { id, name: id, owner: root.id })
    putTags(tx, ids[0]!, TAGS)
    for (const id of ids.slice(FILES / 2)) putTags(tx, id, [TAGS[0]!])
    return ids
  })
  // A server begins with none.
  db.run('DELETE FROM file_changes')
})
afterEach(() => library.close())

const timeline = async () =>
  (await library.call('GET', '/files/timeline?sort=content_datetime', root)).body as Timeline
const counts = async () => (await library.call('GET', '/tags/counts', root)).body.counts
const COUNTED = { [TAGS[0]!]: FILES / 2 + 1, [TAGS[1]!]: 1 }
const proposals = () => library.call('GET', '/files/duplicates/proposals', root)
const ASKED = [timeline, counts, proposals]
const ahead = () => readAhead(library.deps, [equalContents])
/** The parts of another server on this library, which keeps nothing that this one has read. */
const another = () => ({ ...library.deps, db: { ...library.deps.db } })
const pagesOf = async (work: () => Promise<unknown>) =>
  (await pagesRead(library.deps.db, work)).pages

describe('reading ahead', { skip: lacksCounters }, () => {
  it('leaves nothing to read to the first who asks', async () => {
    const first: number[] = []
    for (const ask of ASKED) first.push(await pagesOf(ask))
    await library.restart()
    await ahead().over
    const then: number[] = []
    for (const ask of ASKED) then.push(await pagesOf(ask))
    assert.ok(
      then.every((pages, index) => pages < first[index]! * 0.7),
      `${then} instead of ${first} pages`,
    )
    assert.equal((await timeline()).total, FILES)
    assert.deepEqual(await counts(), COUNTED)
  })

  it('leaves nothing to read anew after the first change', async () => {
    const before = await pagesOf(() => ahead().over)
    await library.call('DELETE', `/files/${files[5]}`, root)
    const pages = await pagesOf(timeline)
    assert.ok(pages < before / 10, `${pages} of ${before} pages`)
    assert.equal((await timeline()).total, FILES - 1)
  })

  it('is waited for by who asks meanwhile, and follows what changes meanwhile', async () => {
    const alone = await pagesOf(() => readAhead(another(), [equalContents]).over)
    const pages = await pagesOf(async () => {
      const { over } = ahead()
      const asked = [timeline(), counts()]
      await library.call('DELETE', `/files/${files[5]}`, root)
      const [shown, counted] = await Promise.all(asked)
      assert.ok([FILES, FILES - 1].includes((shown as Timeline).total))
      assert.deepEqual(counted, COUNTED)
      await over
    })
    assert.ok(pages < alone * 1.5, `${pages} instead of ${alone} pages`)
    assert.equal((await timeline()).total, FILES - 1)
  })

  it('waits until nobody asks, and leaves off when it is stopped', async () => {
    const all = await pagesOf(() => readAhead(another(), [equalContents]).over)
    const { activity } = library.deps
    let becomeCalm = () => {}
    const calm = new Promise<void>((resolve) => {
      becomeCalm = resolve
    })
    const reading = readAhead({ ...library.deps, activity: { ...activity, calm: () => calm } }, [
      equalContents,
    ])
    const pages = await pagesOf(async () => {
      const stopped = reading.stop()
      becomeCalm()
      await stopped
    })
    assert.ok(pages > all / 10 && pages < all * 0.8, `${pages} of ${all} pages`)
  })
})
