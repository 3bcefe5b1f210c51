import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { findProposals } from '../../../src/duplicates/proposals/find.ts'
import { itemsLeft } from '../../../src/duplicates/proposals/settle-found.ts'
import { loadFile } from '../../../src/files/queries.ts'
import { rescanAll } from '../../support/duplicates/clusters.ts'
import { addPictures, type MadeFile } from '../../support/duplicates/pictures.ts'
import { idAt, randomNumbers } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { allow, insertTag, putTags, ridOf } from '../../support/object-rows.ts'

type Who = { id: number; token: string }
type Item = { keep: string; discard: string[] }
type ListedItem = Item & { why: 'identical' | 'smaller' }

/** Equal contents show the same. */
const LOOKS: MadeFile[] = [
  { content: 'a', shows: 1, size: [1000, 750] },
  { content: 'b', shows: 2, size: [4000, 3000] },
  { content: 'c' },
  { shows: 1, size: [4000, 3000] },
  { shows: 2, size: [1000, 750] },
]

let library: Library
let ann: Who
let ben: Who
before(async () => {
  library = await openLibrary()
  ann = await library.join('ann')
  ben = await library.join('ben')
})
after(() => library.close())
beforeEach(clear)

function clear(): void {
  const { db } = library.deps
  for (const table of ['files', 'tags', 'duplicate_scans']) db.run(`DELETE FROM ${table}`)
}

const add = (made: MadeFile[]) => addPictures(library.deps.db, ann.id, made)
const listed = async (): Promise<ListedItem[]> =>
  (await library.call('GET', '/files/duplicates/proposals?limit=100', ann)).body.items
const settle = async (items: Item[]) => {
  const body = { items: items.map(({ keep, discard }) => ({ keep, discard })) }
  const path = '/files/duplicates/proposals/settle'
  return (await library.call('POST', path, { ...ann, body })).body.settled
}
const foundAnew = async () => {
  library.deps.db.run("UPDATE cache_versions SET version = version + 1 WHERE name = 'proposals'")
  return listed()
}

/**
 * Returns what is left of items when some were settled and these are found anew: other pictures are
 * beside the larger one as before, but those that are gone or in an identical group now.
 */
function leftOf(items: ListedItem[], settled: Item[], anew: ListedItem[]): ListedItem[] {
  const identical = anew.filter(({ why }) => why === 'identical')
  const out = new Set([
    ...settled.flatMap(({ discard }) => discard),
    ...identical.flatMap(({ keep, discard }) => [keep, ...discard]),
  ])
  const smaller = items.flatMap(({ why, keep, discard }) => {
    const others = discard.filter((id) => !out.has(id))
    return why === 'smaller' && !out.has(keep) && others.length > 0
      ? [{ why, keep, discard: others }]
      : []
  })
  const left = [...identical, ...smaller]
  return left.length > 0 ? left : anew
}

const withoutGains = (items: ListedItem[]) =>
  items.map(({ why, keep, discard }) => ({ why, keep, discard }))

describe('what is left of proposals after some were settled', () => {
  it('is what would be found anew', async () => {
    const { db } = library.deps
    const random = randomNumbers(23)
    const pick = <T>(all: T[]): T => all[random(all.length)]!
    let changed = 0
    let smaller = 0
    for (let round = 0; round < 20; round++) {
      clear()
      const tag = idAt(2, round)
      insertTag(db, { id: tag, name: `${round}`, owner: ann.id })
      const ids = add(
        Array.from({ length: 8 + random(16) }, () => ({
          ...pick(LOOKS),
          notes: pick(['one', 'two', ...Array.from({ length: 6 }, () => undefined)]),
          date: pick([
            { time: 1, source: 'exif' },
            { time: 1, source: 'given' },
            { time: 2, source: 'given' },
            { time: 3, source: 'upload' },
            ...Array.from({ length: 6 }, () => ({ time: 3, source: null })),
          ]),
          trashed: random(8) === 0,
          owner: random(8) === 0 ? ben.id : ann.id,
        })),
      )
      write(db, { now: 0 }, () => {
        for (const id of ids) {
          if (random(3) === 0) putTags(db, id, [tag])
          if (random(2) === 0) allow(db, ann.id, 'file', id, 'edit')
        }
        for (let n = random(12); n > 0; n--) {
          const pair = [pick(ids), pick(ids)].map((id) => ridOf(db, 'file', id))
          const [a, b] = pair.toSorted((p, q) => p - q) as [number, number]
          if (a !== b) db.run('INSERT OR IGNORE INTO duplicate_dismissals VALUES (?, ?)', a, b)
        }
      })
      await rescanAll(library)
      for (let items = await listed(); items.length > 0; items = await listed()) {
        const some = items.filter((_, n) => n === 0 || random(2) === 0)
        const parts = some.map(({ keep, discard }) => ({
          keep,
          discard: discard.filter((_, n) => n === 0 || random(2) === 0),
        }))
        assert.equal(await settle(parts), parts.length)
        const left = await listed()
        const anew = await foundAnew()
        const expected = leftOf(items, parts, anew)
        assert.deepEqual(withoutGains(left), withoutGains(expected), `round ${round}`)
        const same = ({ why }: ListedItem) => why === 'identical'
        assert.deepEqual(left.filter(same), anew.filter(same), `round ${round}`)
        changed++
        if (!left.every(same)) smaller++
      }
    }
    assert.ok(changed > 50 && smaller > 25, `${changed} ${smaller}`)
  })

  it('has a copy that becomes mergeable in no other item', async () => {
    const { db } = library.deps
    const same = { content: 'a', shows: 1, size: [1000, 750] } satisfies MadeFile
    const large = { content: 'b', shows: 2, size: [4000, 3000] } satisfies MadeFile
    const [a, b, c, , x, y, z] = add([
      ...[same, same, same],
      { shows: 1, size: [4000, 3000] },
      ...[large, large, large],
      { shows: 2, size: [1000, 750] },
      { content: 'c' },
      { content: 'c' },
    ]) as [string, string, string, string, string, string, string]
    for (const pair of [
      [b, c],
      [y, z],
    ]) {
      const rids = pair.map((id) => ridOf(db, 'file', id))
      db.run('INSERT INTO duplicate_dismissals VALUES (?, ?)', ...rids)
    }
    await rescanAll(library)
    const items = await listed()
    assert.deepEqual(
      items.map(({ why }) => why),
      ['identical', 'identical', 'identical', 'smaller', 'smaller'],
    )
    assert.equal(await settle(items.slice(0, 2)), 2)
    const left = await listed()
    assert.deepEqual(withoutGains(left), [
      { why: 'identical', keep: a, discard: [c] },
      { why: 'identical', keep: x, discard: [z] },
      ...withoutGains([items[2]!]),
    ])
    assert.deepEqual(left, await foundAnew())
  })

  it('is found anew when few enough equal files are left', async () => {
    const notes = 'of a crowd'
    const [small, ...others] = add([
      { content: 'a', notes, shows: 1, size: [1000, 750] },
      ...Array.from({ length: 50 }, () => ({ content: 'a', notes })),
      { shows: 1, size: [4000, 3000] },
      { content: 'b' },
      { content: 'b' },
    ]) as [string, ...string[]]
    await rescanAll(library)
    const items = await listed()
    const large = others[50]!
    assert.deepEqual(withoutGains([items[1]!]), [{ why: 'smaller', keep: large, discard: [small] }])
    assert.equal(await settle([items[1]!]), 1)
    assert.deepEqual(withoutGains(await listed()), [
      { why: 'identical', keep: others[0], discard: others.slice(1, 50) },
      ...withoutGains([items[0]!]),
    ])
  })

  it('is what would be found anew of more files than one item has', async () => {
    add([
      { content: 'b' },
      { content: 'b' },
      ...Array.from({ length: 130 }, () => ({ content: 'a' })),
    ])
    const items = await listed()
    assert.deepEqual(
      items.map(({ discard }) => discard.length),
      [1, 50, 50, 29],
    )
    assert.equal(await settle([items[2]!]), 1)
    const left = await listed()
    assert.deepEqual(left, [items[0], items[1], items[3]])
    assert.deepEqual(left, await foundAnew())
  })

  it('is not found anew, but when nothing is left', async () => {
    add([
      { shows: 1, size: [4000, 3000] },
      { shows: 1, size: [1000, 750], content: 'a' },
      { shows: 1, size: [1000, 750], content: 'a' },
      { shows: 2, size: [4000, 3000] },
      { shows: 2, size: [1000, 750] },
      { shows: 2, size: [800, 600] },
      { content: 'b' },
      { content: 'b' },
    ])
    await rescanAll(library)
    const find = () =>
      findProposals(library.deps, { ...ann, name: 'ann', is_admin: false, can_create: false })
    const items = await listed()
    const found = (await find()).items
    assert.deepEqual(
      found.map(({ why }) => why),
      ['identical', 'identical', 'smaller'],
    )
    assert.equal(await settle([items[0]!]), 1)
    const left = (await find()).items
    assert.equal(left.length, 2)
    for (const [n, item] of left.entries()) assert.equal(item, found[n + 1])
    // A part of the smaller ones.
    assert.equal(await settle([{ keep: items[2]!.keep, discard: [items[2]!.discard[0]!] }]), 1)
    const [same, smaller] = (await find()).items
    assert.equal(same, found[1])
    const [keep, , other] = found[2]!.files
    assert.deepEqual(smaller, { why: 'smaller', files: [keep, other], from: 0 })
    assert.equal(await settle((await listed()).slice(0, 2)), 2)
    // The copy that was kept is a smaller version of another picture.
    assert.deepEqual(
      (await listed()).map(({ discard }) => discard),
      [[items[0]!.keep]],
    )
  })

  const viewer = () => ({ ...ann, name: 'ann', is_admin: false, can_create: false })
  const mergesOf = (items: Item[]) =>
    write(library.deps.db, { now: 0 }, (tx) => {
      const load = (id: string) => loadFile(tx, viewer(), id, 'edit')
      return items.map(({ keep, discard }) => ({ keep: load(keep), discard: discard.map(load) }))
    })

  it('lets others have a turn after each content, and each 500 items', async () => {
    add(Array.from({ length: 1202 }, (_, n) => ({ content: `of pair ${n >> 1}` })))
    const { items } = await findProposals(library.deps, viewer())
    assert.equal(items.length, 601)
    const merges = mergesOf((await listed()).slice(0, 3))
    let turns = 0
    const pause = async () => {
      turns++
    }
    const proposed = { items, dismissed: new Map() }
    assert.ok(await itemsLeft(library.deps.db, { user: viewer(), pause }, proposed, merges))
    assert.equal(turns, 3 + 2)
  })

  it('is found anew when more than 10,000 equal files would be looked at', async () => {
    const ids = add(Array.from({ length: 11 * 910 }, (_, n) => ({ content: `of ${n % 11}` })))
    const { items } = await findProposals(library.deps, viewer())
    const looking = { user: viewer(), pause: async () => {} }
    const merges = mergesOf(
      Array.from({ length: 11 }, (_, n) => ({ keep: ids[n]!, discard: [ids[n + 11]!] })),
    )
    const left = (some: typeof merges) =>
      itemsLeft(library.deps.db, looking, { items, dismissed: new Map() }, some)
    assert.equal(await left(merges), null)
    assert.ok(await left(merges.slice(1)))
  })

  it('is found anew when something else has changed', async () => {
    const [, , first, second] = add([{ content: 'a' }, { content: 'a' }, { content: 'b' }, {}]) as [
      string,
      string,
      string,
      string,
    ]
    const [item] = await listed()
    assert.equal(await settle([item!]), 1)
    const { db } = library.deps
    db.run(
      `UPDATE file_details SET sha256 = (SELECT sha256 FROM file_details WHERE file_rid = ?)
       WHERE file_rid = ?`,
      ridOf(db, 'file', first),
      ridOf(db, 'file', second),
    )
    assert.deepEqual(
      (await listed()).map(({ keep, discard }) => [keep, discard]),
      [[first, [second]]],
    )
  })
})
