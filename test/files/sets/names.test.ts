import assert from 'node:assert/strict'
import { write } from '../../../src/db/write.ts'
import { ALL_TIMES } from '../../../src/files/filter/range.ts'
import type { FileCursorPage } from '../../../src/files/schema.ts'
import { orderedFiles } from '../../../src/files/sets/ordered.ts'
import { idAt } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertTag } from '../../support/object-rows.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { setWalks } from '../../support/set-walks.ts'
import { after, before, describe, it } from '../../support/test.ts'

/** Those that are found lie in the middle of all, farther than a walk goes from either end. */
const FILES = 13_000
const FOUND = 400
const TAG = idAt(1.6e12, 1)
/** What the files of a page and a look at the nearest ones take, which is less than to read all that are found. */
const FEW_PAGES = 1000

let library: Library
let walks: ReturnType<typeof setWalks>
/** The found ones, and of these the ones that the viewer sees, by name. */
let found: string[]
let seen: string[]

before(async () => {
  library = await openLibrary()
  const { db } = library.deps
  const admin = await library.join('admin', { is_admin: true })
  const viewer = await library.join('viewer')
  write(db, { now: 0 }, (tx) => {
    const ids = addManyFiles(tx, FILES, { owner: admin.id })
    // By name they stand the other way round than by creation, three of each name.
    tx.run(
      `UPDATE files SET name_key = printf('n%05d', (?1 - rid) / 3), is_public = rid % 2,
       original_name = printf('n%05d', (?1 - rid) / 3)`.replaceAll('?1', String(FILES)),
    )
    const from = FILES / 2
    tx.run(
      "UPDATE files SET name_key = name_key || ' x' WHERE rid > ? AND rid <= ?",
      from,
      from + FOUND,
    )
    insertTag(tx, { id: TAG, name: 'tag', owner: admin.id, isPublic: true })
    tx.run("INSERT INTO file_tags SELECT rid, 1, 1 FROM files WHERE name_key LIKE '% x'")
    // More than are sorted where a tag has few files, in the trash.
    tx.run('INSERT INTO file_tags SELECT rid, 1, 1 FROM files WHERE rid <= 2000')
    tx.run('UPDATE files SET is_deleted = 1 WHERE rid <= 2000')
    const rows = Array.from({ length: FOUND }, (_, n) => from + 1 + n).map((rid) => ({
      id: ids[rid - 1]!,
      key: Math.floor((FILES - rid) / 3),
      isPublic: rid % 2 === 1,
    }))
    rows.sort((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1))
    found = rows.map(({ id }) => id)
    seen = rows.filter(({ isPublic }) => isPublic).map(({ id }) => id)
  })
  walks = setWalks(library, { admin: admin.token, viewer: viewer.token })
  await orderedFiles(db, { sort: 'original_name', trash: false, range: ALL_TIMES })
  // What is kept of a search, of a tag and of what somebody sees is read by the first who asks.
  const queries: Record<string, string>[] = [
    { search: ' x' },
    { search: '5 x' },
    { filter: `{t=${TAG}}` },
  ]
  for (const query of queries) {
    for (const who of ['admin', 'viewer']) await walks.got(who, '/files/timeline', query)
  }
})
after(() => library.close())

/** Returns the ids of all pages of a list as they are walked, and how much is read of the database for one, at most. */
async function pagesOf(who: string, query: Record<string, string>, direction: string) {
  const ids: string[] = []
  let most = 0
  let cursor: string | null = null
  do {
    const asked = { ...query, direction, limit: 60, ...(cursor && { cursor }) }
    const { result, pages } = await pagesRead(library.deps.db, () =>
      walks.got<FileCursorPage>(who, '/files', asked),
    )
    const page: FileCursorPage = result
    const shown = page.items.map((file) => file.id)
    ids.push(...(direction === 'backward' ? shown.reverse() : shown))
    cursor = direction === 'backward' ? page.prev_cursor : page.next_cursor
    most = Math.max(most, pages)
  } while (cursor)
  return { ids, most }
}

describe('lists by name', () => {
  const lists: Record<string, Record<string, string>> = {
    'of a search': { search: ' X' },
    'of a tag': { filter: `{t=${TAG}}` },
  }
  for (const [what, query] of Object.entries(lists)) {
    it(`${what} are found by what is kept, far from both ends`, {
      skip: lacksCounters,
    }, async () => {
      for (const [who, all] of Object.entries({ admin: found, viewer: seen })) {
        for (const order of ['asc', 'desc']) {
          for (const direction of ['forward', 'backward']) {
            const asked = { ...query, sort: 'original_name', order }
            const { ids, most } = await pagesOf(who, asked, direction)
            const ascends = (order === 'asc') === (direction === 'forward')
            const said = `${who} ${order} ${direction}`
            assert.deepEqual(ids, ascends ? all : all.toReversed(), said)
            assert.ok(most < FEW_PAGES, `${said}: ${most} pages`)
          }
        }
      }
    })
  }

  it('of few files are those that match, whatever is kept', async () => {
    const asked = { search: '5 X', sort: 'original_name', order: 'asc' }
    const { ids } = await pagesOf('viewer', asked, 'forward')
    const names = library.deps.db.all<{ name: string }>(
      `SELECT name_key AS name FROM files WHERE instr(name_key, '5 x') AND is_public ORDER BY name_key, id`,
    )
    assert.equal(ids.length, names.length)
    assert.ok(ids.length > 10)
    assert.deepEqual(
      ids,
      seen.filter((id) => ids.includes(id)),
    )
  })
})
