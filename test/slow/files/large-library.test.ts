import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { blobToUuid } from '../../../src/db/columns.ts'
import { write } from '../../../src/db/write.ts'
import type { CellPage, FileIdPage, Timeline } from '../../../src/files/overview/schema.ts'
import { idAt } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertTag } from '../../support/object-rows.ts'
import { setWalks } from '../../support/set-walks.ts'

/** More than a timeline sorts one by one, even of those that a viewer sees. */
const FILES = 160_000
const TAG = idAt(1.6e12, 1)
const SEEN = 'NOT is_deleted AND is_public'

let library: Library
let walks: ReturnType<typeof setWalks>
before(async () => {
  library = await openLibrary()
  const owner = await library.addUser('owner')
  const viewer = await library.join('viewer')
  walks = setWalks(library, { viewer: viewer.token })
  write(library.deps.db, { now: 0 }, (tx) => {
    addManyFiles(tx, FILES, { owner })
    tx.run(
      `UPDATE files SET content_datetime = rid * 7919 % ${FILES} * 3600000, content_offset = rid % 4 * 60 - 60,
       is_public = rid % 50 > 0, is_deleted = rid % 200 = 1`,
    )
    tx.run(
      "INSERT INTO file_looks SELECT rid, 100 + rid % 7, 100, NULL, NULL, '1', NULL FROM files WHERE rid % 2",
    )
    insertTag(tx, { id: TAG, name: 'tag', owner, isPublic: true })
    tx.run('INSERT INTO file_tags (file_rid, tag_rid) SELECT rid, 1 FROM files WHERE rid % 99 = 0')
  })
})
after(() => library.close())

/** The ids of what the viewer sees, in an order. */
const inOrder = (by: string) =>
  library.deps.db
    .all<{ id: Uint8Array }>(`SELECT id FROM files WHERE ${SEEN} ORDER BY ${by}`)
    .map(({ id }) => blobToUuid(id))

describe('a library of more files than are looked at one by one', () => {
  it('has a timeline of their months, each with its shapes and its beginning', async () => {
    const query = { sort: 'content_datetime', order: 'asc' }
    const { buckets, total } = await walks.got<Timeline>('viewer', '/files/timeline', query)
    const months = library.deps.db.all<{ key: string; count: number; ratio: number }>(
      `SELECT strftime('%Y-%m', content_datetime / 1000 + content_offset * 60, 'unixepoch') AS key, count(*) AS count,
       round(sum(ifnull(width / 100.0, 4 / 3.0)), 2) AS ratio
       FROM files LEFT JOIN file_looks ON file_rid = rid WHERE ${SEEN} GROUP BY 1 ORDER BY 1`,
    )
    assert.deepEqual(
      buckets.map(({ key, count, ratio }) => ({ key, count, ratio })),
      months,
    )
    const ids = inOrder('content_datetime, id')
    assert.equal(total, ids.length)
    let begins = 0
    for (const { cursor, count } of buckets) {
      const page = await walks.got<CellPage>('viewer', '/files/cells', { cursor, limit: 1 })
      assert.equal(page.ids[0], ids[begins])
      begins += count
    }
  })

  it('has a timeline of parts by creation, and ids with their number', async () => {
    const query = { sort: 'created', order: 'desc' }
    const ids = inOrder('rid DESC')
    const { buckets } = await walks.got<Timeline>('viewer', '/files/timeline', query)
    for (const [n, { part, cursor }] of buckets.entries()) {
      const page = await walks.got<CellPage>('viewer', '/files/cells', { cursor, limit: 1 })
      assert.deepEqual([part, page.ids[0]], [n, ids[n * 4000]])
    }
    const page = await walks.got<FileIdPage>('viewer', '/files/ids', query)
    assert.deepEqual([page.ids, page.total], [ids.slice(0, page.ids.length), ids.length])
  })

  it('has its tags counted', async () => {
    const { files } = library.deps.db.get<{ files: number }>(
      `SELECT count(*) AS files FROM files WHERE ${SEEN} AND rid % 99 = 0`,
    )!
    const { counts } = await walks.got<{ counts: object }>('viewer', '/tags/counts', {})
    assert.deepEqual(counts, { [TAG]: files })
  })
})
