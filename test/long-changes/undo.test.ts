import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { countRows, makeFiles, operationOf } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'

const world = useLongChanges()
const { ask, makeRule, filtered, entries, meanwhile } = world

describe('an undo of more than 10,000 rows', () => {
  it('goes on while other requests do, and is refused while the operation is under way', async () => {
    await ask('POST', `/tags/${world.sea}/rules`, { then_tag_id: world.sun })
    makeFiles(world.library, 5000, { owner: world.ann.id, tags: [world.beach] })
    const rule = await meanwhileRefused()
    assert.equal(countRows(world.library.deps.db, 'file_tags'), 3 * (5000 + FILES))
    const undo = ask('POST', `/operations/${operationOf(rule)}/undo`)
    await meanwhile(undo, async () => {
      assert.ok((await filtered(`{t=${world.sea}}`)) > 0)
    })
    const { status, body } = await undo
    assert.equal(status, 200)
    assert.deepEqual(body, { ...body, undone: 5000 + FILES + 1, kept: [], kept_total: 0 })
    assert.equal(countRows(world.library.deps.db, 'file_tags'), 5000 + FILES)
    assert.equal(entries().at(-1), 'operation_undo')
    assertError(await ask('POST', `/operations/${operationOf(rule)}/undo`), 409, 'conflict')
  })

  async function meanwhileRefused() {
    const rule = makeRule()
    await meanwhile(rule, async () => {
      const { operation } = world.library.deps.db.get<{ operation: number }>(
        'SELECT operation FROM long_changes',
      )!
      assertError(await ask('POST', `/operations/${operation}/undo`), 409, 'conflict')
    })
    return rule
  }
})

describe('a change that was under way when the server stopped', () => {
  it('goes on when it starts again, and who waited for it is told', async () => {
    const rule = makeRule()
    await meanwhile(rule, async () => {
      void world.library.deps.longChanges.stop()
    })
    const answer = await rule
    assertError(answer, 503, 'busy')
    assert.equal(answer.headers.get('Retry-After'), '30')
    await world.library.restart()
    assert.equal(countRows(world.library.deps.db, 'long_changes'), 1)
    world.library.deps.longChanges.resume()
    const again = await ask('PATCH', `/tags/${world.beach}/rules/${world.sea}`, {
      is_active: true,
      apply_to_existing: true,
    })
    assert.equal(again.status, 200)
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    assert.equal(entries().at(-1), 'tag_rule_create')
  })
})
