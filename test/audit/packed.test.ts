import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MOST_PACKED, pack, packAll, shownDetails, unpack } from '../../src/audit/packed.ts'
import { fc } from '../support/property.ts'

describe('a packed list', () => {
  it('is as its format says', () => {
    // The differences 1, 0, -1, 64, 300 are 2, 0, 1, 128, 600 as zigzag.
    const bytes = [2, 0, 1, 0x80, 0x01, 0xd8, 0x04]
    const packed = Buffer.from(bytes).toString('base64')
    assert.deepEqual(pack([1, 1, 0, 64, 364]), { count: 5, packed })
    assert.deepEqual(pack([]), { count: 0, packed: '' })
  })

  it('gives back what went into it, in its order', () => {
    const number = fc.oneof(
      fc.nat(300),
      fc.nat(2 ** 31 - 1),
      fc.maxSafeNat().map((n) => n >> 1),
    )
    fc.assert(
      fc.property(fc.array(number), (numbers) => assert.deepEqual(unpack(pack(numbers)), numbers)),
    )
    const large = [2 ** 51, 0, 2 ** 51 - 1]
    assert.deepEqual(unpack(pack(large)), large)
  })

  it('has about 20 KB for ten thousand files of a large library', () => {
    const everyTwentieth = Array.from({ length: 10_000 }, (_, index) => 1 + index * 20)
    const everyHundredth = Array.from({ length: 10_000 }, (_, index) => 1 + index * 100)
    assert.ok(pack(everyTwentieth).packed.length < 14_000)
    assert.ok(pack(everyHundredth).packed.length < 27_000)
  })
})

describe('the lists of an entry', () => {
  const ascending = (length: number, step: number) =>
    Array.from({ length }, (_, index) => index * step)

  it('are marked as incomplete when together they have more than 64 KiB', () => {
    const half = ascending(MOST_PACKED / 2, 1)
    const both = packAll({ first: half, second: half })
    assert.ok(!('incomplete' in both))
    assert.equal(both.first.packed.length + both.second.packed.length, 65_536)
    assert.deepEqual(packAll({ first: half, second: [...half, 1] }), { incomplete: true })
    assert.deepEqual(packAll({ wide: ascending(MOST_PACKED - 1, 100) }), { incomplete: true })
  })

  it('are shown by their counts, and what is internal is not', () => {
    const details = {
      name: 'Sun',
      files: pack([5, 7]),
      list: [1],
      none: null,
      internal: { rid: 1 },
    }
    assert.deepEqual(shownDetails(details), { name: 'Sun', files: 2, list: [1], none: null })
  })
})
