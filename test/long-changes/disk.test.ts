import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createDisk, type Disk } from '../../src/base/disk.ts'
import { assertError } from '../support/files.ts'
import { countRows } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'

const world = useLongChanges()
const { ask, makeRule, filtered, meanwhile } = world

describe('when the disk fills while a change is under way', () => {
  let disk: Disk
  beforeEach(() => {
    disk = { ...world.library.deps.disk }
  })
  const empty = () => Object.assign(world.library.deps.disk, disk)
  afterEach(empty)
  const fill = async () => {
    const { deps, folder } = world.library
    Object.assign(deps.disk, createDisk(folder, Number.MAX_SAFE_INTEGER))
  }

  it('a rule rests, which is told, and goes on when it is asked for with room', async () => {
    const rule = makeRule()
    await meanwhile(rule, fill)
    assertError(await rule, 507, 'insufficient_storage')
    assert.equal(countRows(world.library.deps.db, 'long_changes'), 1)
    assert.ok((await filtered(`{t=${world.sea}}`)) < FILES)
    empty()
    const path = `/tags/${world.beach}/rules/${world.sea}`
    const again = await ask('PATCH', path, { is_active: true, apply_to_existing: true })
    assert.equal(again.status, 200)
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
  })

  it('a deletion goes on', async () => {
    const { id } = (await ask('POST', '/pools', { name: 'trip' })).body
    await ask('POST', `/pools/${id}/files`, { file_ids: world.files })
    for (const [path, table] of [
      [`/pools/${id}`, 'pool_files'],
      [`/tags/${world.beach}`, 'file_tags'],
    ] as const) {
      const deletion = ask('DELETE', path)
      await meanwhile(deletion, fill)
      assert.equal((await deletion).status, 204)
      assert.equal(countRows(world.library.deps.db, table), 0)
      empty()
    }
  })
})
