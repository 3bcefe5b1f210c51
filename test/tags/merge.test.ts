import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { idAt } from '../support/file-rows.ts'
import { assertError } from '../support/files.ts'
import { TAG, useMerging } from '../support/merging.ts'
import { allow, allRows, insertRule, insertTag, ridOf } from '../support/object-rows.ts'
import { entriesOf, operationOf } from '../support/undo/undoing.ts'

const world = useMerging()
const { ask, merge, makeFiles, tagsOf, rules, addRule, assertCounted } = world

describe('a tag that is merged into another one', () => {
  it('is gone, and the other one is answered, with its own fields and rights', async () => {
    const { db } = world.library.deps
    allow(db, world.bob.id, 'tag', TAG.old, 'edit')
    await ask('PATCH', `/tags/${TAG.old}`, { notes: 'old', color: '000000', is_public: true })
    const kept = (await ask('PATCH', `/tags/${TAG.into}`, { notes: 'kept', color: 'ffffff' })).body
    const answer = await merge()
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, kept)
    assertError(await ask('GET', `/tags/${TAG.old}`), 404, 'not_found')
    assertError(await ask('GET', `/tags/${TAG.into}`, undefined, world.bob), 403, 'forbidden')
    assertError(await merge(), 404, 'not_found')
  })

  it('gives it to its files, by hand when one of the two was', async () => {
    const files = makeFiles([
      { old: 1 },
      { old: 0 },
      { old: 1, into: 0 },
      { old: 0, into: 1 },
      { old: 0, into: 0 },
      { old: 1, into: 1, near: 0 },
      { into: 0, near: 1 },
    ])
    const counted = () =>
      world.library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM file_tags')
    assert.equal(counted()!.n, 13)
    assert.equal((await merge()).status, 200)
    assert.deepEqual(files.map(tagsOf), [
      { into: 1 },
      { into: 0 },
      { into: 1 },
      { into: 1 },
      { into: 0 },
      { into: 1, near: 0 },
      { into: 0, near: 1 },
    ])
    assertCounted()
  })

  it('gives them what follows from the other one, by rule, but what they have', async () => {
    addRule('into', 'near')
    addRule('old', 'far')
    addRule('far', 'above', false)
    const files = makeFiles([{ old: 1 }, { old: 1, into: 1, near: 1 }, { into: 1 }])
    assert.equal((await merge()).status, 200)
    assert.deepEqual(files.map(tagsOf), [
      { into: 1, near: 0, far: 0 },
      { into: 1, near: 1, far: 0 },
      { into: 1 },
    ])
    assertCounted()
  })

  it('gives it to files of others and in the trash, whatever the caller may do with them', async () => {
    const [theirs] = makeFiles([{ old: 1 }], { owner: world.bob.id, trashed: true })
    assert.equal((await merge()).status, 200)
    assert.deepEqual(tagsOf(theirs!), { into: 1 })
  })

  it('gives it its rules on either side, but those between the two', async () => {
    addRule('old', 'near')
    addRule('old', 'far', false)
    addRule('above', 'old')
    addRule('old', 'into')
    addRule('into', 'old')
    addRule('near', 'far')
    assert.equal((await merge()).status, 200)
    assert.deepEqual(rules(), {
      'above into': 1,
      'into far': 0,
      'into near': 1,
      'near far': 1,
    })
  })

  it('leaves a rule that both have active when one was', async () => {
    for (const [then, old, into] of [
      ['near', true, false],
      ['far', false, true],
      ['above', false, false],
    ] as const) {
      addRule('old', then, old)
      addRule('into', then, into)
    }
    addRule('near', 'old', true)
    addRule('near', 'into', false)
    assert.equal((await merge()).status, 200)
    assert.deepEqual(rules(), { 'into above': 0, 'into far': 1, 'into near': 1, 'near into': 1 })
  })

  it('has one entry for each file, and a last one with all that it was', async () => {
    addRule('old', 'near')
    addRule('into', 'near', false)
    allow(world.library.deps.db, world.bob.id, 'tag', TAG.old)
    const [first, second] = makeFiles([{ old: 1 }, { old: 1, into: 0 }])
    const entries = entriesOf(world.library.deps.db, operationOf(await merge()))
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.object]),
      [
        ['file_tag_replace', `file ${first}`],
        ['file_tag_replace', `file ${second}`],
        ['tag_merge', `tag ${TAG.old}`],
      ],
    )
    const [one, other, last] = entries.map((entry) => entry.details)
    const gone = { removed_tag_ids: [TAG.old], removed_by_rule: [] }
    const near = { by_rule: [TAG.near] }
    assert.deepEqual(one, { tag_ids: [TAG.into, TAG.near], ...near, ...gone })
    assert.deepEqual(other, { tag_ids: [TAG.near], ...near, ...gone, now_by_hand: [TAG.into] })
    const root = await world.library.join('Root', { is_admin: true })
    const [shown] = (await ask('GET', '/audit?limit=1&action=tag_merge', undefined, root)).body
      .items
    assert.equal(last.both.count, 1)
    assert.deepEqual(shown.details, {
      name: 'old',
      into: TAG.into,
      into_name: 'into',
      creator_id: world.ann.id,
      fields: {
        name: 'old',
        notes: null,
        color: 'a1b2c3',
        metadata: null,
        category_id: null,
        category_name: null,
        is_public: false,
      },
      permissions: [{ user_id: world.bob.id, user_name: 'Bob', can_view: true, can_edit: false }],
      rules: [{ when_tag_id: TAG.old, then_tag_id: TAG.near, is_active: true }],
      former_rules: [{ when_tag_id: TAG.into, then_tag_id: TAG.near, is_active: false }],
      both: 1,
      files_changed: 2,
    })
  })
})

describe('the undo of the undo of a merge', () => {
  it('merges once more, with files of others, files that had both, rules and rights', async () => {
    const { db } = world.library.deps
    const tags: Parameters<typeof makeFiles>[0] = [
      { old: 1 },
      { old: 0 },
      { old: 1, into: 0 },
      { old: 0, into: 1 },
      { old: 1, near: 1 },
    ]
    const own = makeFiles(tags)
    const theirs = makeFiles(tags, { owner: world.bob.id })
    allow(db, world.bob.id, 'tag', TAG.old)
    addRule('old', 'near')
    addRule('into', 'near', false)
    addRule('above', 'old')
    addRule('old', 'into')
    addRule('far', 'old', false)
    const state = () => {
      assertCounted()
      const { tags, acl, tag_rules } = allRows(db)
      return [[...own, ...theirs].map(tagsOf), tags, acl, tag_rules]
    }
    const undo = async (operation: number) =>
      (await ask('POST', `/operations/${operation}/undo`)).body
    const apart = rules()

    const merged = operationOf(await merge())
    const together = state()
    const first = await undo(merged)
    assert.deepEqual(first.kept, [{ object_type: 'file', object_id: null, reason: 'forbidden' }])
    assert.deepEqual([own.map(tagsOf), rules()], [tags, apart])
    // Files of others still have the other tag.
    const restored = state()
    assert.equal(tagsOf(theirs[0]!).into, 1)
    for (let last = first, n = 0; n < 4; n++) {
      const next = await undo(last.operation)
      const isMerged = n % 2 === 0
      assert.deepEqual([next.undone, next.kept], [own.length + 1, []])
      assert.deepEqual(state(), isMerged ? together : restored)
      last = next
    }
  })
})

describe('what the caller may not see of a merge', () => {
  const rulesOf = async () => (await ask('GET', `/tags/${TAG.into}/rules`)).body

  /** Merges in a library with, or without, hidden tags in the rules; returns all that Ann is told. */
  async function told(hasHidden: boolean): Promise<unknown[]> {
    const { db } = world.library.deps
    world.reset()
    addRule('old', 'near')
    const [own] = makeFiles([{ old: 1 }])
    if (hasHidden) {
      for (const n of [1, 2])
        insertTag(db, { id: idAt(6, n), name: `hidden ${n}`, owner: world.bob.id })
      insertRule(db, TAG.old, idAt(6, 1))
      insertRule(db, idAt(6, 2), TAG.old)
      makeFiles([{ old: 1 }, { old: 1, into: 1 }], { owner: world.bob.id })
    }
    const merged = await merge()
    const undo = () => ask('POST', `/operations/${operationOf(merged)}/undo`)
    const seen = [merged.status, merged.body, await rulesOf()]
    const history = (await ask('GET', `/files/${own}/history`)).body
    const [{ details }] = history.items
    const { status, body } = await undo()
    return [...seen, details, status, body.undone, await rulesOf(), tagsOf(own!)]
  }

  it('is alike with hidden tags in the rules and with hidden files', async () => {
    assert.deepEqual(await told(true), await told(false))
  })

  it('is the merged tag itself, where only who put it on a file saw it', async () => {
    const { db } = world.library.deps
    db.run('UPDATE tags SET is_public = 1 WHERE rid = ?', ridOf(db, 'tag', TAG.old))
    const [theirs] = makeFiles([{ old: 1 }], { owner: world.bob.id })
    assert.equal((await merge()).status, 200)
    assert.deepEqual((await ask('GET', `/files/${theirs}/tags`, undefined, world.bob)).body, [])
    assert.deepEqual(tagsOf(theirs!), { into: 1 })
  })
})
