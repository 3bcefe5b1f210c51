import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../src/base/user.ts'
import { visibleClusters } from '../../src/duplicates/clusters.ts'
import { writeClusterPage } from '../../src/duplicates/list.ts'
import { rescanAll } from '../support/duplicates/clusters.ts'
import { addHashedFiles } from '../support/duplicates/scans.ts'
import { type Library, openLibrary } from '../support/harness.ts'

/** More than one piece of an answer holds. */
const COUNT = 2000

describe('a page of clusters that is still being sent', () => {
  let library: Library
  let ids: string[]
  let bob: User
  /** How many distances the last page had. */
  let pairs: number
  before(async () => {
    library = await openLibrary()
    const ann = await library.addUser('Ann')
    bob = { id: await library.addUser('Bob'), name: 'Bob', is_admin: false, can_create: false }
    ids = addHashedFiles(library.deps.db, Array<bigint>(COUNT).fill(5n), ann)
    await rescanAll(library)
  })
  after(() => library.close())

  /** Runs `change` once the first piece is out; returns which files the page shows in it and after. */
  async function shownAround(viewer: User, change: () => void): Promise<[string[], string[]]> {
    const clusters = await visibleClusters(library.deps.db, viewer)
    const page = writeClusterPage(library.deps.db, viewer, { clusters, offset: 0, limit: 1 })
    const first = (await page.next()).value as string
    const before = ids.filter((id) => first.includes(`"id":"${id}"`))
    change()
    let rest = ''
    for await (const piece of page) rest += piece
    const { items } = JSON.parse(first + rest)
    const all = items[0].files.map((file: { id: string }) => file.id)
    assert.deepEqual(all.slice(0, before.length), before)
    const known = new Set<string>(all)
    pairs = items[0].distances.length
    for (const { a, b } of items[0].distances) assert.ok(known.has(a) && known.has(b))
    assert.ok(before.length > 0 && before.length < COUNT / 2)
    return [before, all.slice(before.length)]
  }

  const everybody = (isPublic: number) =>
    library.deps.db.run('UPDATE files SET is_public = ?', isPublic)

  it('shows nothing more when the right to see it is taken away', async () => {
    everybody(1)
    const [, after] = await shownAround(bob, () => everybody(0))
    assert.deepEqual(after, [])
  })

  it('shows only what is still there, and not in trash', async () => {
    everybody(1)
    const [before, after] = await shownAround(bob, () => {
      library.deps.db.run('UPDATE files SET is_deleted = 1 WHERE rid % 3 = 0')
      library.deps.db.run('DELETE FROM files WHERE rid % 3 = 1')
    })
    // The pairs of so many equal files all have the last one, which is still there.
    assert.ok(pairs > 0)
    const left = library.deps.db.all<{ id: string }>(
      'SELECT lower(hex(id)) AS id FROM files WHERE is_deleted = 0 ORDER BY rid',
    )
    const expected = new Set(left.map(({ id }) => id))
    assert.deepEqual(
      after,
      ids.slice(before.length).filter((id) => expected.has(id.replaceAll('-', ''))),
    )
  })
})
