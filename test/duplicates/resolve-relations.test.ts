import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { insertPool, insertRule, insertTag, putTags, storedPool } from '../support/object-rows.ts'

let library: Library
let ann: { id: number; token: string }
let ben: { id: number; token: string }
const [keep, discard] = [idAt(0, 1), idAt(0, 2)]
before(async () => {
  library = await openLibrary()
  ann = await library.join('ann')
  ben = await library.join('ben')
})
after(() => library.close())
beforeEach(() => {
  const { db } = library.deps
  for (const table of ['files', 'tags', 'pools']) db.run(`DELETE FROM ${table}`)
  insertFiles(
    db,
    [keep, discard].map((id) => fileSeed(id, { owner: ann.id })),
  )
})

const resolve = (fields: object = {}) =>
  library.call('POST', '/files/duplicates/resolve', { ...ann, body: { keep, discard, fields } })

describe('the tags of a resolved pair', () => {
  const [SUN, SEA, WATER, HIDDEN, WET] = [1, 2, 3, 4, 5].map((n) => idAt(1, n)) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const tagsOf = (id: string) =>
    library.deps.db
      .all<{ name: string }>(
        `SELECT t.name FROM file_tags ft JOIN tags t ON t.rid = ft.tag_rid
         JOIN files f ON f.rid = ft.file_rid WHERE f.id = unhex(?) ORDER BY t.name`,
        id.replaceAll('-', ''),
      )
      .map((tag) => tag.name)
  const names = (body: { tags: { name: string }[] }) => body.tags.map((tag) => tag.name)
  const put = (id: string, tags: string[]) =>
    library.call('PUT', `/files/${id}/tags`, { ...ann, body: { tag_ids: tags } })
  beforeEach(async () => {
    const { db } = library.deps
    for (const [id, name] of [
      [SUN, 'sun'],
      [SEA, 'sea'],
      [WATER, 'water'],
    ] as const) {
      insertTag(db, { id, name, owner: ann.id })
    }
    await put(keep, [SUN])
    await put(discard, [SEA, SUN])
    // Ben's, which ann does not see; the rules come after the tags were put on.
    insertTag(db, { id: HIDDEN, name: 'hidden', owner: ben.id })
    insertTag(db, { id: WET, name: 'wet', owner: ben.id })
    putTags(db, discard, [HIDDEN])
    insertRule(db, SEA, WATER)
    insertRule(db, HIDDEN, WET)
  })

  it('stay apart unless asked for', async () => {
    assert.deepEqual(names((await resolve()).body), ['sun'])
    assert.deepEqual(tagsOf(keep), ['sun'])
  })

  it('come together, those too that the caller does not see, and the rules apply', async () => {
    const { body } = await resolve({ tags: 'both' })
    assert.deepEqual(names(body), ['sea', 'sun', 'water'])
    assert.deepEqual(tagsOf(keep), ['hidden', 'sea', 'sun', 'water', 'wet'])
    assert.deepEqual(tagsOf(discard), ['hidden', 'sea', 'sun'])
  })
})

describe('the pools of a resolved pair', () => {
  const [FIRST, SECOND, THIRD, FOREIGN] = [1, 2, 3, 4].map((n) => idAt(2, n)) as [
    string,
    string,
    string,
    string,
  ]
  let others: [string, string]
  const pools = () => [FIRST, SECOND, THIRD, FOREIGN].map((id) => storedPool(library.deps.db, id))
  const dense = (ids: string[]) => ids.map((id, position) => [id, position])
  beforeEach(() => {
    const { db } = library.deps
    others = [idAt(3, 1), idAt(3, 2)]
    insertFiles(
      db,
      others.map((id) => fileSeed(id, { owner: ben.id })),
    )
    const [x, y] = others
    const pool = (id: string, owner: number, files: string[]) =>
      insertPool(db, { id, name: 'pool', owner, files })
    pool(FIRST, ann.id, [x, discard, y])
    pool(SECOND, ann.id, [keep, x, discard])
    pool(THIRD, ann.id, [keep, y])
    pool(FOREIGN, ben.id, [y, x, discard])
  })

  it('stay apart unless asked for', async () => {
    const before = pools()
    await resolve()
    assert.deepEqual(pools(), before)
  })

  it('come together, the survivor beside the other, where it was not yet', async () => {
    const [x, y] = others
    await resolve({ pools: 'both' })
    assert.deepEqual(pools(), [
      dense([x, discard, keep, y]),
      dense([keep, x, discard]),
      dense([keep, y]),
      dense([y, x, discard, keep]),
    ])
  })
})
