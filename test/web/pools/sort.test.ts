import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byOrder } from '../../../src/gallery/pools/cards.ts'

describe('the list of pools', () => {
  it('is in the order that was chosen, of equal ones the newest first', () => {
    const pools = [
      { name: 'Weg 10', file_count: 3 },
      { name: 'äpfel', file_count: 0 },
      { name: 'Weg 9', file_count: 3 },
      { name: 'Berg', file_count: 40 },
    ]
    const names = (order: Parameters<typeof byOrder>[1]) =>
      byOrder(pools, order).map(({ name }) => name)
    assert.deepEqual(names('created'), ['Weg 10', 'äpfel', 'Weg 9', 'Berg'])
    assert.deepEqual(names('name'), ['äpfel', 'Berg', 'Weg 9', 'Weg 10'])
    assert.deepEqual(names('size'), ['Berg', 'Weg 10', 'Weg 9', 'äpfel'])
  })
})
