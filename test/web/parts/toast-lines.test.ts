import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inRoom, type Line } from '../../../src/gallery/parts/toast-lines.ts'

const lines = (kinds: string) =>
  [...kinds].map((letter, place) => {
    const kind: Line['kind'] = letter === 'b' ? 'bad' : 'done'
    return { name: `${letter}${place}`, kind }
  })
const left = (kinds: string) => inRoom(lines(kinds)).map(({ name }) => name)

describe('the lines at the edge of the window', () => {
  it('are the four newest', () => {
    assert.deepEqual(left('ddd'), ['d0', 'd1', 'd2'])
    assert.deepEqual(left('ddddd'), ['d1', 'd2', 'd3', 'd4'])
  })

  it('keep what went wrong, however much goes well after it', () => {
    assert.deepEqual(left('bdddd'), ['b0', 'd2', 'd3', 'd4'])
    assert.deepEqual(left('bbbbd'), ['b0', 'b1', 'b2', 'b3', 'd4'])
    assert.deepEqual(left('bbbbdd'), ['b0', 'b1', 'b2', 'b3', 'd5'])
  })

  it('let four more that went wrong take its place', () => {
    assert.deepEqual(left('bbdbbb'), ['b1', 'b3', 'b4', 'b5', 'd2'])
  })
})
