import assert from 'node:assert/strict'
import { assertError } from '../../support/files.ts'
import { openSmart, POOLS, TAGS, UNKNOWN, type World } from '../../support/smart-pools.ts'
import { afterEach, beforeEach, describe, it } from '../../support/test.ts'

let world: World
beforeEach(async () => {
  world = await openSmart()
})
afterEach(() => world.library.close())

const t = (name: string) => `t=${TAGS[name]!.id}`
const get = async (id = world.pool) => (await world.good('ann', 'GET', `/pools/${id}`)).body
const patch = (body: object, id = world.pool) => world.call('ann', 'PATCH', `/pools/${id}`, body)
const empty = async () => (await world.make('ann', { name: 'by hand' })).id as string

describe('a pool that fills itself', () => {
  it('is made with a filter, by date, and keeps the filter without spaces', async () => {
    const filter = ` { ${t('beach').toUpperCase().replace('T', 't')} , & , n~a b } `
    const asked = filter.replace('n~a b', 'm~image/%')
    const made = await world.make('ann', { name: 'Beach', filter: asked })
    assert.deepEqual(
      [made.is_smart, made.filter, made.sort_key, made.sort_order],
      [true, `{${t('beach')},&,m~image/%}`, 'content_datetime', 'desc'],
    )
    const usual = await world.make('ann', { name: 'usual' })
    assert.deepEqual([usual.is_smart, usual.filter, usual.sort_key], [false, null, 'manual'])
  })

  it('shows its filter to those who may edit it', async () => {
    for (const [name, filter] of [
      ...(['root', 'ann', 'ed'] as const).map((name) => [name, '{m=image/png}'] as const),
      ...(['vic', 'bob'] as const).map((name) => [name, null] as const),
    ]) {
      const { body } = await world.good(name, 'GET', `/pools/${world.pool}`)
      assert.deepEqual([body.is_smart, body.filter], [true, filter], name)
      const { items } = (await world.good(name, 'GET', '/pools?search=an album')).body
      assert.deepEqual([items[0].is_smart, items[0].filter], [true, filter], name)
    }
  })

  it('refuses what is no filter, with its place', async () => {
    for (const filter of ['{', '{t=x}', '{r=1,r=1}', '{(}', `{${'!,'.repeat(500)}r=1}`]) {
      for (const answer of [
        await world.call('ann', 'POST', '/pools', { name: 'x', filter }),
        await patch({ filter }),
      ]) {
        assertError(answer, 400, 'validation_error', ['filter'])
      }
    }
    const answer = await patch({ filter: '{r=1,&,x=nothing}' })
    assert.match(answer.body.message, /token 3 \("x=nothing", character 8\)/)
    const long = await patch({ filter: `{m~${'a'.repeat(17_000)}}` })
    assertError(long, 400, 'validation_error', ['filter'])
    assert.equal((await get()).filter, '{m=image/png}')
  })

  it('has automatic order, no files of its own, and shares none', async () => {
    const [file] = world.seen('ann')
    const files = { file_ids: [file!.id] }
    const path = `/pools/${world.pool}/files`
    assertError(await patch({ sort_key: 'manual' }), 409, 'conflict')
    assertError(await patch({ shares_files: true }), 409, 'conflict')
    assertError(await patch({ filter: '{r=1}', sort_key: 'manual' }), 409, 'conflict')
    const both = { name: 'x', filter: '{r=1}', shares_files: true }
    assertError(await world.call('ann', 'POST', '/pools', both), 409, 'conflict')
    assertError(await world.call('ann', 'POST', path, files), 409, 'conflict')
    assertError(await world.call('ann', 'POST', `${path}/remove`, files), 409, 'conflict')
    assertError(await world.call('ann', 'PUT', `${path}/reorder`, files), 400, 'validation_error', [
      'file_ids',
    ])
    const share = { pool_id: world.pool, add: [{ user_id: world.people.bob.id }] }
    assertError(await world.call('ann', 'POST', '/files/bulk/share', share), 409, 'conflict')
    const { db } = world.library.deps
    const entries = () => db.get<{ n: number }>('SELECT count(*) AS n FROM acl WHERE pool_rid <> 0')
    assert.equal(entries()!.n, 0)
  })

  it('grows out of an empty pool alone, and is one again without the filter', async () => {
    const id = await empty()
    const [file] = world.seen('ann')
    const path = `/pools/${id}/files`
    await world.good('ann', 'POST', path, { file_ids: [file!.id] })
    assertError(await patch({ filter: '{r=1}' }, id), 409, 'conflict')
    await world.good('ann', 'POST', `${path}/remove`, { file_ids: [file!.id] })
    await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{r=1}' })
    const grown = await get(id)
    assert.deepEqual(
      [grown.sort_key, grown.sort_order, grown.is_smart, grown.file_count],
      ['content_datetime', 'desc', true, world.seen('ann').length],
    )
    await world.good('ann', 'PATCH', `/pools/${id}`, { filter: null, sort_key: 'manual' })
    assert.deepEqual((await world.good('ann', 'GET', path)).body.items, [])
    assert.equal((await get(id)).file_count, 0)
    await world.good('ann', 'POST', path, { file_ids: [file!.id] })
    const { items } = (await world.good('ann', 'GET', path)).body
    assert.deepEqual(
      items.map((one: { id: string }) => one.id),
      [file!.id],
    )
  })

  it('keeps the order that somebody chose as it grows out of a pool', async () => {
    for (const [before, update, expected] of [
      [{}, { sort_order: 'asc' }, ['content_datetime', 'asc']],
      [{}, { sort_key: 'original_name' }, ['original_name', 'asc']],
      [{ sort_key: 'created' }, {}, ['created', 'asc']],
    ]) {
      const id = await empty()
      await world.good('ann', 'PATCH', `/pools/${id}`, before)
      await world.good('ann', 'PATCH', `/pools/${id}`, { ...update, filter: '{r=1}' })
      const { sort_key, sort_order } = await get(id)
      assert.deepEqual([sort_key, sort_order], expected)
    }
  })

  it('is named by no filter, where that may be known', async () => {
    const filter = `{!,p=${world.pool}}`
    for (const answer of [
      await world.call('ann', 'POST', '/pools', { name: 'x', filter }),
      await patch({ filter }),
      await world.call('vic', 'GET', `/files?filter=${filter}`),
      await world.call('vic', 'GET', `/files/timeline?pool=${POOLS.open!.id}&filter=${filter}`),
    ]) {
      assertError(answer, 400, 'validation_error', ['filter'])
      assert.match(answer.body.message, new RegExp(world.pool))
    }
    const own = await world.make('ed', { filter: '{r=1}' })
    const unseen = await world.call('ann', 'GET', `/files?filter={p=${own.id}}`)
    assert.deepEqual([unseen.status, unseen.body.items], [200, []])
    const named = await world.make('ann', { filter: `{p=${own.id}}` })
    // The admin sees both, and still finds nothing by it.
    const { items } = (await world.good('root', 'GET', `/pools/${named.id}/files`)).body
    assert.deepEqual(items, [])
  })

  it('grows out of a pool that only filters name which the user may not read', async () => {
    const id = await empty()
    const hidden = await world.make('root', { filter: `{r=1,|,p=${id}}` })
    await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{m=image/png}' })
    const { items } = (await world.good('root', 'GET', `/pools/${hidden.id}/files?limit=200`)).body
    assert.equal(items.length, world.seen('root').length)
  })

  it('does not grow out of a pool that a filter names', async () => {
    const id = await empty()
    const other = await world.make('ann', { filter: `{r=1,|,p=${id}}` })
    assertError(await patch({ filter: '{r=1}' }, id), 409, 'conflict')
    await world.good('ann', 'DELETE', `/pools/${other.id}`)
    await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{r=1}' })
    const deleted = await world.good('ann', 'DELETE', `/pools/${id}`)
    await world.make('ann', { filter: `{p=${id}}` })
    const undone = await world.undo('ann', deleted)
    assert.deepEqual(
      [undone.undone, undone.kept.map((one: { reason: string }) => one.reason)],
      [0, ['conflict']],
    )
  })

  it('finds nothing any more by what is deleted, which its editors can ask before', async () => {
    const { ann } = world.people
    const category = (await world.good('ann', 'POST', '/categories', { name: 'own' })).body.id
    const bob = world.people.bob.id
    const filter = `{${t('beach')},|,c=${category},|,p=${POOLS.open!.id},|,u=${bob}}`
    const { id } = await world.make('ann', { name: 'named', filter })
    await world.make('ed', { name: "Ed's", filter: `{${t('beach')}}` })
    const naming = async (by: 'root' | 'ann' | 'vic', token: string) => {
      const { items, total } = (await world.good(by, 'GET', `/pools?names=${token}`)).body
      assert.equal(items.length, total)
      return items.map((pool: { name: string }) => pool.name)
    }
    for (const token of [t('beach'), `c=${category}`, `p=${POOLS.open!.id}`, `u=${bob}`]) {
      assert.deepEqual(await naming('ann', token), ['named'])
      assert.deepEqual(await naming('vic', token), [])
      assert.deepEqual(
        await naming(
          'ann',
          token.toUpperCase().replace(/^./, (x) => x.toLowerCase()),
        ),
        ['named'],
      )
    }
    assert.deepEqual(await naming('root', t('beach')), ["Ed's", 'named'])
    assert.deepEqual(await naming('root', `u=${ann.id}`), [])
    for (const token of ['', 'r=1', 't=x', `u=${bob},`]) {
      assertError(
        await world.call('ann', 'GET', `/pools?names=${token}`),
        400,
        'validation_error',
        ['names'],
      )
    }
    await world.good('ann', 'DELETE', `/tags/${TAGS.beach!.id}`)
    await world.good('ann', 'DELETE', `/categories/${category}`)
    await world.good('ann', 'DELETE', `/pools/${POOLS.open!.id}`)
    await world.good('root', 'DELETE', `/users/${bob}`)
    assert.equal((await get(id)).filter, filter)
    world.wait()
    assert.equal((await get(id)).file_count, 0)
  })

  it('follows a merge of tags, and an undo of it', async () => {
    const before = `{${t('secret')},&,!,${t('hike')},|,m~t=${TAGS.secret!.id},|,${t('secret')},&,r=1}`
    const { id } = await world.make('ann', { filter: before })
    const untouched = await world.make('ann', { filter: `{${t('beach')}}` })
    const into = { into: TAGS.hike!.id }
    const merged = await world.good('root', 'POST', `/tags/${TAGS.secret!.id}/merge`, into)
    const after = `{${t('hike')},&,!,${t('hike')},|,m~t=${TAGS.secret!.id},|,${t('hike')},&,r=1}`
    assert.equal((await get(id)).filter, after)
    assert.equal((await get(untouched.id)).filter, `{${t('beach')}}`)
    const undone = await world.undo('root', merged)
    assert.deepEqual([undone.kept, (await get(id)).filter], [[], before])

    const again = await world.good('root', 'POST', `/tags/${TAGS.secret!.id}/merge`, into)
    await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{r=0}' })
    const partly = await world.undo('root', again)
    assert.deepEqual(
      [partly.kept.map((one: { reason: string }) => one.reason), (await get(id)).filter],
      [['conflict'], '{r=0}'],
    )
  })

  it('gets its filter back by an undo, and the order with it', async () => {
    const id = await empty()
    const grown = await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{r=1}' })
    const changed = await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{r=0}' })
    const { items } = (await world.good('root', 'GET', `/audit?object_id=${id}`)).body
    assert.deepEqual(items[0].details.changes, { filter: { from: '{r=1}', to: '{r=0}' } })
    await world.undo('ann', changed)
    assert.equal((await get(id)).filter, '{r=1}')
    await world.undo('ann', grown)
    const { filter, sort_key, sort_order, is_smart } = await get(id)
    assert.deepEqual([filter, sort_key, sort_order, is_smart], [null, 'manual', 'asc', false])

    const [file] = world.seen('ann')
    const gone = await world.good('ann', 'PATCH', `/pools/${world.pool}`, { filter: null })
    await world.good('ann', 'POST', `/pools/${world.pool}/files`, { file_ids: [file!.id] })
    const kept = (await world.undo('ann', gone)).kept
    assert.deepEqual(
      kept.map((one: { reason: string }) => one.reason),
      ['conflict'],
    )
  })

  it('comes back with its filter when its deletion is undone', async () => {
    const before = await get()
    const deleted = await world.good('ann', 'DELETE', `/pools/${world.pool}`)
    assert.deepEqual((await world.undo('ann', deleted)).kept, [])
    assert.deepEqual(await get(), before)
  })

  it('takes no files back that were once taken out by hand', async () => {
    const id = await empty()
    const files = { file_ids: [world.seen('ann')[0]!.id] }
    await world.good('ann', 'POST', `/pools/${id}/files`, files)
    const taken = await world.good('ann', 'POST', `/pools/${id}/files/remove`, files)
    await world.good('ann', 'PATCH', `/pools/${id}`, { filter: '{r=1}' })
    const { undone, kept } = await world.undo('ann', taken)
    assert.deepEqual([undone, kept.map((one: { reason: string }) => one.reason)], [0, ['conflict']])
  })

  it('keeps a filter that names what does not exist', async () => {
    await world.good('ann', 'PATCH', `/pools/${world.pool}`, { filter: `{p=${UNKNOWN}}` })
    const { filter, file_count } = await get()
    assert.deepEqual([filter, file_count], [`{p=${UNKNOWN}}`, 0])
  })
})
