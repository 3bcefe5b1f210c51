import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { finerHash } from '../../../src/media/child/finer-hash.ts'

/** The definition, without a thought for speed: the frequencies 1 to 16 of both directions. */
function slowHash(luminance: Uint8Array): string {
  const wave = (place: number, frequency: number) =>
    Math.cos(((2 * place + 1) * frequency * Math.PI) / 128)
  const frequencies: number[] = []
  for (let v = 1; v <= 16; v++) {
    for (let u = 1; u <= 16; u++) {
      let sum = 0
      for (let y = 0; y < 64; y++) {
        for (let x = 0; x < 64; x++) sum += luminance[y * 64 + x]! * wave(x, u) * wave(y, v)
      }
      frequencies.push(sum)
    }
  }
  const sorted = [...frequencies].sort((a, b) => a - b)
  const median = (sorted[127]! + sorted[128]!) / 2
  const bits = frequencies.map((frequency) => (frequency > median ? '1' : '0')).join('')
  return BigInt(`0b${bits}`).toString(16).padStart(64, '0')
}

function noise(seed: number): Uint8Array {
  const parts = Array.from({ length: 128 }, (_, i) =>
    createHash('sha256').update(`${seed} ${i}`).digest(),
  )
  return Buffer.concat(parts)
}

describe('finer hash', () => {
  it('is what the definition says', () => {
    for (let seed = 0; seed < 5; seed++) {
      assert.deepEqual(finerHash(noise(seed)), { hash: slowHash(noise(seed)), isPlain: false })
    }
  })

  it('has half of its bits set', () => {
    for (let seed = 0; seed < 20; seed++) {
      const bits = BigInt(`0x${finerHash(noise(seed)).hash}`).toString(2)
      assert.equal(bits.replaceAll('0', '').length, 128)
    }
  })

  it('is the same for all even pictures, and plain', () => {
    const plain = { hash: '0'.repeat(64), isPlain: true }
    for (const value of [0, 7, 128, 255]) {
      assert.deepEqual(finerHash(new Uint8Array(4096).fill(value)), plain)
    }
  })
})
