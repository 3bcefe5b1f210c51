import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { countRows, makeFiles, operationOf } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'

const world = useLongChanges()
const { ask, filtered, entries, meanwhile, waiting } = world

describe('while a tag is taken off its files', () => {
  it('it is gone already, its name is free, and files without another tag are untagged', async () => {
    await ask('POST', `/tags/${world.sea}/rules`, { then_tag_id: world.beach })
    const deletion = ask('DELETE', `/tags/${world.beach}`)
    await meanwhile(deletion, async () => {
      assert.ok(countRows(world.library.deps.db, 'file_tags') > 0)
      assertError(await ask('GET', `/tags/${world.beach}`), 404, 'not_found')
      assertError(
        await ask('PUT', `/files/${world.files[0]}/tags/${world.beach}`),
        404,
        'not_found',
      )
      const listed = (await ask('GET', '/tags?sort=name&order=asc')).body.items
      assert.deepEqual(
        listed.map((tag: { name: string }) => tag.name),
        ['sea', 'sun'],
      )
      assert.deepEqual((await ask('GET', `/tags/${world.sea}/rules`)).body, [])
      assert.deepEqual((await ask('GET', `/files/${world.files.at(-1)}`)).body.tags, [])
      assert.equal(await filtered(`{t=${world.beach}}`), 0)
      for (const user of [world.ann, world.root])
        assert.equal(await filtered('{t=00000000-0000-0000-0000-000000000000}', user), FILES)
      assert.equal((await ask('POST', '/tags', { name: 'beach' })).status, 201)
    })
    const answer = await deletion
    assert.equal(answer.status, 204)
    assert.equal(countRows(world.library.deps.db, 'file_tags'), 0)
    const [last] = world.library.deps.db.all<{ operation: number; action: string }>(
      'SELECT operation, action FROM audit_log ORDER BY id DESC LIMIT 1',
    )
    assert.deepEqual([last!.action, last!.operation], ['tag_delete', operationOf(answer)])
  })

  it('who asks for that again waits for it, and to everybody else it is gone', async () => {
    const deletion = ask('DELETE', `/tags/${world.beach}`)
    let isOver = false
    const again = await meanwhile(deletion, async () => {
      assertError(
        await ask('DELETE', `/tags/${world.beach}`, undefined, world.bob),
        404,
        'not_found',
      )
      const second = ask('DELETE', `/tags/${world.beach}`)
      second.then(() => {
        isOver = countRows(world.library.deps.db, 'long_changes') === 0
      })
      return waiting(second)
    })
    assert.equal((await again[0]).status, 204)
    assert.equal(isOver, true)
    assert.equal((await deletion).status, 204)
    assert.equal(entries().filter((action) => action === 'tag_delete').length, 1)
  })

  it('an error is told, and who asks again has it go on', async () => {
    const { db } = world.library.deps
    const whenFull =
      "WHEN (SELECT count(*) FROM file_tags) < 50 BEGIN SELECT RAISE(ABORT, 'no'); END"
    db.run(`CREATE TEMP TRIGGER full BEFORE DELETE ON main.file_tags ${whenFull}`)
    assertError(await ask('DELETE', `/tags/${world.beach}`), 500, 'internal_error')
    assert.ok(countRows(db, 'file_tags') > 0)
    db.run('DROP TRIGGER full')
    assert.equal((await ask('DELETE', `/tags/${world.beach}`)).status, 204)
    assert.equal(countRows(db, 'file_tags'), 0)
  })

  it('the ids of new tags go on ascending', async () => {
    const newest = (await ask('POST', '/tags', { name: 'newest' })).body.id
    makeFiles(world.library, FILES, { owner: world.ann.id, tags: [newest] })
    const deletion = ask('DELETE', `/tags/${newest}`)
    const next = await meanwhile(deletion, async () => ask('POST', '/tags', { name: 'next' }))
    assert.equal((await deletion).status, 204)
    const last = await ask('POST', '/tags', { name: 'last' })
    const ids = [newest, next.body.id, last.body.id]
    assert.deepEqual(ids.toSorted(), ids)
    const now = new Date(world.library.time.now).getUTCFullYear()
    for (const { body } of [next, last])
      assert.equal(new Date(body.created_at).getUTCFullYear(), now)
  })

  it('a merge takes over the tags that are still there', async () => {
    const [keep, discard] = world.files.slice(-2)
    await ask('DELETE', `/files/${keep}/tags/${world.beach}`)
    await ask('PUT', `/files/${discard}/tags/${world.sea}`)
    const deletion = ask('DELETE', `/tags/${world.beach}`)
    const merge = await meanwhile(deletion, async () =>
      ask('POST', '/files/duplicates/resolve', { keep, discard, fields: { tags: 'both' } }),
    )
    assert.equal(merge.status, 200, merge.text)
    assert.equal((await deletion).status, 204)
    const merged = world.library.audit().find(({ action }) => action === 'file_merge')
    assert.deepEqual(merged!.details.tag_ids, [world.sea])
  })
})
