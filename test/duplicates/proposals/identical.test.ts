import assert from 'node:assert/strict'
import { agreeing, NO_STATEMENTS } from '../../../src/duplicates/proposals/agreement.ts'
import { findProposals } from '../../../src/duplicates/proposals/find.ts'
import { identicalFiles } from '../../../src/duplicates/proposals/identical.ts'
import { presentProposals } from '../../../src/duplicates/proposals/present.ts'
import { filesEditable } from '../../../src/files/find/members.ts'
import type { MadeFile } from '../../support/duplicates/pictures.ts'
import { openProposals, type Proposals } from '../../support/duplicates/proposals.ts'
import { allow, putTags } from '../../support/object-rows.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'

let of: Proposals
before(async () => {
  of = await openProposals()
})
after(() => of.close())
beforeEach(() => of.clear())

const NOTHING = { tags: [], pools: [], notes: null, date: null }

describe('proposals for equal contents', () => {
  it('keep the oldest of pictures, films and what has no hash', async () => {
    const [a, film, b, other, same] = of.add([
      { content: 'a', shows: 1 },
      { content: 'film', type: 'video/mp4', duration: 3 },
      { content: 'a', shows: 1 },
      {},
      { content: 'film', type: 'video/mp4', duration: 3 },
    ])
    assert.ok(other)
    assert.deepEqual(await of.list(), {
      items: [
        { why: 'identical', keep: a, discard: [b], gains: NOTHING },
        { why: 'identical', keep: film, discard: [same], gains: NOTHING },
      ],
      total: 2,
    })
  })

  it('keep the one with most tags that the caller sees', async () => {
    const { db } = of.library.deps
    const [a, b, c] = of.add([{ content: 'a' }, { content: 'a' }, { content: 'a' }])
    const own = [1, 2].map((n) => of.tag(`own ${n}`, of.ann.id))
    const hidden = [1, 2, 3].map((n) => of.tag(`hidden ${n}`, of.ben.id))
    for (const tag of hidden) putTags(db, c!, [tag])
    for (const tag of own) putTags(db, b!, [tag])
    assert.deepEqual(await of.proposed(), [['identical', b, [a, c]]])
  })

  it('of more than 51 are several items with one file kept', async () => {
    const ids = of.add(Array.from({ length: 103 }, () => ({ content: 'a' })))
    const { items, total } = await of.list('?limit=2')
    assert.equal(total, 3)
    const rest = (await of.list('?limit=2&offset=2')).items
    const all = [...items, ...rest]
    assert.deepEqual(new Set(all.map((item) => item.keep)), new Set([ids[0]]))
    assert.deepEqual(
      all.map((item) => item.discard),
      [ids.slice(1, 51), ids.slice(51, 101), ids.slice(101)],
    )
  })

  it('are of one creator each, of files that the caller may edit and that are in no trash', async () => {
    const [a, b, x, y] = of.add([
      { content: 'a' },
      { content: 'a' },
      { content: 'a', owner: of.ben.id },
      { content: 'a', owner: of.ben.id },
      { content: 'a', trashed: true },
    ])
    const ofAnn = ['identical', a, [b]]
    const ofBen = ['identical', x, [y]]
    assert.deepEqual(await of.proposed(), [ofAnn])
    assert.deepEqual(await of.proposed('', of.ben), [ofBen])
    const { db } = of.library.deps
    for (const id of [x, y]) allow(db, of.ann.id, 'file', id!, 'edit')
    assert.deepEqual(await of.proposed(), [ofAnn, ofBen])
    assert.deepEqual(await of.proposed('', of.root), [ofAnn, ofBen])
    db.run('UPDATE acl SET can_edit = 0')
    assert.deepEqual(await of.proposed(), [ofAnn])
  })

  it('never merge what contradicts itself, or was dismissed', async () => {
    for (const [one, other] of [
      [{ notes: 'x' }, { notes: 'y' }],
      [{ metadata: { a: 1, b: 1 } }, { metadata: { b: 2 } }],
      [{ date: { time: 1000 } }, { date: { time: 2000 } }],
      [{ date: { time: 1000, offset: 60 } }, { date: { time: 1000, offset: 0 } }],
      [{ date: { time: 1000, source: 'exif' } }, { date: { time: 2000 } }],
      [{ date: { time: 2000 } }, { date: { time: 1000, source: 'video' } }],
    ] as [MadeFile, MadeFile][]) {
      of.add([
        { content: 'a', ...one },
        { content: 'a', ...other },
      ])
      assert.deepEqual(await of.list(), { items: [], total: 0 }, JSON.stringify([one, other]))
      of.library.deps.db.run('DELETE FROM files')
    }
    const [a, b] = of.add([{ content: 'a' }, { content: 'a' }])
    assert.equal((await of.list()).total, 1)
    await of.dismiss(b!, a!)
    assert.equal((await of.list()).total, 0)
  })

  it('merge a date that a person gave with a stand-in, and with the same one as it was read', async () => {
    for (const date of [
      { time: 1000, source: 'exif' },
      { time: 2000, source: 'mtime' },
      { time: 2000, source: 'name' },
      { time: 2000, source: null },
    ]) {
      const [a, b] = of.add([
        { content: 'a', date },
        { content: 'a', date: { time: 1000, offset: 60 } },
      ])
      assert.deepEqual(await of.proposed(), [['identical', a, [b]]], JSON.stringify(date))
      of.library.deps.db.run('DELETE FROM files')
    }
  })

  it('leave apart what can be merged with one of two that contradict each other', async () => {
    const [a, x, y, b, z] = of.add([
      { content: 'a' },
      { content: 'a', notes: 'x' },
      { content: 'a', notes: 'y' },
      { content: 'a' },
      { content: 'a', notes: 'y' },
    ])
    assert.deepEqual(await of.proposed(), [
      ['identical', a, [x, b]],
      ['identical', y, [z]],
    ])
  })

  it('are none for more than 50 files of which people said something', async () => {
    const told = Array.from({ length: 50 }, (_, n) => ({ content: 'a', metadata: { n: n % 49 } }))
    const ids = of.add([...told, { content: 'a' }])
    assert.deepEqual(await of.proposed(), [['identical', ids[0], [ids[49], ids[50]]]])
    of.add([{ content: 'a', notes: 'one more' }])
    assert.deepEqual(await of.proposed(), [])
  })

  it('are none for more than 1,000 files', async () => {
    const { db } = of.library.deps
    const ids = of.add(Array.from({ length: 1001 }, () => ({ content: 'a' })))
    assert.equal((await of.list()).total, 0)
    await of.library.call('DELETE', `/files/${ids[500]}`, of.ann)
    assert.equal((await of.list()).total, 20)
    // Files of others, which can't be merged with these, do not count.
    of.add([{ content: 'a', owner: of.ben.id }])
    assert.equal((await of.list('', of.root)).total, 20)
    db.run('UPDATE files SET is_deleted = 0')
    assert.equal((await of.list('', of.root)).total, 0)
  })

  it('of one group are read once for a page', { skip: lacksCounters }, async () => {
    const { db } = of.library.deps
    of.add(Array.from({ length: 1000 }, () => ({ content: 'a' })))
    const viewer = { ...of.ann, name: 'ann', is_admin: false, can_create: false }
    const proposals = await findProposals(of.library.deps, viewer)
    const shown = (limit: number) =>
      pagesRead(db, () => presentProposals(db, viewer, async () => proposals, { offset: 0, limit }))
    const [one, all] = [await shown(1), await shown(100)]
    assert.equal(JSON.parse(all.result).items.length, 20)
    assert.ok(all.pages < one.pages * 6, `${all.pages} instead of ${one.pages} pages`)
  })

  it('let others have a turn after each content of which people said something', async () => {
    const { db } = of.library.deps
    of.add(Array.from({ length: 80 }, (_, n) => ({ content: `c ${n % 40}.`, metadata: { n } })))
    const ann = { ...of.ann, name: 'ann', is_admin: false, can_create: false }
    const files = filesEditable(db, ann)
    let turns = 0
    const found = await identicalFiles(db, { files, dismissed: new Map() }, async () => {
      turns++
    })
    assert.deepEqual(found, [])
    assert.ok(turns >= 40, String(turns))
  })

  it('read what was said of a file once, however many contradict it', () => {
    const asked: number[] = []
    const said = (file: number) => {
      asked.push(file)
      return { ...NO_STATEMENTS, metadata: JSON.stringify({ file }) }
    }
    const files = Array.from({ length: 30 }, (_, n) => n)
    assert.deepEqual(
      agreeing(files, said, new Map()),
      files.map((file) => [file]),
    )
    assert.deepEqual(asked, files)
  })
})
