import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { addTag } from '../support/files.ts'
import {
  call,
  files,
  library,
  type Name,
  named,
  people,
  pool,
  put,
  rows,
  seen,
  share,
  useSharedPool,
} from '../support/shared-pool.ts'

useSharedPool()

describe('what is told of a pool that shares its files', () => {
  const trip = () => ({ id: pool, name: 'trip' })
  const reach = async (by: Name, names: string[], of: Name) => {
    const asked = { file_ids: named(names), user_ids: [people[of].id] }
    const { seen, through_pools, pools } = (await call(by, 'POST', '/files/reach', asked)).body
      .users[0]
    return { seen, through_pools, pools }
  }
  const history = async (by: Name, file: string) =>
    (await call(by, 'GET', `/files/${files[file]}/history?limit=1`)).body.through
  const since = new Date(0).toISOString()
  const news = async (by: Name, from = since) => {
    const { body } = await call(by, 'GET', `/files/new?since=${from}`)
    const name = (id: string) => Object.keys(files).find((file) => files[file] === id)
    return { ...body, first: body.first.map(name).join(' ') }
  }

  beforeEach(() => share('ann', true))

  it('names it as the way on which people see files, to who may view it', async () => {
    assert.deepEqual(await reach('ann', ['a', 'b'], 'vic'), {
      seen: 1,
      through_pools: 1,
      pools: [trip()],
    })
    assert.deepEqual(await reach('ann', ['a', 'b'], 'new'), {
      seen: 0,
      through_pools: 0,
      pools: [],
    })
    const secret = { name: 'secret', shares_files: true }
    const other = (await call('boss', 'POST', '/pools', secret)).body.id
    const permissions = [{ user_id: people.vic.id }]
    await call('boss', 'PUT', `/acl/pool/${other}`, { permissions })
    await call('boss', 'POST', `/pools/${other}/files`, { file_ids: named(['a', 'b']) })
    assert.deepEqual(await reach('ann', ['a', 'b'], 'vic'), {
      seen: 2,
      through_pools: 2,
      pools: [trip()],
    })
    const both = [{ id: other, name: 'secret' }, trip()]
    assert.deepEqual((await reach('root', ['a', 'b'], 'vic')).pools, both)
  })

  it('stands in the history of a file, for others only if they see it that way', async () => {
    const told = await history('ann', 'a')
    const now = new Date(library.time.now).toISOString()
    assert.deepEqual(told, [{ pool: trip(), since: now }])
    assert.deepEqual(await history('vic', 'a'), told)
    assert.deepEqual(await history('root', 'a'), told)
    assert.deepEqual(await history('ann', 'b'), [])
    await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [{ user_id: people.sam.id }] })
    assert.deepEqual(await history('sam', 'a'), [])
    const secret = { name: 'secret', shares_files: true }
    const other = (await call('boss', 'POST', '/pools', secret)).body.id
    await call('boss', 'PUT', `/acl/pool/${other}`, { permissions: [{ user_id: people.vic.id }] })
    await call('boss', 'POST', `/pools/${other}/files`, { file_ids: named(['b']) })
    assert.deepEqual(
      (await history('ann', 'b')).map(({ pool }: { pool: unknown }) => pool),
      [null],
    )
    await share('ann', false)
    assert.deepEqual(await history('ann', 'a'), [])
  })

  it('is new to its people once, as are files that they get by hand', async () => {
    const ann = { id: people.ann.id, name: 'ann' }
    const nothing = { files: 0, first: '', from: [], pools: [] }
    const { until, ...first } = await news('vic')
    const one = { files: 1, first: 'a', from: [{ ...ann, files: 1 }] }
    assert.deepEqual(first, { ...one, pools: [{ ...trip(), files: 1 }] })
    assert.equal(Date.parse(until), library.time.now)
    library.time.now += 1000
    const since = new Date(library.time.now).toISOString()
    assert.deepEqual(await news('vic', since), { ...nothing, until: since })
    // Seen by another way already, one's own, and in the trash.
    await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [{ user_id: people.vic.id }] })
    await put('ed', ['e'])
    await put('ann', ['b', 'c', 'd'])
    await call('ann', 'DELETE', `/files/${files.d}`)
    const body = { file_ids: named(['twin']), add: [{ user_id: people.vic.id }] }
    library.time.now += 1000
    await call('ann', 'POST', '/files/bulk/share', body)
    const { until: _, ...later } = await news('vic', since)
    assert.deepEqual(later, {
      files: 3,
      first: 'twin c b',
      from: [{ ...ann, files: 3 }],
      pools: [{ ...trip(), files: 2 }],
    })
    assert.equal((await news('ed', since)).files, 2)
    assert.equal((await news('ann', since)).files, 0)
    assert.equal((await news('sam', since)).files, 0)
    await share('ann', false)
    // The entry by hand, which is left, is from that time.
    assert.equal((await news('vic', since)).first, 'twin a')
    const unasked = await call('vic', 'GET', '/files/new')
    assert.equal(unasked.body.files, 0)
  })

  it('is new to who could not see a file although they had an entry', async () => {
    const entry = { user_id: people.sam.id, can_view: false }
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: [entry] })
    library.time.now += 1000
    const since = new Date(library.time.now).toISOString()
    const add = [{ user_id: entry.user_id }]
    await call('ann', 'POST', '/files/bulk/share', { file_ids: named(['c']), add })
    assert.equal((await news('sam', since)).first, 'c')
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: [entry] })
    library.time.now += 1000
    const later = new Date(library.time.now).toISOString()
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: add })
    assert.equal((await news('sam', later)).first, 'c')
    library.time.now += 1000
    const edit = [{ user_id: entry.user_id, can_edit: true }]
    await call('ann', 'PUT', `/acl/file/${files.c}`, { permissions: edit })
    assert.equal((await news('sam', new Date(library.time.now).toISOString())).files, 0)
  })
})

describe('copies that are merged in a pool that shares its files', () => {
  beforeEach(() => share('ann', true))

  for (const [way, merge] of [
    [
      'settled',
      async () => {
        // Of equal files, the one with most tags is kept.
        const tag = await addTag(library, people.ann.token, 'tag')
        await call('ann', 'PUT', `/files/${files.twin}/tags/${tag.id}`)
        await call('ann', 'POST', '/files/duplicates/proposals/settle', {
          items: [{ keep: files.twin, discard: [files.a] }],
        })
      },
    ],
    [
      'resolved',
      () =>
        call('ann', 'POST', '/files/duplicates/resolve', {
          keep: files.twin,
          discard: files.a,
          fields: { pools: 'both' },
        }),
    ],
  ] as const) {
    it(`are seen as one when they are ${way}, and by nobody new once nothing is shared`, async () => {
      await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [] })
      await merge()
      const merged = await seen()
      assert.deepEqual([merged.vic, merged.bob, merged.ed], ['twin', 'twin', 'twin e'])
      assert.deepEqual((await call('ann', 'GET', `/acl/file/${files.twin}`)).body, [])
      await share('ann', false)
      const left = await seen()
      const all = 'b c d twin e r'
      const nobody = { ed: 'e', vic: '', bob: '', new: '', sam: '' }
      assert.deepEqual(left, { root: all, boss: all, ann: 'b c d twin', ...nobody })
      assert.equal(rows(), 0)
    })
  }
})
