import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { readAhead } from '../../src/background/ahead.ts'
import { write } from '../../src/db/write.ts'
import { equalContents } from '../../src/duplicates/proposals/contents.ts'
import type { Timeline } from '../../src/files/sets/schema.ts'
import { idAt } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertTag, putTags } from '../support/object-rows.ts'

const FILES = 9001
const TAGS = [idAt(1.6e12, 1), idAt(1.6e12, 2)]

let library: Library
let root: { id: number; token: string }
let files: string[]
let reads: { months: number; names: number; tags: number; contents: number }

beforeEach(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  const { db } = library.deps
  files = write(db, { now: 0 }, (tx) => {
    const ids = addManyFiles(tx, FILES, { owner: root.id })
    for (const id of TAGS) insertTag(tx, { id, name: id, owner: root.id })
    putTags(tx, ids[0]!, TAGS)
    putTags(tx, ids[1]!, [TAGS[0]!])
    return ids
  })
  // A server begins with none.
  db.run('DELETE FROM file_changes')
  reads = { ...NONE }
  const { get, prepare } = db
  db.get = <Row>(sql: string, ...params: never[]) => {
    const [, order] = STRETCH.exec(sql) ?? []
    if (order) reads[order === 'original_name' ? 'names' : 'months']++
    return get<Row>(sql, ...params)
  }
  db.prepare = (sql) => {
    const statement = prepare(sql)
    const tags = /json_group_array\("file_rid"\).*"file_tags"/.test(sql) ? 1 : 0
    const contents = sql.includes('INDEXED BY file_details_sha256') ? 1 : 0
    if (tags + contents === 0) return statement
    return {
      ...statement,
      get: (...params) => {
        reads.tags += tags
        return statement.get(...params)
      },
      all: (...params) => {
        reads.contents += contents
        return statement.all(...params)
      },
    }
  }
})
afterEach(() => library.close())

const timeline = async () =>
  (await library.call('GET', '/files/timeline?sort=content_datetime', root)).body as Timeline
const counts = async () => (await library.call('GET', '/tags/counts', root)).body.counts
/** Reads files in an order, of which all are kept. */
const STRETCH = /json_group_array\(time\).*INDEXED BY files_(content_datetime|original_name)/s
const COUNTED = { [TAGS[0]!]: 2, [TAGS[1]!]: 1 }
const NONE = { months: 0, names: 0, tags: 0, contents: 0 }
/** 4,000 files at once by either order, the files of each tag, and 2,000 contents at once. */
const ONCE = { months: 3, names: 3, tags: 2, contents: 5 }

describe('reading ahead', () => {
  it('leaves nothing to read to the first who asks', async () => {
    await readAhead(library.deps, [equalContents]).over
    assert.deepEqual(reads, ONCE)
    assert.equal((await timeline()).total, FILES)
    assert.deepEqual(await counts(), COUNTED)
    assert.equal((await library.call('GET', '/files/duplicates/proposals', root)).status, 200)
    assert.deepEqual(reads, ONCE)
    const found = await library.call('GET', '/files?search=1&sort=original_name', root)
    assert.equal(found.status, 200)
    assert.deepEqual(reads, ONCE)
  })

  it('leaves nothing to read anew after the first change', async () => {
    await readAhead(library.deps, [equalContents]).over
    await library.call('DELETE', `/files/${files[5]}`, root)
    assert.equal((await timeline()).total, FILES - 1)
    assert.deepEqual(reads, ONCE)
  })

  it('is waited for by who asks meanwhile, and follows what changes meanwhile', async () => {
    const { over } = readAhead(library.deps, [equalContents])
    const asked = [timeline(), counts()]
    await library.call('DELETE', `/files/${files[5]}`, root)
    const [shown, counted] = await Promise.all(asked)
    assert.ok([FILES, FILES - 1].includes((shown as Timeline).total))
    assert.deepEqual(counted, COUNTED)
    await over
    assert.deepEqual(reads, ONCE)
    assert.equal((await timeline()).total, FILES - 1)
    assert.deepEqual(reads, ONCE)
  })

  it('waits until nobody asks, and leaves off when it is stopped', async () => {
    const { activity } = library.deps
    let becomeCalm = () => {}
    const calm = new Promise<void>((resolve) => {
      becomeCalm = resolve
    })
    const ahead = readAhead({ ...library.deps, activity: { ...activity, calm: () => calm } }, [
      equalContents,
    ])
    assert.deepEqual(reads, NONE)
    const stopped = ahead.stop()
    becomeCalm()
    await stopped
    assert.deepEqual(reads, { ...NONE, months: 3 })
  })
})
