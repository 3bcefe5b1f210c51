import assert from 'node:assert/strict'
import { setReader } from '../../../src/reader/question.ts'
import { sees } from '../../support/file-rows.ts'
import {
  CATEGORIES,
  NAMES,
  type Name,
  openSmart,
  type Picture,
  POOLS,
  TAGS,
  UNKNOWN,
  type World,
} from '../../support/smart-pools.ts'
import { after, before, describe, it } from '../../support/test.ts'

type Asks = (file: Picture, name: Name) => boolean

let world: World
before(async () => {
  world = await openSmart()
})
after(() => world.library.close())

const has =
  (tag: string): Asks =>
  (file, name) =>
    world.mayView(name, TAGS[tag]!) && file.has.includes(tag)
const inCategory =
  (category: string): Asks =>
  (file, name) =>
    world.mayView(name, CATEGORIES[category]!) &&
    file.has.some((tag) => TAGS[tag]!.category === category && world.mayView(name, TAGS[tag]!))
const inPool =
  (pool: string): Asks =>
  (file, name) =>
    world.mayView(name, POOLS[pool]!) && file.in.includes(pool)

const t = (name: string) => `t=${TAGS[name]!.id}`
const c = (name: string) => `c=${CATEGORIES[name]!.id}`
const p = (name: string) => `p=${POOLS[name]!.id}`
const CASES = (): [filter: string, asks: Asks][] => [
  ['{}', () => true],
  ['{m=image/png}', (file) => file.type === 'image/png'],
  [`{${t('beach')}}`, has('beach')],
  [`{ t=${TAGS.secret!.id.toUpperCase()} }`, has('secret')],
  [`{!,${t('secret')}}`, (file, name) => !has('secret')(file, name)],
  [
    `{${c('trips')},|,${c('plans')}}`,
    (f, n) => inCategory('trips')(f, n) || inCategory('plans')(f, n),
  ],
  [`{!,${c('plans')}}`, (file, name) => !inCategory('plans')(file, name)],
  [`{${p('hidden')}}`, inPool('hidden')],
  [`{!,${p('hidden')},&,${p('open')}}`, (f, n) => !inPool('hidden')(f, n) && inPool('open')(f, n)],
  [
    `{(,${t('beach')},|,${t('rome')},),&,!,m~video/%}`,
    (f, n) => (has('beach')(f, n) || has('rome')(f, n)) && !f.type.startsWith('video/'),
  ],
  [`{t=${UNKNOWN},|,u=${world.people.ed.id}}`, (file) => file.owner === world.people.ed.id],
]

describe('a pool that fills itself', () => {
  it('holds for each of its people the files that match and that they see, in every list', async () => {
    for (const [filter, asks] of CASES()) {
      await world.good('ed', 'PATCH', `/pools/${world.pool}`, { filter })
      for (const name of NAMES) {
        const expected = world.seen(name).filter((file) => asks(file, name))
        const ids = expected.map((file) => file.id)
        const say = `${filter} as ${name} sees it`
        const pages = await everyPage(name, 7)
        assert.deepEqual(
          pages.map((file) => file.id),
          ids,
          say,
        )
        assert.deepEqual(
          pages.map((file) => file.position),
          [...ids.keys()],
          say,
        )
        const set = `pool=${world.pool}`
        const all = (await world.good(name, 'GET', `/files/ids?${set}`)).body
        assert.deepEqual([all.ids, all.total], [ids, ids.length], say)
        const cells = (await world.good(name, 'GET', `/files/cells?${set}`)).body
        assert.deepEqual(cells.ids, ids, say)
        const byId = (await world.good(name, 'GET', `/files/cells?${set}&sort=created&order=asc`))
          .body
        assert.deepEqual(byId.ids, ids.toSorted(), say)
        const { total } = (await world.good(name, 'GET', `/files/timeline?${set}`)).body
        assert.equal(total, ids.length, say)
        const { counts } = (await world.good(name, 'GET', `/tags/counts?${set}`)).body
        for (const [tag, { id }] of Object.entries(TAGS)) {
          const count = expected.filter((file) => has(tag)(file, name)).length
          assert.equal(counts[id] ?? 0, count, say)
        }
        const { file_count } = (await world.good(name, 'GET', `/pools/${world.pool}`)).body
        assert.equal(file_count, ids.length, say)
        const asked = { pool_id: world.pool, user_ids: NAMES.map((one) => world.people[one].id) }
        const reach = (await world.good(name, 'POST', '/files/reach', asked)).body
        const own = expected.filter(
          (file) => name === 'root' || file.owner === world.people[name].id,
        )
        assert.equal(reach.files, ids.length, say)
        const reached = NAMES.map(
          (one) => own.filter((file) => one === 'root' || sees(world.people[one].id, file)).length,
        )
        assert.deepEqual(
          reach.users.map((one: { seen: number }) => one.seen),
          reached,
          say,
        )
        if (ids.length > 0) {
          const archive = await world.good(name, 'POST', '/files/archive', { pool_id: world.pool })
          assert.equal(archive.body.files, ids.length, say)
        }
      }
    }
  })

  it('takes a further filter, and then tells where the files are in the whole', async () => {
    await world.good('ann', 'PATCH', `/pools/${world.pool}`, { filter: '{m=image/png}' })
    for (const name of NAMES) {
      const whole = world.seen(name).filter((file) => file.type === 'image/png')
      const some = [...whole.keys()].filter((n) => has('beach')(whole[n]!, name))
      const filter = `&filter={${t('beach')}}`
      const pages = await everyPage(name, 2, filter)
      assert.deepEqual(
        pages.map((file) => file.position),
        some,
      )
      const { ids } = (await world.good(name, 'GET', `/files/cells?pool=${world.pool}${filter}`))
        .body
      assert.deepEqual(
        ids,
        some.map((n) => whole[n]!.id),
      )
    }
  })

  it('is in each automatic order, both ways', async () => {
    const files = world.seen('root').filter((file) => file.type === 'image/png')
    const keys = {
      created: (file: Picture) => file.id,
      content_datetime: (file: Picture) => `${file.time} ${file.id}`,
      original_name: (file: Picture) => `${file.name} ${file.id}`,
    }
    for (const [sort_key, keyOf] of Object.entries(keys)) {
      for (const sort_order of ['asc', 'desc']) {
        await world.good('ann', 'PATCH', `/pools/${world.pool}`, { sort_key, sort_order })
        const sorted = files.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
        if (sort_order === 'desc') sorted.reverse()
        const pages = await everyPage('root', 4)
        assert.deepEqual(
          pages.map((file) => file.id),
          sorted.map((file) => file.id),
        )
        assert.deepEqual(
          pages.map((file) => file.position),
          [...sorted.keys()],
        )
      }
    }
  })

  it('tells a count that is at most 30 s old', async () => {
    const { id } = await world.make('ann', { filter: `{${t('hike')}}` })
    const counted = async () => (await world.good('ann', 'GET', `/pools/${id}`)).body.file_count
    const before = await counted()
    const file = world
      .seen('ann')
      .find((one) => one.owner === world.people.ann.id && !one.has.includes('hike'))!
    await world.good('ann', 'PUT', `/files/${file.id}/tags/${TAGS.hike!.id}`)
    world.library.time.now += 29_999
    assert.equal(await counted(), before)
    world.library.time.now += 1
    assert.equal(await counted(), before + 1)
    await world.good('ann', 'DELETE', `/files/${file.id}/tags/${TAGS.hike!.id}`)
    world.wait()
    const { items } = (await world.good('ann', 'GET', '/pools?search=album')).body
    const found = items.find((pool: { id: string }) => pool.id === id)
    assert.equal(found.file_count, before)
  })
})

describe('the counts of a page of pools that fill themselves', () => {
  it('come of one question for twenty filters, and each filter is counted once', async () => {
    const { db } = world.library.deps
    const years = Array.from({ length: 21 }, (_, n) => 2010 + n)
    const filters = years.map((year) => `{d<${year},&,${t('beach')}}`)
    for (const filter of [...filters, filters[0]]) await world.make('bob', { name: 'many', filter })
    world.wait()
    const asked: number[] = []
    setReader(db, {
      running: () => 0,
      async ask(_, name, given) {
        if (name === 'smartCounts') asked.push((given as unknown as { filters: [] }).filters.length)
        return null
      },
    })
    const { items } = (await world.good('bob', 'GET', '/pools?search=many&limit=200')).body
    assert.deepEqual(asked, [20, 1])
    const counts = years.map((year) => {
      const isMatch = (file: Picture) => file.time < Date.UTC(year) && has('beach')(file, 'bob')
      return world.seen('bob').filter(isMatch).length
    })
    assert.deepEqual(
      items.map((pool: { file_count: number }) => pool.file_count),
      [...counts, counts[0]].reverse(),
    )
  })
})

interface Listed {
  id: string
  position: number
}

async function everyPage(name: Name, limit: number, filter = ''): Promise<Listed[]> {
  const files: Listed[] = []
  let cursor = ''
  do {
    const path = `/pools/${world.pool}/files?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`
    const { body } = await world.good(name, 'GET', path)
    files.push(...body.items)
    cursor = body.next_cursor
  } while (cursor)
  return files
}
