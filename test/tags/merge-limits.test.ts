import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { idAt } from '../support/file-rows.ts'
import { assertError, inventory } from '../support/files.ts'
import { TAG, useMerging } from '../support/merging.ts'
import { allow, allRows, insertRule, insertTag, ridOf } from '../support/object-rows.ts'

const UNKNOWN = idAt(9, 9)

const world = useMerging()
const { merge, makeFiles, tagsOf, rules, addRule } = world

describe('a merge is refused', () => {
  /** Expects an error, and that nothing has changed. */
  async function assertRefused(
    answer: Promise<{ status: number }>,
    [status, code, fields]: [number, string, string[]?],
  ): Promise<void> {
    const before = [inventory(world.library), allRows(world.library.deps.db)]
    assertError((await answer) as never, status, code, fields)
    assert.deepEqual([inventory(world.library), allRows(world.library.deps.db)], before)
  }

  it('of a tag into itself, or without another one', async () => {
    await assertRefused(merge({ into: TAG.old }), [400, 'validation_error', ['into']])
    for (const body of [{}, { into: 'x' }, { into: null }]) {
      await assertRefused(merge(body), [400, 'validation_error', ['into']])
    }
  })

  it('when one is unknown, or may not be edited', async () => {
    const { db } = world.library.deps
    await assertRefused(merge({ into: UNKNOWN }), [404, 'not_found'])
    await assertRefused(merge(undefined, world.ann, UNKNOWN), [404, 'not_found'])
    await assertRefused(merge(undefined, world.bob), [403, 'forbidden'])
    allow(db, world.bob.id, 'tag', TAG.old, 'edit')
    allow(db, world.bob.id, 'tag', TAG.into)
    await assertRefused(merge(undefined, world.bob), [403, 'forbidden'])
    await assertRefused(merge({ into: TAG.old }, world.bob, TAG.into), [403, 'forbidden'])
    await assertRefused(merge(undefined, { id: 0, token: 'none' }), [401, 'unauthorized'])
    allow(db, world.bob.id, 'tag', TAG.near, 'edit')
    assert.equal((await merge({ into: TAG.near }, world.bob)).status, 200)
  })

  /** Makes tags that follow from one. */
  function follow(when: keyof typeof TAG, count: number, from = 0): void {
    const { db } = world.library.deps
    write(db, { now: 0 }, () => {
      for (let n = from; n < from + count; n++) {
        if (!db.get('SELECT 1 FROM tags WHERE name = ?', `many ${n}`)) {
          insertTag(db, { id: idAt(7, n), name: `many ${n}`, owner: world.bob.id })
        }
        insertRule(db, TAG[when], idAt(7, n))
      }
    })
  }

  it('when more than 200 tags would follow from one, and not when 200 would', async () => {
    makeFiles([{ old: 1 }])
    follow('old', 120)
    follow('into', 100, 100)
    addRule('above', 'old')
    // 220 different ones, less the 20 that both have, and from the one above one more.
    await assertRefused(merge(), [409, 'conflict'])
    const { db } = world.library.deps
    db.run('DELETE FROM tag_rules WHERE then_tag_rid = ?', ridOf(db, 'tag', idAt(7, 0)))
    assert.equal((await merge()).status, 200)
  })

  it('not when as many followed before', async () => {
    follow('above', 250)
    addRule('above', 'old')
    assert.equal((await merge()).status, 200)
    assert.equal(rules()['above into'], 1)
  })
})

describe('a file with 1,000 tags', () => {
  function fill(file: string, count: number): void {
    const { db } = world.library.deps
    write(db, { now: 0 }, () => {
      for (let n = 0; n < count; n++) {
        insertTag(db, { id: idAt(8, n), name: `on it ${n}`, owner: world.bob.id })
        const rids = [ridOf(db, 'file', file), ridOf(db, 'tag', idAt(8, n))]
        db.run('INSERT INTO file_tags (file_rid, tag_rid) VALUES (?, ?)', ...rids)
      }
    })
  }

  it('loses the old one first', async () => {
    const [full] = makeFiles([{ old: 1 }])
    fill(full!, 999)
    assert.equal((await merge()).status, 200)
    const { into, old } = tagsOf(full!)
    assert.deepEqual([into, old, Object.keys(tagsOf(full!)).length], [1, undefined, 1000])
  })

  it('gets the other one alone, when there is no room for what follows', async () => {
    addRule('into', 'near')
    const [full, roomy] = makeFiles([{ old: 1 }, { old: 1 }])
    fill(full!, 999)
    assert.equal((await merge()).status, 200)
    const tags = tagsOf(full!)
    assert.deepEqual([tags.into, tags.near, Object.keys(tags).length], [1, undefined, 1000])
    assert.deepEqual(tagsOf(roomy!), { into: 1, near: 0 })
    const last = world.library.audit().at(-1)!
    assert.deepEqual([last.details.files_changed, last.details.files_skipped], [2, 1])
  })

  it('keeps more from before', async () => {
    const [full] = makeFiles([{ old: 0 }])
    fill(full!, 1010)
    assert.equal((await merge()).status, 200)
    assert.equal(Object.keys(tagsOf(full!)).length, 1011)
    assert.equal(tagsOf(full!).into, 0)
  })
})
