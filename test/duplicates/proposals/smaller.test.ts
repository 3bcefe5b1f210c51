import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { smallerPictures } from '../../../src/duplicates/proposals/smaller.ts'
import { filesEditable } from '../../../src/files/find/members.ts'
import type { MadeFile } from '../../support/duplicates/pictures.ts'
import { openProposals, type Proposals } from '../../support/duplicates/proposals.ts'

let of: Proposals
before(async () => {
  of = await openProposals()
})
after(() => of.close())
beforeEach(() => of.clear())

const LARGE: MadeFile = { shows: 1, size: [4000, 3000] }
const SMALL: MadeFile = { shows: 1, size: [1000, 750] }

describe('proposals for smaller pictures', () => {
  it('keep the one with most pixels, after those of equal contents', async () => {
    const [small, large, x, y] = of.add([
      { ...SMALL, away: { first: 4, finer: 20 } },
      LARGE,
      { content: 'x' },
      { content: 'x' },
    ])
    await of.rescan()
    assert.deepEqual(await of.proposed(), [
      ['identical', x, [y]],
      ['smaller', large, [small]],
    ])
  })

  it('are none beyond any of the bounds', async () => {
    for (const [name, large, small] of [
      ['first hash', LARGE, { ...SMALL, away: { first: 5 } }],
      ['finer hash', LARGE, { ...SMALL, away: { finer: 21 } }],
      ['pixels', { ...LARGE, size: [1000, 1000] }, { ...SMALL, size: [950, 949] }],
      ['ratio', { ...LARGE, size: [4000, 3000] }, { ...SMALL, size: [1000, 742] }],
      ['plain', { ...LARGE, isPlain: true }, { ...SMALL, isPlain: true }],
      ['a film at two sizes', { ...LARGE, type: 'video/mp4' }, { ...SMALL, type: 'video/mp4' }],
      ["a Live Photo's film", LARGE, { ...SMALL, type: 'video/quicktime', duration: 2 }],
      ['unknown size', LARGE, { shows: 1 }],
      [
        'EXIF dates',
        { ...LARGE, exif: '2020:01:01 00:00:00' },
        { ...SMALL, exif: '2020:01:01 00:00:01' },
      ],
      [
        'an EXIF date of another day',
        { ...LARGE, exif: '2020:01:01' },
        { ...SMALL, exif: '2020:01:02 00:00:00' },
      ],
      [
        'a given date of another month',
        { ...LARGE, date: { time: Date.UTC(1987, 5, 15, 12), precision: 'month' } },
        { ...SMALL, date: { time: Date.UTC(1987, 6, 1), source: 'exif' } },
      ],
      ['notes', { ...LARGE, notes: 'x' }, { ...SMALL, notes: 'y' }],
      ['metadata', { ...LARGE, metadata: { k: 1 } }, { ...SMALL, metadata: { k: 2 } }],
      ['given dates', { ...LARGE, date: { time: 1 } }, { ...SMALL, date: { time: 2 } }],
      [
        'a date that was corrected',
        { ...LARGE, date: { time: 1, source: 'exif' } },
        { ...SMALL, date: { time: 2 } },
      ],
      ['creators', LARGE, { ...SMALL, owner: of.ben.id }],
      ['trash', LARGE, { ...SMALL, trashed: true }],
    ] as [string, MadeFile, MadeFile][]) {
      of.library.deps.db.run('DELETE FROM files')
      of.add([large, small])
      await of.rescan()
      assert.deepEqual(await of.proposed('', of.root), [], name)
    }
  })

  it('are there at each of the bounds', async () => {
    for (const [name, large, small] of [
      ['pixels', { ...LARGE, size: [1000, 1000] }, { ...SMALL, size: [948, 949] }],
      ['ratio', { ...LARGE, size: [1000, 1000] }, { ...SMALL, size: [101, 100] }],
      ['one EXIF date', { ...LARGE, exif: '2020:01:01 00:00:00' }, SMALL],
      ['equal EXIF dates', { ...LARGE, exif: 'x' }, { ...SMALL, exif: 'x' }],
      ...['2020:01:01', '2020:01:01   :  :  ', '2020:01:00 00:00:00', '2020:00:00 00:00:00'].map(
        (exif) => [exif, { ...LARGE, exif }, { ...SMALL, exif: '2020:01:01 00:00:01' }],
      ),
      [
        'a moment within a given day, by its own clock',
        { ...LARGE, date: { time: Date.UTC(1987, 5, 5, 12), precision: 'day' } },
        { ...SMALL, date: { time: Date.UTC(1987, 5, 4, 22), offset: 120, source: 'exif' } },
      ],
      [
        'a year and a month within it, both given',
        { ...LARGE, date: { time: Date.UTC(1987, 6, 2, 12), precision: 'year' } },
        { ...SMALL, date: { time: Date.UTC(1987, 5, 15, 12), offset: 60, precision: 'month' } },
      ],
      ['one given date', LARGE, { ...SMALL, date: { time: 2 } }],
      ['one note', LARGE, { ...SMALL, notes: 'x' }],
      ['keys of one', { ...LARGE, metadata: { a: 1, b: [1] } }, { ...SMALL, metadata: { b: [1] } }],
    ] as [string, MadeFile, MadeFile][]) {
      of.library.deps.db.run('DELETE FROM files')
      const [a, b] = of.add([large, small])
      await of.rescan()
      assert.deepEqual(await of.proposed(), [['smaller', a, [b]]], name)
    }
  })

  it('are none without a dismissed pair, and none of equal contents', async () => {
    const [large, small, copy] = of.add([
      LARGE,
      { ...SMALL, content: 's' },
      { ...SMALL, content: 's' },
    ])
    await of.rescan()
    assert.deepEqual(await of.proposed(), [['identical', small, [copy]]])
    await of.library.call('DELETE', `/files/${copy}`, of.ann)
    assert.deepEqual(await of.proposed(), [['smaller', large, [small]]])
    await of.dismiss(large!, small!)
    assert.deepEqual(await of.proposed(), [])
  })

  it('let others have a turn after each two groups of which all are compared', async () => {
    const { db } = of.library.deps
    // Of first hashes 0 to 8 bits from one, 26 pairs are at most 4 apart.
    of.add(Array.from({ length: 9 }, (_, first) => ({ ...LARGE, away: { first } })))
    await of.rescan()
    const viewer = { ...of.ann, name: 'ann', is_admin: false, can_create: false }
    const files = filesEditable(db, viewer)
    let turns = 0
    const none = new Uint32Array(files.length)
    const wanted = { files, dismissed: new Map(), others: none }
    const found = await smallerPictures(of.library.deps, wanted, async () => {
      turns++
    })
    assert.deepEqual(found, [])
    assert.ok(turns >= 26 + 9, String(turns))
  })

  it('have each picture once, beside the largest that is no smaller version itself', async () => {
    const [mid, large, small, far] = of.add([
      { ...LARGE, size: [2000, 1500], away: { first: 4 } },
      LARGE,
      SMALL,
      // Near the middle one alone.
      { ...SMALL, size: [400, 300], away: { first: 8 } },
    ])
    await of.rescan()
    assert.ok(far)
    assert.deepEqual(await of.proposed(), [['smaller', large, [mid, small]]])
  })
})
