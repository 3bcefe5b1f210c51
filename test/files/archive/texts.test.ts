import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createTexts } from '../../../src/files/archive/texts.ts'
import { describe, it } from '../../support/test.ts'

/** One character less than is packed together, and hard to pack. */
const LONG = randomBytes(2 ** 18)
  .toString('base64')
  .slice(0, 2 ** 18 - 1)

/** Adds pairs of texts, each of which is packed, until they are refused, and returns how many were not. */
function mostPairs(): number {
  const texts = createTexts()
  for (let count = 0; ; count++) {
    texts.add(LONG)
    try {
      texts.add('x')
    } catch (error) {
      assert.match(String(error), /too large for an archive/)
      return count
    }
  }
}

describe('the texts of an archive', () => {
  it('are refused when they are added, and read whatever was added', async () => {
    const most = mostPairs()
    const texts = createTexts()
    const blobs: string[] = []
    for (let count = 0; count < most; count++) {
      blobs.push(texts.add(LONG).blob)
      texts.add('x')
    }
    // There is no room for this one once it is packed.
    blobs.push(texts.add(LONG).blob, texts.add('').blob)
    const read = async (blob: string) => {
      let text = ''
      for await (const piece of texts.read(blob)!) text += Buffer.from(piece)
      return text
    }
    const last = blobs.slice(-3)
    assert.deepEqual([await read(last[0]!), await read(last[1]!)], [LONG, LONG])
    assert.equal(await read(last[2]!), '')
    assert.equal(await read(blobs[0]!), LONG)
    assert.equal(texts.read('a'.repeat(64)), null)
  })
})
