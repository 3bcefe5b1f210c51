import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../src/base/user.ts'
import { write } from '../../src/db/write.ts'
import { commonTags } from '../../src/files/bulk/bulk.ts'
import { idAt } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertTag, ridOf } from '../support/object-rows.ts'

const [COMMON, PARTIAL] = [idAt(1.6e12, 1), idAt(1.6e12, 2)]

describe('the common tags of thousands of files', () => {
  let library: Library
  let ids: string[]
  let bob: User
  before(async () => {
    library = await openLibrary()
    const owner = await library.addUser('Ann')
    bob = { id: await library.addUser('Bob'), name: 'Bob', is_admin: false, can_create: false }
    const { db } = library.deps
    ids = write(db, { now: 0 }, () => {
      for (const id of [COMMON, PARTIAL]) insertTag(db, { id, name: id, owner, isPublic: true })
      const [common, partial] = [COMMON, PARTIAL].map((id) => ridOf(db, 'tag', id))
      const first = addManyFiles(db, 1, { owner, tags: [partial!] })
      return [...first, ...addManyFiles(db, 4999, { owner, tags: [common!] })]
    })
  })
  after(() => library.close())

  /** Counts the turns of others while the tags are compared; `change` runs in the second of them. */
  async function comparedWhile(change: () => void) {
    library.deps.db.run('UPDATE files SET is_public = 1')
    let turns = 0
    let isOver = false
    const tick = () => {
      if (isOver) return
      turns++
      if (turns === 2) change()
      setImmediate(tick)
    }
    setImmediate(tick)
    const result = await commonTags(library.deps.db, bob, ids)
    isOver = true
    return { ...result, turns }
  }

  it('are counted in turns of a thousand files, and one that looks at their rights', async () => {
    assert.deepEqual(await comparedWhile(() => {}), {
      common_tag_ids: [],
      partial_tag_ids: [COMMON, PARTIAL],
      turns: 5,
    })
  })

  it('tell nothing of a file that is hidden meanwhile', async () => {
    const hide = () => library.deps.db.run('UPDATE files SET is_public = 0 WHERE rid = 1')
    const { turns, ...tags } = await comparedWhile(hide)
    assert.deepEqual(tags, { common_tag_ids: [COMMON], partial_tag_ids: [] })
    assert.ok(turns > 5)
  })
})
