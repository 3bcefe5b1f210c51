import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { findProposals } from '../../../src/duplicates/proposals/find.ts'
import { presentProposals } from '../../../src/duplicates/proposals/present.ts'
import { openProposals, type Proposals } from '../../support/duplicates/proposals.ts'
import { assertError } from '../../support/files.ts'
import { putTags } from '../../support/object-rows.ts'

let of: Proposals
before(async () => {
  of = await openProposals()
})
after(() => of.close())
beforeEach(() => of.clear())

const patch = async (id: string, body: object) => {
  assert.equal((await of.library.call('PATCH', `/files/${id}`, { ...of.ann, body })).status, 200)
}

describe('what a kept file gains', () => {
  it('is the date of which more is known, if it lies within its own', async () => {
    const day = { time: Date.UTC(1987, 5, 5, 12), precision: 'day' } as const
    const moment = { time: Date.UTC(1987, 5, 5, 14, 1, 2), source: 'exif' }
    of.add([
      { content: 'a', date: { time: Date.UTC(1987, 6, 2, 12), source: 'exif', precision: 'year' } },
      { content: 'a', date: day },
      { content: 'a', date: moment },
      { content: 'b', date: moment },
      { content: 'b', date: day },
    ])
    const { items } = await of.list()
    assert.deepEqual(
      items.map(({ gains }: { gains: { date: unknown } }) => gains.date),
      [
        {
          content_datetime: '1987-06-05T14:01:02.000Z',
          content_offset: null,
          date_source: 'exif',
          date_precision: null,
        },
        null,
      ],
    )
  })

  it('is the tags and pools that the caller sees, the notes and the better date', async () => {
    const { db } = of.library.deps
    const [a, b, c] = of.add([
      { content: 'a', date: { time: 5000, source: 'mtime' } },
      { content: 'a', date: { time: 2000, offset: 60, source: 'exif' } },
      { content: 'a', notes: 'seen', date: { time: 2000, source: 'given' } },
    ])
    const [beach, anna, hidden] = [
      of.tag('beach', of.ann.id),
      of.tag('Anna', of.ann.id),
      of.tag('hid', of.ben.id),
    ]
    for (const on of [a, b]) putTags(db, on!, [beach])
    putTags(db, a!, [anna])
    const more = of.tag('more', of.ann.id)
    for (const t of [more, hidden]) putTags(db, c!, [t])
    const spring = of.pool('Spring', [b!, c!], of.ann.id)
    of.pool('both', [a!, b!], of.ann.id)
    of.pool('hidden', [b!], of.ben.id)
    // Its files are still being taken out of it.
    of.pool('deleted', [b!], of.ann.id)
    db.run("UPDATE pools SET is_deleted = 1 WHERE name = 'deleted'")
    assert.deepEqual(await of.list(), {
      items: [
        {
          why: 'identical',
          keep: a,
          discard: [b, c],
          gains: {
            tags: [{ id: more, name: 'more' }],
            pools: [{ id: spring, name: 'Spring' }],
            notes: 'seen',
            date: {
              content_datetime: '1970-01-01T00:00:02.000Z',
              content_offset: null,
              date_source: 'given',
              date_precision: null,
            },
          },
        },
      ],
      total: 1,
    })
  })
})

describe('the list', () => {
  it('has whole pages, whatever became of files since they were found', async () => {
    const { deps } = of.library
    const ids = of.add(Array.from({ length: 6 }, (_, n) => ({ content: `c ${n % 3}.` })))
    const viewer = { ...of.ann, name: 'ann', is_admin: false, can_create: false }
    const found = [await findProposals(deps, viewer)]
    await of.library.call('DELETE', `/files/${ids[0]}`, of.ann)
    const find = async () => found.pop() ?? findProposals(deps, viewer)
    const page = JSON.parse(await presentProposals(deps.db, viewer, find, { offset: 0, limit: 1 }))
    assert.deepEqual([page.items[0].keep, page.items.length, page.total], [ids[1], 1, 2])
  })

  it('follows each change at once', async () => {
    const [a, b, c] = of.add([{ content: 'a' }, { content: 'a' }, { content: 'c' }])
    assert.deepEqual(await of.proposed(), [['identical', a, [b]]])
    await patch(a!, { notes: 'x' })
    assert.deepEqual(await of.proposed(), [['identical', a, [b]]])
    await patch(b!, { notes: 'y' })
    assert.deepEqual(await of.proposed(), [])
    await patch(b!, { notes: null, metadata: { k: 1 } })
    await patch(a!, { metadata: { k: 2 } })
    assert.deepEqual(await of.proposed(), [])
    await patch(a!, { metadata: null, content_datetime: '2020-01-01T00:00:00Z' })
    assert.deepEqual(await of.proposed(), [['identical', a, [b]]])
    await patch(b!, { content_datetime: '2020-01-02T00:00:00Z' })
    assert.deepEqual(await of.proposed(), [])
    await patch(b!, { content_datetime: '2020-01-01T00:00:00Z' })
    assert.deepEqual(await of.proposed(), [['identical', a, [b]]])
    await patch(b!, { content_datetime: '2020-01-02T00:00:00Z' })
    assert.deepEqual(await of.proposed(), [])
    of.library.deps.db.run("UPDATE files SET date_source = 'exif'")
    assert.deepEqual(await of.proposed(), [['identical', a, [b]]])
    await of.library.call('DELETE', `/files/${b}`, of.ann)
    assert.deepEqual(await of.proposed(), [])
    await of.library.call('POST', `/files/${b}/restore`, of.ann)
    assert.deepEqual(await of.proposed(), [['identical', a, [b]]])
    const sum = Buffer.alloc(32, 'c')
    of.library.deps.db.run(
      'UPDATE file_details SET sha256 = ? WHERE file_rid = (SELECT max(rid) FROM files)',
      Buffer.alloc(32, 'a'),
    )
    assert.deepEqual(await of.proposed(), [['identical', a, [b, c]]])
    of.library.deps.db.run(
      'UPDATE file_details SET sha256 = ? WHERE file_rid = (SELECT min(rid) FROM files)',
      sum,
    )
    assert.deepEqual(await of.proposed(), [['identical', b, [c]]])
  })

  it('refuses wrong queries', async () => {
    for (const [field, value] of [
      ['limit', 0],
      ['limit', 101],
      ['offset', -1],
    ]) {
      const path = `/files/duplicates/proposals?${field}=${value}`
      assertError(await of.library.call('GET', path, of.ann), 400, 'validation_error', [
        String(field),
      ])
    }
  })
})
