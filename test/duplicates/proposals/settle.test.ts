import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Item, openProposals, type Proposals } from '../../support/duplicates/proposals.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { allow, insertRule, putTags, ridOf, storedPool } from '../../support/object-rows.ts'

let of: Proposals
before(async () => {
  of = await openProposals()
})
after(() => of.close())
beforeEach(() => of.clear())

const get = async (id: string, who = of.ann) =>
  (await of.library.call('GET', `/files/${id}`, who)).body
const proposed = async (who?: Proposals['ann']): Promise<Item[]> =>
  (await of.list('?limit=100', who)).items.map(({ keep, discard }: Item) => ({ keep, discard }))

describe('settling proposals', () => {
  it('merges tags, pools, metadata, notes, date and rights, and takes all of it back', async () => {
    const { db } = of.library.deps
    const [a, b, c, x] = of.add([
      { content: 'a', metadata: { k: 1 }, date: { time: 9000, source: 'upload' } },
      { content: 'a', metadata: { l: [2] }, notes: 'noted', date: { time: 1000, source: 'exif' } },
      { content: 'a', isPublic: true, date: { time: 1000, offset: 60, source: 'given' } },
      {},
    ]) as [string, string, string, string]
    const [own, more, rule, hidden] = [
      of.tag('own'),
      of.tag('more'),
      of.tag('rule'),
      of.tag('hid', of.ben.id),
    ]
    const [extra, one, two] = [of.tag('extra'), of.tag('one'), of.tag('two')]
    insertRule(db, hidden, rule)
    putTags(db, a, [own, more, extra, one, two])
    db.run('UPDATE file_tags SET by_hand = 0 WHERE tag_rid = ?', ridOf(db, 'tag', more))
    putTags(db, b, [more])
    putTags(db, c, [own, hidden])
    const seen = of.pool('pool', [b, x, c])
    const others = of.pool('pool', [x, c], of.ben.id)
    allow(db, of.ben.id, 'file', a, 'view')
    allow(db, of.ben.id, 'file', b, 'edit')
    allow(db, of.cat.id, 'file', c, 'view')
    const before = of.everything()
    const files = new Map(
      await Promise.all([a, b, c].map(async (id) => [id, await get(id)] as const)),
    )
    assert.deepEqual(await proposed(), [{ keep: a, discard: [b, c] }])

    const { operation, ...rest } = await of.settled([{ keep: a, discard: [b, c] }])
    assert.deepEqual(rest, { settled: 1, skipped: [] })
    const { tags, ...kept } = await get(a, of.root)
    assert.deepEqual(
      tags.map(({ name, by_rule }: { name: string; by_rule: boolean }) => [name, by_rule]),
      [
        ['extra', false],
        ['hid', false],
        ['more', false],
        ['one', false],
        ['own', false],
        ['rule', true],
        ['two', false],
      ],
    )
    const { tags: _, ...former } = files.get(a)
    assert.deepEqual(kept, {
      ...former,
      metadata: { k: 1, l: [2] },
      notes: 'noted',
      content_datetime: '1970-01-01T00:00:01.000Z',
      content_offset: 60,
      date_source: 'given',
      date_precision: null,
      is_public: true,
    })
    const trashed_at = '2026-01-02T03:04:05.678Z'
    for (const id of [b, c]) {
      assert.deepEqual(await get(id), { ...files.get(id), is_deleted: true, trashed_at })
    }
    assert.deepEqual(storedPool(db, seen), [
      [b, 0],
      [a, 1],
      [x, 2],
      [c, 3],
    ])
    assert.deepEqual(storedPool(db, others), [
      [x, 0],
      [c, 1],
      [a, 2],
    ])
    const { body: rights } = await of.library.call('GET', `/acl/file/${a}`, of.ann)
    assert.deepEqual(
      rights.map((entry: Record<string, unknown>) => [
        entry.user_id,
        entry.can_view,
        entry.can_edit,
      ]),
      [
        [of.ben.id, true, true],
        [of.cat.id, true, false],
      ],
    )
    const entries = db.all<{ action: string }>(
      'SELECT action FROM audit_log WHERE operation = ? ORDER BY id',
      operation,
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['file_merge', 'file_merge', 'file_delete', 'file_delete', 'file_pool_add', 'file_pool_add'],
    )
    assert.deepEqual(await proposed(), [])

    const { kept: left, undone } = await of.undo(operation)
    // The kept file, both others and the pool that Ann sees.
    assert.deepEqual([left, undone], [[], 4])
    assert.deepEqual(of.everything(), before)
    assert.deepEqual(await proposed(), [{ keep: a, discard: [b, c] }])
  })

  it('leaves notes and a good date of the kept file as they are', async () => {
    const [a, b] = of.add([
      { content: 'a', notes: 'own', date: { time: 1, source: 'exif' } },
      { content: 'a', date: { time: 2, source: 'video' } },
    ]) as [string, string]
    const before = await get(a)
    const { settled: count } = await of.settled([{ keep: a, discard: [b] }])
    assert.equal(count, 1)
    assert.deepEqual(await get(a), before)
  })

  it('carries the turn of an equal file, and takes it back', async () => {
    const [a, b] = of.add([{ content: 'a' }, { content: 'a', rotation: 90 }]) as [string, string]
    assert.deepEqual(await proposed(), [{ keep: a, discard: [b] }])
    const { operation } = await of.settled([{ keep: a, discard: [b] }])
    assert.equal((await get(a)).rotation, 90)
    assert.deepEqual((await of.undo(operation)).kept, [])
    assert.deepEqual([(await get(a)).rotation, (await get(b)).rotation], [0, 90])
  })

  it('carries no turn of another content', async () => {
    const [large, small] = of.add([
      { shows: 1, size: [4000, 3000] },
      { shows: 1, size: [1000, 750], rotation: 180 },
    ]) as [string, string]
    await of.rescan()
    const { settled: count } = await of.settled([{ keep: large, discard: [small] }])
    assert.deepEqual([count, (await get(large)).rotation], [1, 0])
  })

  it('does not propose equal files that are turned differently', async () => {
    const [a] = of.add([
      { content: 'a', rotation: 90 },
      { content: 'a', rotation: 180 },
    ])
    assert.deepEqual(await proposed(), [])
    const turned = { token: of.ann.token, body: { rotation: 180 } }
    await of.library.call('PATCH', `/files/${a}`, turned)
    assert.equal((await proposed()).length, 1)
  })

  it('takes back no right that was changed since', async () => {
    const { db } = of.library.deps
    const [a, b] = of.add([{ content: 'a' }, { content: 'a' }]) as [string, string]
    allow(db, of.ben.id, 'file', b, 'view')
    const { operation } = await of.settled([{ keep: a, discard: [b] }])
    db.run('UPDATE acl SET can_edit = 1 WHERE object_rid = ?', ridOf(db, 'file', a))
    const { kept } = await of.undo(operation)
    assert.deepEqual(kept, [{ object_type: 'file', object_id: a, reason: 'changed' }])
    assert.equal((await of.library.call('GET', `/files/${a}`, of.ben)).status, 200)
  })

  it('joins a pool once for many, each right after the first of its own', async () => {
    const { db } = of.library.deps
    const made = Array.from({ length: 40 }, (_, n) => ({ content: `c ${n % 10}` }))
    const ids = of.add(made)
    const random = randomNumbers(5)
    const order = ids.slice(10).map((id) => ({ id, key: random(1000) }))
    order.sort((p, q) => p.key - q.key)
    const names = order.map(({ id }) => id)
    const id = of.pool('pool', names)
    const before = of.everything()
    const items = await proposed()
    assert.equal(items.length, 10)
    const { operation } = await of.settled(items)
    const expected = [...names]
    for (const { keep, discard } of items) {
      const first = Math.min(...discard.map((one) => expected.indexOf(one)))
      expected.splice(first + 1, 0, keep)
    }
    assert.deepEqual(
      storedPool(db, id),
      expected.map((one, place) => [one, place]),
    )
    assert.deepEqual((await of.undo(operation)).kept, [])
    assert.deepEqual(of.everything(), before)
  })

  it('settles smaller pictures, and none that changed since', async () => {
    const size: [number, number] = [1000, 750]
    const [large, small, next, least] = of.add([
      { shows: 1, size: [4000, 3000] },
      { shows: 1, size },
      { shows: 2, size: [4000, 3000] },
      { shows: 2, size },
    ]) as [string, string, string, string]
    await of.rescan()
    const both = [
      { keep: large, discard: [small] },
      { keep: next, discard: [least] },
    ]
    assert.deepEqual(await proposed(), both)
    const { db } = of.library.deps
    db.run('UPDATE file_looks SET width = 1100 WHERE file_rid = ?', ridOf(db, 'file', least))
    assert.deepEqual(await of.settled(both).then(({ operation: _, ...rest }) => rest), {
      settled: 1,
      skipped: [{ keep: next, reason: 'changed' }],
    })
    assert.equal((await get(small)).is_deleted, true)
    assert.equal((await get(least)).is_deleted, false)
  })

  it('does each file once, whatever several items say', async () => {
    const [a, b, c] = of.add([{ content: 'a' }, { content: 'a' }, { content: 'a' }]) as string[]
    const items = [
      { keep: a!, discard: [b!] },
      { keep: a!, discard: [b!] },
      { keep: b!, discard: [c!] },
      { keep: a!, discard: [c!] },
    ]
    const { settled: count, skipped } = await of.settled(items)
    assert.equal(count, 2)
    assert.deepEqual(skipped, [
      { keep: a, reason: 'changed' },
      { keep: b, reason: 'changed' },
    ])
  })

  it('does what two ask at once a single time', async () => {
    const [a, b] = of.add([{ content: 'a' }, { content: 'a' }]) as [string, string]
    const items = [{ keep: a, discard: [b] }]
    const both = await Promise.all([of.settled(items), of.settled(items, of.root)])
    assert.deepEqual(both.map((one) => one.settled).sort(), [0, 1])
    const merges = "SELECT count(*) AS n FROM audit_log WHERE action = 'file_merge'"
    assert.equal(of.library.deps.db.get<{ n: number }>(merges)!.n, 1)
  })

  it('of a group of more than 51 settles all items at once', async () => {
    const ids = of.add(Array.from({ length: 103 }, () => ({ content: 'a' })))
    const { settled: count } = await of.settled(await proposed())
    assert.equal(count, 3)
    const left = 'SELECT count(*) AS n FROM files WHERE is_deleted = 0'
    assert.equal(of.library.deps.db.get<{ n: number }>(left)!.n, 1)
    assert.equal((await get(ids[0]!)).is_deleted, false)
  })
})

describe('whoever saw a picture before, as any copy', () => {
  it('sees it after, and edits it if they could', async () => {
    const { db } = of.library.deps
    const random = randomNumbers(11)
    const people = [of.ann, of.ben, of.cat]
    const [open, secret] = [of.tag('open'), of.tag('secret', of.ben.id)]
    for (let round = 0; round < 25; round++) {
      db.run('DELETE FROM files')
      const owner = people[random(2)]!
      const size = 2 + random(4)
      const ids = of.add(
        Array.from({ length: size }, () => ({ content: 'a', isPublic: random(4) === 0 })),
        owner.id,
      )
      for (const id of ids) {
        for (const who of people) {
          const right = (['none', 'view', 'edit'] as const)[random(5)]
          if (right) allow(db, who.id, 'file', id, right)
        }
        putTags(
          db,
          id,
          [open, secret].filter(() => random(2) === 0),
        )
      }
      const before = of.everything()
      const may = async (who: Proposals['ann'], id: string) => {
        const { status } = await of.library.call('GET', `/files/${id}`, who)
        const { status: edit } = await of.library.call('PATCH', `/files/${id}`, {
          ...who,
          body: {},
        })
        return [status === 200, edit === 200]
      }
      const best = async (who: Proposals['ann']) => {
        const all = await Promise.all(ids.map((id) => may(who, id)))
        return [0, 1].map((right) => all.some((one) => one[right]))
      }
      const former = await Promise.all(people.map(best))
      const caller = [owner, of.root][random(2)]!
      const items = await proposed(caller)
      assert.equal(items.length, 1)
      const { operation, settled: count } = await of.settled(items, caller)
      assert.equal(count, 1)
      const kept = items[0]!.keep
      const after = await Promise.all(people.map((who) => may(who, kept)))
      assert.deepEqual(after, former, `round ${round}`)
      assert.deepEqual((await of.undo(operation, caller)).kept, [])
      assert.deepEqual(of.everything(), before)
    }
  })
})
