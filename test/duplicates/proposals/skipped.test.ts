import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Item, openProposals, type Proposals } from '../../support/duplicates/proposals.ts'
import { idAt } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { allow, putTags, ridOf } from '../../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let of: Proposals
before(async () => {
  of = await openProposals()
})
after(() => of.close())
beforeEach(() => of.clear())

const get = async (id: string, who = of.ann) =>
  (await of.library.call('GET', `/files/${id}`, who)).body
const skips = async (items: Item[]) => (await of.settled(items)).skipped

describe('settling what is not proposed', () => {
  it('skips a copy whose date a person corrected', async () => {
    const [a, b] = of.add([
      { content: 'a', date: { time: 1, source: 'exif' } },
      { content: 'a', date: { time: 2, source: 'given' } },
    ]) as [string, string]
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), [{ keep: a, reason: 'changed' }])
    assert.equal((await get(b)).is_deleted, false)
  })

  it('skips what is not proposed like that any more', async () => {
    const { db } = of.library.deps
    const [a, b, c, other, same] = of.add([
      { content: 'a' },
      { content: 'a' },
      { content: 'a' },
      {},
      { content: 'a', owner: of.ben.id },
    ]) as [string, string, string, string, string]
    allow(db, of.ann.id, 'file', same, 'edit')
    const changed = [{ keep: a, reason: 'changed' }]
    const before = of.everything()
    assert.deepEqual(await skips([{ keep: b, discard: [a] }]), [{ keep: b, reason: 'changed' }])
    for (const discard of [[other], [b, other], [same]]) {
      assert.deepEqual(await skips([{ keep: a, discard }]), changed)
    }
    assert.deepEqual(of.everything(), before)
    const tags = [of.tag('one')]
    putTags(db, c, tags)
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), changed)
    db.run('DELETE FROM file_tags')
    db.run("UPDATE file_details SET notes = 'n' || (file_rid % 2) WHERE file_rid <= 2")
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), changed)
    db.run('UPDATE file_details SET notes = NULL')
    db.run(
      'INSERT INTO duplicate_dismissals VALUES (?, ?)',
      ridOf(db, 'file', a),
      ridOf(db, 'file', b),
    )
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), changed)
    db.run('DELETE FROM duplicate_dismissals')
    await of.library.call('DELETE', `/files/${b}`, of.ann)
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), changed)
    // A part of an item is one, too.
    const { operation, ...rest } = await of.settled([{ keep: a, discard: [c] }])
    assert.deepEqual(rest, { settled: 1, skipped: [] })
    assert.ok(operation)
  })

  it('skips one of more than 50 files of which people said something', async () => {
    const [keep, one] = of.add([
      { content: 'a' },
      { content: 'a' },
      ...Array.from({ length: 50 }, () => ({ content: 'a', notes: 'same' })),
    ]) as [string, string]
    const item = { keep, discard: [one] }
    of.add([{ content: 'a', notes: 'one more' }])
    assert.deepEqual(await skips([item]), [{ keep, reason: 'changed' }])
    of.library.deps.db.run("UPDATE file_details SET notes = NULL WHERE notes = 'one more'")
    assert.deepEqual(await skips([item]), [])
  })

  it('skips one of more than 1,000 equal files', async () => {
    const ids = of.add(Array.from({ length: 1001 }, () => ({ content: 'a' })))
    const [keep, one, other] = ids as [string, string, string]
    assert.deepEqual(await skips([{ keep, discard: [one] }]), [{ keep, reason: 'changed' }])
    of.library.deps.db.run(
      'UPDATE files SET is_deleted = 1 WHERE rid = ?',
      ridOf(of.library.deps.db, 'file', one),
    )
    assert.deepEqual(await skips([{ keep, discard: [other] }]), [])
  })

  it('skips whole what may not be edited or is gone, and tells neither apart', async () => {
    const { db } = of.library.deps
    const [a, b, mine, same] = of.add([
      { content: 'a', owner: of.ben.id },
      { content: 'a', owner: of.ben.id, isPublic: true },
      { content: 'm' },
      { content: 'm' },
    ]) as [string, string, string, string]
    const before = of.everything()
    for (const [keep, other] of [
      [a, b],
      [mine, UNKNOWN],
      [mine, a],
      [UNKNOWN, mine],
    ] as [string, string][]) {
      const { operation, skipped } = await of.settled([{ keep, discard: [other] }])
      assert.deepEqual([operation, skipped], [null, [{ keep, reason: 'forbidden_or_gone' }]])
    }
    assert.deepEqual(of.everything(), before)
    assert.deepEqual(db.all('SELECT id FROM audit_log'), [])
    const rest = await of.settled([
      { keep: a, discard: [b] },
      { keep: mine, discard: [same] },
    ])
    assert.equal(rest.settled, 1)
    assert.deepEqual(rest.skipped, [{ keep: a, reason: 'forbidden_or_gone' }])
  })

  it('skips what would be too large', async () => {
    const { db } = of.library.deps
    const text = 'x'.repeat(40_000)
    const [a, b] = of.add([
      { content: 'a', metadata: { a: text } },
      { content: 'a', metadata: { b: text } },
    ]) as [string, string]
    const tooLarge = [{ keep: a, reason: 'too_large' }]
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), tooLarge)
    db.run('UPDATE file_details SET metadata = NULL')
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
       INSERT INTO tags (id, name, name_key, creator_id, is_public)
       SELECT randomblob(16), 'many ' || i, 'many', ?, 0 FROM n`,
      of.ann.id,
    )
    db.run(
      `INSERT INTO file_tags SELECT CASE WHEN row_number() OVER () <= 600 THEN ? ELSE ? END, rid, 1 FROM tags`,
      ridOf(db, 'file', a),
      ridOf(db, 'file', b),
    )
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), tooLarge)
    db.run('DELETE FROM tags WHERE rid = (SELECT max(rid) FROM tags)')
    assert.deepEqual(await skips([{ keep: a, discard: [b] }]), [])
  })

  it('refuses wrong bodies', async () => {
    const ids = Array.from({ length: 51 }, (_, n) => idAt(9, n))
    const [a, b] = ids as [string, string]
    const many = Array.from({ length: 11 }, (_, n) => ({
      keep: idAt(8, n),
      discard: ids.slice(0, 50),
    }))
    for (const [items, field] of [
      [[{ keep: a, discard: [] }], 'items.0.discard'],
      [[{ keep: a, discard: [a] }], 'items.0.discard'],
      [[{ keep: a, discard: [b, b] }], 'items.0.discard'],
      [[{ keep: UNKNOWN, discard: ids }], 'items.0.discard'],
      [many, 'items'],
    ] as [Item[], string][]) {
      assertError(await of.settle(items), 400, 'validation_error', [field])
    }
    assert.deepEqual((await of.settled([])).operation, null)
  })
})
