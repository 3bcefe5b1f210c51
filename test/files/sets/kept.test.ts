import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { type Tx, write } from '../../../src/db/write.ts'
import { isNamedAtHand } from '../../../src/files/filter/named.ts'
import { isPoolAtHand } from '../../../src/files/filter/pool-queries.ts'
import { isTreeAtHand } from '../../../src/files/filter/sets.ts'
import type { Tree } from '../../../src/files/filter/tree.ts'
import type { FileCursorPage } from '../../../src/files/schema.ts'
import { areOrderedAtHand } from '../../../src/files/sets/ordered.ts'
import type { CellPage, Timeline } from '../../../src/files/sets/schema.ts'
import { eventually } from '../../support/eventually.ts'
import { idAt } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertPool, insertTag } from '../../support/object-rows.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { setWalks } from '../../support/set-walks.ts'
import { after, before, describe, it } from '../../support/test.ts'

/** More than are sorted where a tag has few files. */
const TAGGED = 3000
const TAG = idAt(1.6e12, 1)
/**
 * Where a file stands by time: every other one, which has the tag, before all others, and otherwise so that neighbours
 * were made far from each other. Whoever asks them in their order for their tags reads pages for each.
 */
const timeOf = (rid: number) => (rid % 2) * TAGGED + (((rid >> 1) * 1009) % TAGGED)

/** Adds the files, and the tag on half of them; returns their ids by time. */
function addTagged(tx: Tx, owner: number): string[] {
  const made = addManyFiles(tx, 2 * TAGGED, { owner })
  const time = 'rid % 2 * ?1 + (rid >> 1) * 1009 % ?1'.replaceAll('?1', String(TAGGED))
  tx.run(`UPDATE files SET content_datetime = ${time}`)
  insertTag(tx, { id: TAG, name: 'tag', owner, isPublic: true })
  tx.run('INSERT INTO file_tags SELECT rid, 1, 1 FROM files WHERE rid % 2 = 0')
  const times = new Map(made.map((id, n) => [id, timeOf(n + 1)]))
  return made.toSorted((a, b) => times.get(a)! - times.get(b)!)
}

const IN_TIME = { sort: 'content_datetime', trash: false } as const
/** The files with the tag, which is the first one of its library. */
const TREE: Tree = { kind: 'tags', match: 'any', tags: [1], negated: false }

describe('cells and pages of a filter', () => {
  it('are found by what is kept where that is at hand, and make nobody wait for it', {
    skip: lacksCounters,
  }, async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const { db } = own.deps
      const ids = write(db, { now: 0 }, (tx) => addTagged(tx, id))
      const { got } = setWalks(own, { admin: token })
      // From the other end, half of all files are passed before those with the tag.
      const list = { sort: 'content_datetime', order: 'desc', filter: `{t=${TAG}}` }
      const newest = ids.slice(0, TAGGED).reverse()
      const isKept = () => areOrderedAtHand(db, IN_TIME) && isTreeAtHand(db, TREE)
      const cells = async () => {
        const asked = { ...list, limit: 400 }
        const { result, pages } = await pagesRead(db, () =>
          got<CellPage>('admin', '/files/cells', asked),
        )
        assert.deepEqual(result.ids, newest.slice(0, 400))
        return pages
      }
      const page = async (order: string) => {
        const asked = { ...list, order, limit: 200 }
        const { result, pages } = await pagesRead(db, () =>
          got<FileCursorPage>('admin', '/files', asked),
        )
        const expected = order === 'desc' ? newest : newest.toReversed()
        assert.deepEqual(
          result.items.map((file) => file.id),
          expected.slice(0, 200),
        )
        return pages
      }
      const askedEach = await cells()
      assert.ok(!isKept())
      await got('admin', '/files/timeline', list)
      assert.ok(isKept())
      const found = { cells: await cells(), page: await page('desc'), near: await page('asc') }
      // The set of the tag is then another one.
      db.run('DELETE FROM file_tags WHERE file_rid = ?', 2 * TAGGED)
      assert.ok(!isKept())
      const asked = { cells: await cells(), page: await page('desc') }
      assert.ok(!isKept())
      const said = JSON.stringify({ askedEach, found, asked })
      assert.ok(found.cells < askedEach / 2 && found.cells < asked.cells / 2, said)
      assert.ok(found.page < asked.page / 2 && found.near < asked.page / 2, said)
    } finally {
      await own.close()
    }
  })
})

describe('what finds a list that was not met at once', { skip: lacksCounters }, () => {
  const PART = { sort: 'content_datetime', order: 'desc', limit: '25' }
  const POOL = idAt(1.6e12, 2)
  let own: Library
  let ids: string[]
  let ask: (query: Record<string, string>, path?: string) => Promise<string[]>
  /** How many pages were read for the last answer. */
  let pages: number
  before(async () => {
    own = await openLibrary()
    const { id, token } = await own.join('admin', { is_admin: true })
    const { db } = own.deps
    // Those with the tag, and those of the pool, lie behind all others.
    ids = write(db, { now: 0 }, (tx) => {
      const made = addTagged(tx, id)
      tx.run("UPDATE files SET name_key = 'x' WHERE rid % 2 = 0")
      const files = made.slice(TAGGED - 100, TAGGED)
      insertPool(tx, { id: POOL, name: 'pool', owner: id, isPublic: true, files })
      tx.run("UPDATE pools SET sort_key = 'content_datetime', sort_order = 'desc'")
      return made
    })
    const { got } = setWalks(own, { admin: token })
    ask = async (query, path = '/files') => {
      const read = await pagesRead(db, () =>
        got<Pick<FileCursorPage, 'items'>>('admin', path, query),
      )
      pages = read.pages
      return read.result.items.map((file) => file.id)
    }
  })
  after(() => own.close())

  const isOrdered = () => areOrderedAtHand(own.deps.db, IN_TIME)
  const isTagged = () => isTreeAtHand(own.deps.db, TREE)
  const turns = async () => {
    for (let n = 0; n < 50; n++) await setImmediate()
  }
  const newest = () => ids.slice(TAGGED - 25, TAGGED).reverse()

  it('is not read for a search, which reads names only where few are found', async () => {
    assert.deepEqual(await ask({ ...PART, search: 'x' }), newest())
    await turns()
    assert.ok(!isOrdered())
    assert.ok(!isNamedAtHand(own.deps.db, 'x'))
  })

  it('is read after the answer, and what somebody goes on changing is not read again', async () => {
    const { db } = own.deps
    const list = { ...PART, filter: `{t=${TAG}}` }
    assert.deepEqual(await ask(list), newest())
    assert.ok(!isTagged())
    const first = pages
    await eventually(() => isTagged() && isOrdered())
    assert.deepEqual(await ask(list), newest())
    assert.ok(pages < first / 2, `${pages} pages, and ${first} at first`)
    for (const change of [
      'DELETE FROM file_tags WHERE file_rid = 2',
      'INSERT INTO file_tags SELECT 2, 1, 1',
    ]) {
      db.run(change)
      assert.deepEqual(await ask(list), newest())
      await turns()
      assert.ok(!isTagged())
    }
  })

  it('is looked at alone where hardly any match', async () => {
    const path = `/pools/${POOL}/files`
    assert.deepEqual(await ask({ limit: '25' }, path), newest())
    await eventually(() => isPoolAtHand(own.deps.db, 1) && isOrdered())
    assert.deepEqual(await ask({ limit: '25' }, path), newest())
    assert.ok(pages < 300, `${pages} pages`)
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
      let left = files
      let meanwhile = 0
      // All of them are found by each, which is read anew.
      for (const [turns, search] of ['i', 'm', 'g', '_', 'im', 'mg', 'g_'].entries()) {
        const asked = total({ search })
        for (let turn = 0; turn < turns; turn++) await setImmediate()
        const isRead = isNamedAtHand(db, search)
        write(db, { now: 0 }, (tx) => tx.run('UPDATE files SET is_public = 0 WHERE rid = ?', left))
        left--
        const found = await asked
        // Who has read all of them may have answered before that.
        if (!isRead || found !== left + 1) assert.equal(found, left, `after ${turns} turns`)
        if (!isRead) meanwhile++
        assert.equal(await total({ search }), left)
        assert.equal(await total({}), left)
      }
      assert.ok(meanwhile > 1)
    } finally {
      await own.close()
    }
  })
})
