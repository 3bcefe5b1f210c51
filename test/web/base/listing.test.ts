import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Listing, readListing, writeListing } from '../../../src/gallery/base/listing.ts'
import { fc } from '../../support/property.ts'

const read = (query: string) => readListing(new URLSearchParams(query))

describe('a listing in the address', () => {
  it('is of all files, the newest first, unless it says otherwise', () => {
    assert.deepEqual(read(''), { sort: 'content_datetime', order: 'desc' })
    assert.deepEqual(readListing(new URLSearchParams(), 'asc'), {
      sort: 'content_datetime',
      order: 'asc',
    })
    assert.deepEqual(read('filter={t=1}&search=lake&sort=created&order=asc&trash=true&at=5'), {
      filter: '{t=1}',
      search: 'lake',
      sort: 'created',
      order: 'asc',
      trash: true,
    })
  })

  it('takes nothing that it does not know', () => {
    assert.deepEqual(read('sort=size&order=up&trash=1&filter='), read(''))
    for (const from of [
      'x',
      '2018',
      '2018-13-01T00:00:00Z',
      '2018-07-14',
      '2018-07-14T24:00:00Z',
    ]) {
      assert.deepEqual(read(`from=${from}&to=${from}`), read(''), from)
    }
    assert.equal(read('to=2018-07-14T10:00:00.5%2B02:00').to, '2018-07-14T10:00:00.5+02:00')
  })

  it('says no more than it has to', () => {
    assert.equal(String(writeListing(read(''))), '')
    assert.equal(String(writeListing(read('order=desc'), 'asc')), 'order=desc')
  })

  it('is read as it was written', () => {
    const text = fc.string({ minLength: 1 }).filter((value) => value.isWellFormed())
    const max = new Date('9999-12-31T23:59:59Z')
    const time = fc
      .date({ min: new Date(0), max, noInvalidDate: true })
      .map((at) => at.toISOString())
    const listings: fc.Arbitrary<Listing> = fc.record(
      {
        filter: text,
        search: text,
        from: time,
        to: time,
        pool: text,
        trash: fc.constant(true),
        sort: fc.constantFrom('content_datetime', 'created', 'original_name', 'mime'),
        order: fc.constantFrom('asc', 'desc'),
      },
      { requiredKeys: ['sort', 'order'] },
    )
    fc.assert(
      fc.property(listings, fc.constantFrom('asc', 'desc'), (listing, order) => {
        const written = new URLSearchParams(String(writeListing(listing, order)))
        assert.deepEqual(readListing(written, order), { ...listing })
      }),
    )
  })
})
