import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../src/base/user.ts'
import { openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { presentFile } from '../../src/files/present.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertTag, ridOf } from '../support/object-rows.ts'

const HIDDEN = '0190a000-0000-7000-8000-000000000001'

describe('a file whose JSON stays in memory', () => {
  let library: Library
  let root: { id: number; token: string }
  let ann: { id: number; token: string }
  let id: string
  let rid: number
  before(async () => {
    library = await openLibrary()
    root = await library.join('root', { is_admin: true })
    ann = await library.join('ann')
    const { db } = library.deps
    write(db, { now: 0 }, () => {
      insertTag(db, { id: HIDDEN, name: 'hidden', owner: root.id })
      ;[id = ''] = addManyFiles(db, 1, { owner: ann.id, tags: [ridOf(db, 'tag', HIDDEN)] })
    })
    rid = ridOf(db, 'file', id)
  })
  after(() => library.close())

  const shown = async ({ token } = root) => (await library.call('GET', '/files', { token })).body

  it('shows each viewer what they see of its tags', async () => {
    for (const round of [1, 2]) {
      assert.equal((await shown()).items[0].tags.length, 1, `round ${round}`)
      assert.deepEqual((await shown(ann)).items[0].tags, [], `round ${round}`)
    }
  })

  it('shows what another process has changed', async () => {
    await shown()
    const other = openDatabase(join(library.folder, 'tagstead.sqlite'))
    other.run("UPDATE file_details SET notes = 'from elsewhere' WHERE file_rid = ?", rid)
    other.close()
    assert.equal((await shown()).items[0].notes, 'from elsewhere')
  })

  it('shows nothing of a write that was rolled back', async () => {
    const { db } = library.deps
    const viewer: User = { id: root.id, name: 'root', is_admin: true, can_create: true }
    const notes = () => JSON.parse(presentFile(db, viewer, rid)).notes
    db.run("UPDATE file_details SET notes = 'before' WHERE file_rid = ?", rid)
    assert.throws(
      () =>
        write(db, { now: 0 }, (tx) => {
          tx.run("UPDATE file_details SET notes = 'never' WHERE file_rid = ?", rid)
          assert.equal(notes(), 'never')
          throw new Error('not today')
        }),
      /not today/,
    )
    assert.equal(notes(), 'before')
    assert.equal((await shown()).items[0].notes, 'before')
  })

  it('is shown with what is too long to stay', async () => {
    const { db } = library.deps
    for (const letter of ['a', 'b']) {
      const long = letter.repeat(40_000)
      db.run('UPDATE file_details SET notes = ? WHERE file_rid = ?', long, rid)
      for (const _ of [1, 2]) assert.equal((await shown()).items[0].notes, long)
    }
  })
})
