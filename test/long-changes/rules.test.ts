import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { countRows, operationOf } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'

const world = useLongChanges()
const { ask, makeRule, filtered, entries, meanwhile, waiting } = world

describe('while a rule is applied', () => {
  it('it stands, and other requests have their turn', async () => {
    const rule = makeRule()
    await meanwhile(rule, async () => {
      assert.ok((await filtered(`{t=${world.sea}}`)) < FILES)
      assert.equal((await ask('GET', `/tags/${world.beach}/rules`)).body.length, 1)
      const last = world.files.at(-1)
      await ask('DELETE', `/files/${last}/tags/${world.beach}`)
      await ask('PUT', `/files/${last}/tags/${world.beach}`)
      const { tags } = (await ask('GET', `/files/${last}`)).body
      assert.deepEqual(
        tags.map((tag: { id: string }) => tag.id),
        [world.beach, world.sea],
      )
      assert.ok((await filtered(`{t=${world.sea}}`)) < FILES)
    })
    const answer = await rule
    assert.equal(answer.status, 201)
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    const [created] = world.library.audit().filter(({ action }) => action === 'tag_rule_create')
    assert.equal(created!.details.files_changed, FILES - 1)
    assert.equal(entries().at(-1), 'tag_rule_create')
    const { actions } = world.library.deps.db.get<{ actions: string }>(
      'SELECT group_concat(DISTINCT action) AS actions FROM audit_log WHERE operation = ?',
      operationOf(answer),
    )!
    assert.equal(actions, 'file_tag_add,tag_rule_create')
  })

  it('who asks for it again waits, and nothing is done twice', async () => {
    const rule = makeRule()
    const path = `/tags/${world.beach}/rules/${world.sea}`
    const [again] = await meanwhile(rule, () =>
      waiting(ask('PATCH', path, { is_active: true, apply_to_existing: true })),
    )
    assert.equal((await again).status, 200)
    assert.equal((await again).headers.get('Operation'), null)
    assert.equal((await rule).status, 201)
    assert.equal(entries().filter((action) => action === 'tag_rule_create').length, 1)
    assert.equal(entries().includes('tag_rule_edit'), false)
  })

  for (const [what, act, action] of [
    [
      'deleting the rule',
      () => ask('DELETE', `/tags/${world.beach}/rules/${world.sea}`),
      'tag_rule_delete',
    ],
    [
      'switching it off',
      () => ask('PATCH', `/tags/${world.beach}/rules/${world.sea}`, { is_active: false }),
      'tag_rule_edit',
    ],
    ['deleting the tag that follows', () => ask('DELETE', `/tags/${world.sea}`), 'tag_delete'],
    ['deleting the tag it follows from', () => ask('DELETE', `/tags/${world.beach}`), 'tag_delete'],
  ] as const) {
    it(`${what} ends it, and the log tells how far it came`, async () => {
      const rule = makeRule()
      const [ending] = await meanwhile(rule, () => waiting(act()))
      assertError(await rule, 409, 'conflict')
      assert.ok([200, 204].includes((await ending).status))
      const log = world.library.audit()
      const added = log.filter((entry) => entry.action === 'file_tag_add').length
      assert.ok(added > 0 && added < FILES)
      const [created, ended] = log.slice(-2)
      assert.deepEqual([created!.action, ended!.action], ['tag_rule_create', action])
      assert.equal(created!.details.files_changed, added)
      const operations = world.library.deps.db.all<{ operation: number }>(
        'SELECT operation FROM audit_log ORDER BY id DESC LIMIT 2',
      )
      assert.notEqual(operations[0]!.operation, operations[1]!.operation)
      assert.equal(countRows(world.library.deps.db, 'long_changes'), 0)
    })
  }

  it('a tag that follows from the one that follows may be deleted', async () => {
    await ask('POST', `/tags/${world.sea}/rules`, { then_tag_id: world.sun })
    const rule = makeRule()
    const [deletion] = await meanwhile(rule, () => waiting(ask('DELETE', `/tags/${world.sun}`)))
    assert.equal((await rule).status, 201)
    assert.equal((await deletion).status, 204)
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    assert.equal(countRows(world.library.deps.db, 'file_tags'), 2 * FILES)
  })

  it('files that would carry more than 1,000 tags are left out and counted', async () => {
    const { db } = world.library.deps
    db.run(
      `INSERT INTO tags (id, name, name_key, creator_id, is_public)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
       SELECT unhex('018bcfe5680070008000' || printf('%012x', i)), 'tag ' || i, 'tag ' || i, ?, 0 FROM n`,
      world.ann.id,
    )
    const full =
      "SELECT f.rid, t.rid FROM (SELECT rid FROM files ORDER BY rid LIMIT 2) f, tags t WHERE t.name LIKE 'tag %'"
    db.run(`INSERT INTO file_tags (file_rid, tag_rid) ${full}`)
    db.run(
      'DELETE FROM file_tags WHERE file_rid = (SELECT max(rid) FROM (SELECT rid FROM files ORDER BY rid LIMIT 2)) AND tag_rid = (SELECT max(rid) FROM tags)',
    )
    assert.equal((await makeRule()).status, 201)
    const details = world.library.audit().at(-1)!.details
    assert.deepEqual([details.files_changed, details.files_skipped], [FILES - 1, 1])
    assert.equal(await filtered(`{t=${world.sea}}`), FILES - 1)
  })

  it('what follows by a rule that is made meanwhile is on all files at the end', async () => {
    const rule = makeRule()
    const [chained] = await meanwhile(rule, () =>
      waiting(ask('POST', `/tags/${world.sea}/rules`, { then_tag_id: world.sun })),
    )
    assert.equal((await chained).status, 201)
    assert.equal((await rule).status, 201)
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    assert.equal(await filtered(`{t=${world.sun}}`), FILES)
  })
})
