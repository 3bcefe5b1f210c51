import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { perceptualHash } from '../../../src/media/child/phash.ts'
import { corpusFiles } from '../../support/media/media.ts'
import { photograph } from '../../support/media/samples.ts'
import { describe, it } from '../../support/test.ts'

/** The definition, without a thought for speed. */
function slowHash(luminance: Uint8Array): string {
  const frequencies: number[] = []
  for (let v = 0; v < 8; v++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let y = 0; y < 32; y++) {
        for (let x = 0; x < 32; x++) {
          const wave = Math.cos(((2 * x + 1) * u * Math.PI) / 64)
          sum += luminance[y * 32 + x]! * wave * Math.cos(((2 * y + 1) * v * Math.PI) / 64)
        }
      }
      frequencies.push(sum)
    }
  }
  const sorted = [...frequencies].sort((a, b) => a - b)
  const median = (sorted[31]! + sorted[32]!) / 2
  const bits = frequencies.map((frequency) => (frequency > median ? '1' : '0')).join('')
  return BigInt.asIntN(64, BigInt(`0b${bits}`)).toString()
}

function noise(seed: number): Uint8Array {
  const parts = Array.from({ length: 32 }, (_, i) =>
    createHash('sha256').update(`${seed} ${i}`).digest(),
  )
  return Buffer.concat(parts)
}

async function hashOf(picture: Sharp): Promise<string> {
  const small = await picture.resize(320, 320, { fit: 'inside' }).png().toBuffer()
  return perceptualHash(
    await sharp(small)
      .resize(32, 32, { fit: 'fill' })
      .greyscale()
      .raw({ depth: 'uchar' })
      .toBuffer(),
  )
}

function distance(a: string, b: string): number {
  const bits = BigInt.asUintN(64, BigInt(a) ^ BigInt(b)).toString(2)
  return bits.replaceAll('0', '').length
}

/** Of camera files, those in whose copies every bit is known to be near. */
const NAMED = /(Reconyx_HC500_Hyperfire|nikon-e950|canon-ixus|kodak-dc210|sony-d700)\.jpg$/

describe('perceptual hash', () => {
  it('is what the definition says', () => {
    for (let seed = 0; seed < 20; seed++) {
      assert.equal(perceptualHash(noise(seed)), slowHash(noise(seed)))
    }
  })

  it('is a signed 64-bit integer, beyond the safe integers of JavaScript and negative too', () => {
    const hashes = Array.from({ length: 20 }, (_, seed) => BigInt(perceptualHash(noise(seed))))
    assert.ok(hashes.some((hash) => hash < 0n))
    for (const hash of hashes) assert.equal(BigInt.asIntN(64, hash), hash)
    assert.ok(hashes.some((hash) => hash > 2n ** 53n || hash < -(2n ** 53n)))
  })

  it('is the same for all even pictures but black', () => {
    assert.equal(perceptualHash(new Uint8Array(1024).fill(7)), (-(2n ** 63n)).toString())
    assert.equal(perceptualHash(new Uint8Array(1024).fill(255)), (-(2n ** 63n)).toString())
    assert.equal(perceptualHash(new Uint8Array(1024)), '0')
  })

  it('stays near for copies and far for other photographs', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map((number) => photograph(number)))
    const hashes: string[] = []
    for (const path of [...made, ...corpusFiles('photos').filter((name) => NAMED.test(name))]) {
      const photo = await sharp(path).resize(800).png().toBuffer()
      const original = await hashOf(sharp(photo))
      const copies = [
        sharp(photo).resize({ width: 400 }).png(),
        sharp(photo).jpeg({ quality: 30 }),
        sharp(photo).webp({ quality: 75 }),
        sharp(photo).modulate({ brightness: 1.2 }).png(),
        sharp(photo).greyscale().png(),
      ]
      for (const copy of copies) {
        const found = distance(original, await hashOf(sharp(await copy.toBuffer())))
        assert.ok(found <= 8, `a copy of ${path} is ${found} away`)
      }
      for (const other of hashes) assert.ok(distance(original, other) > 8)
      hashes.push(original)
    }
  })
})
