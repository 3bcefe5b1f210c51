import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { write } from '../../../src/db/write.ts'
import { isPoolAtHand } from '../../../src/files/filter/pool-queries.ts'
import type { FileCursorPage } from '../../../src/files/schema.ts'
import { areOrderedAtHand } from '../../../src/files/sets/ordered.ts'
import type { CellPage, Timeline } from '../../../src/files/sets/schema.ts'
import { eventually } from '../../support/eventually.ts'
import { idAt } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertPool, insertTag } from '../../support/object-rows.ts'
import { setWalks } from '../../support/set-walks.ts'

/** More than are sorted where a tag has few files. */
const TAGGED = 3000
const TAG = idAt(1.6e12, 1)
/** What reads the files of a tag, and what asks files in their order whether they have it. */
const [TAG_READ, WALK] = [/FROM file_tags WHERE "?tag_rid/, /INDEXED BY files_content_datetime/]
/** What reads the files whose names hold a text. */
const SEARCHED = /json_group_array\(rid\).*instr\(/s

describe('cells and pages of a filter', () => {
  it('are found by what is kept where that is at hand, and make nobody wait for it', async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const { db } = own.deps
      const ids = write(db, { now: 0 }, (tx) => {
        const made = addManyFiles(tx, 2 * TAGGED, { owner: id })
        insertTag(tx, { id: TAG, name: 'tag', owner: id, isPublic: true })
        tx.run('INSERT INTO file_tags SELECT rid, 1, 1 FROM files WHERE rid <= ?', TAGGED)
        return made
      })
      const { get } = db
      let read: string[] = []
      db.get = <Row>(sql: string, ...params: never[]) => {
        read.push(sql)
        return get<Row>(sql, ...params)
      }
      const { got } = setWalks(own, { admin: token })
      const list = { sort: 'content_datetime', order: 'asc', filter: `{t=${TAG}}` }
      const cells = async () => {
        read = []
        const page = await got<CellPage>('admin', '/files/cells', { ...list, limit: 400 })
        assert.deepEqual(page.ids, ids.slice(0, 400))
        return {
          walks: read.some((sql) => WALK.test(sql)),
          reads: read.some((sql) => TAG_READ.test(sql)),
        }
      }
      assert.deepEqual(await cells(), { walks: true, reads: false })
      await got('admin', '/files/timeline', list)
      assert.deepEqual(await cells(), { walks: false, reads: false })
      // Half of the files are met on the way, the other half lie behind it.
      const page = async (order: string) => {
        read = []
        const query = { ...list, order, limit: 200 }
        const { items } = await got<FileCursorPage>('admin', '/files', query)
        const expected = ids.slice(0, TAGGED)
        if (order === 'desc') expected.reverse()
        assert.deepEqual(
          items.map((file) => file.id),
          expected.slice(0, 200),
        )
        return read.filter((sql) => WALK.test(sql)).length
      }
      assert.ok((await page('asc')) > 0)
      const walks = await page('desc')
      assert.ok(walks <= 2, `${walks} walks`)
      // The set of the tag is then another one.
      db.run('INSERT INTO file_tags SELECT rid, 1, 1 FROM files WHERE rid = ?', TAGGED + 1)
      assert.deepEqual(await cells(), { walks: true, reads: false })
    } finally {
      await own.close()
    }
  })
})

describe('what finds a list that was not met at once', () => {
  const PART = { sort: 'content_datetime', order: 'desc', limit: '25' }
  const POOL = idAt(1.6e12, 2)
  let own: Library
  let ids: string[]
  let read: string[]
  let ask: (query: Record<string, string>, path?: string) => Promise<string[]>
  before(async () => {
    own = await openLibrary()
    const { id, token } = await own.join('admin', { is_admin: true })
    const { db } = own.deps
    // Those with the tag, and those of the pool, lie behind all others.
    ids = write(db, { now: 0 }, (tx) => {
      const made = addManyFiles(tx, 2 * TAGGED, { owner: id })
      tx.run("UPDATE files SET name_key = 'x' WHERE rid <= ?", TAGGED)
      insertTag(tx, { id: TAG, name: 'tag', owner: id, isPublic: true })
      tx.run('INSERT INTO file_tags SELECT rid, 1, 1 FROM files WHERE rid <= ?', TAGGED)
      const files = made.slice(TAGGED - 100, TAGGED)
      insertPool(tx, { id: POOL, name: 'pool', owner: id, isPublic: true, files })
      tx.run("UPDATE pools SET sort_key = 'content_datetime', sort_order = 'desc'")
      return made
    })
    const { get } = db
    db.get = <Row>(sql: string, ...params: never[]) => {
      read.push(sql)
      return get<Row>(sql, ...params)
    }
    const { got } = setWalks(own, { admin: token })
    ask = async (query, path = '/files') => {
      read = []
      const page = await got<Pick<FileCursorPage, 'items'>>('admin', path, query)
      return page.items.map((file) => file.id)
    }
  })
  after(() => own.close())

  const count = (pattern: RegExp) => read.filter((sql) => pattern.test(sql)).length
  const isOrdered = () => areOrderedAtHand(own.deps.db, { sort: 'content_datetime', trash: false })
  const turns = async () => {
    for (let n = 0; n < 50; n++) await setImmediate()
  }
  const newest = () => ids.slice(TAGGED - 25, TAGGED).reverse()

  it('is not read for a search, which reads names only where few are found', async () => {
    assert.deepEqual(await ask({ ...PART, search: 'x' }), newest())
    assert.ok(count(WALK) > 4)
    await turns()
    assert.ok(!isOrdered())
  })

  it('is read after the answer, and what somebody goes on changing is not read again', async () => {
    const { db } = own.deps
    const list = { ...PART, filter: `{t=${TAG}}` }
    assert.deepEqual(await ask(list), newest())
    assert.ok(count(WALK) > 4)
    assert.equal(count(TAG_READ), 0)
    await eventually(() => count(TAG_READ) === 1 && isOrdered())
    assert.deepEqual(await ask(list), newest())
    assert.equal(count(TAG_READ), 0)
    // A look at the nearest ones, and where it ends.
    assert.ok(count(WALK) <= 2)
    for (const change of [
      'DELETE FROM file_tags WHERE file_rid = 1',
      'INSERT INTO file_tags SELECT 1, 1, 1',
    ]) {
      db.run(change)
      assert.deepEqual(await ask(list), newest())
      await turns()
      assert.equal(count(TAG_READ), 0)
    }
  })

  it('is looked at alone where hardly any match', async () => {
    const path = `/pools/${POOL}/files`
    assert.deepEqual(await ask({ limit: '25' }, path), newest())
    await eventually(() => isPoolAtHand(own.deps.db, 1))
    assert.deepEqual(await ask({ limit: '25' }, path), newest())
    assert.equal(count(WALK), 0)
  })
})

describe('what is kept', () => {
  it('counts no file that was hidden while something else was read', async () => {
    // A search of so many is read with a pause.
    const files = 20_500
    const own = await openLibrary()
    try {
      const { db } = own.deps
      const owner = await own.addUser('owner')
      const { token } = await own.join('viewer')
      write(db, { now: 0 }, (tx) => {
        addManyFiles(tx, files, { owner })
        tx.run('UPDATE files SET is_public = 1')
      })
      const { got } = setWalks(own, { viewer: token })
      const total = async (search: Record<string, string>) => {
        const asked = { sort: 'content_datetime', ...search }
        return (await got<Timeline>('viewer', '/files/timeline', asked)).total
      }
      assert.equal(await total({}), files)
      const { get } = db
      db.get = <Row>(sql: string, ...params: never[]) => {
        const row = get<Row>(sql, ...params)
        if (SEARCHED.test(sql)) {
          db.get = get
          write(db, { now: 0 }, (tx) => tx.run('UPDATE files SET is_public = 0 WHERE rid = 5'))
        }
        return row
      }
      assert.equal(await total({ search: 'g' }), files - 1)
      assert.equal(await total({}), files - 1)
    } finally {
      await own.close()
    }
  })
})
