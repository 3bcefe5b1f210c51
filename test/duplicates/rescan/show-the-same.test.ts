import assert from 'node:assert/strict'
import sharp from 'sharp'
import { FAR, NEAR } from '../../../src/duplicates/rescan/finer-hashes.ts'
import { showTheSame } from '../../../src/duplicates/rescan/show-the-same.ts'
import { draw } from '../../support/duplicates/drawing.ts'
import { type Looked, lookedAt } from '../../support/duplicates/looked.ts'
import { chat, letter } from '../../support/duplicates/pages.ts'
import { variant } from '../../support/duplicates/variants.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { bitsBetween, corpus, withoutCorpus } from '../../support/media/media.ts'
import { before, describe, it } from '../../support/test.ts'

const COPIES = [
  'JPEG of quality 50',
  'half the size',
  '3 % wider',
  'darkened',
  'gamma of 1.6',
  'blurred',
  'sharpened',
  'CMYK',
  'white frame of 2 %',
  'black frame of 4 %',
  'turned',
  'crop 1',
  'crop 2',
  'crop 5',
  'crop 6',
]

/** A picture of 40 discs, the same for the same seed. */
async function painting(seed: number): Promise<Buffer> {
  const random = randomNumbers(seed)
  const discs = Array.from({ length: 40 }, () => {
    const place = `cx="${random(640)}" cy="${random(480)}" r="${20 + random(80)}"`
    return `<circle ${place} fill="hsl(${random(360)}, 60%, ${20 + random(60)}%)"/>`
  })
  return (await draw(640, 480, discs.join(''))).jpeg().toBuffer()
}

async function assertCopies(picture: Buffer): Promise<void> {
  const original = await lookedAt(picture)
  for (const kind of COPIES) {
    const copy = await lookedAt(await variant(picture, kind, 1))
    assert.equal(showTheSame(original.grey, copy.grey), true, kind)
    assert.equal(showTheSame(copy.grey, original.grey), true, `${kind}, the other way round`)
    assert.ok(bitsBetween(original.finer.hash, copy.finer.hash) <= FAR, kind)
  }
}

function assertDifferent(looked: Looked[]): void {
  for (const [index, a] of looked.entries()) {
    for (const [other, b] of looked.entries()) {
      if (index !== other) assert.equal(showTheSame(a.grey, b.grey), false, `${index} and ${other}`)
    }
  }
}

const pages = (page: (seed: number) => Promise<Buffer>) =>
  Promise.all([1, 2, 3, 4].map(async (seed) => lookedAt(await page(seed))))

describe('the second look', () => {
  let discs: Buffer
  let others: Looked[]
  before(async () => {
    discs = await painting(1)
    others = await Promise.all([2, 3, 4].map(async (seed) => lookedAt(await painting(seed))))
  })

  it('finds a picture in what was made of it', () => assertCopies(discs))

  it('finds a letter in its recompressed copies', async () => {
    const page = await letter(1)
    const { grey } = await lookedAt(page)
    for (const kind of ['JPEG of quality 50', 'half the size', 'grey', 'less contrast']) {
      const copy = await lookedAt(await variant(page, kind, 1))
      assert.equal(showTheSame(grey, copy.grey), true, kind)
    }
  })

  it('tells letters of one layout apart, and chats, which the hash leaves to it', async () => {
    for (const page of [letter, chat]) {
      const looked = await pages(page)
      assertDifferent(looked)
      const [first, ...rest] = looked
      for (const { finer } of rest) {
        const distance = bitsBetween(first!.finer.hash, finer.hash)
        assert.ok(distance > NEAR && distance <= FAR, String(distance))
      }
    }
  })

  it('tells different pictures apart', async () => {
    assertDifferent([await lookedAt(discs), ...others])
  })

  it('tells a picture from its mirror image, its negative and itself turned round', async () => {
    const { grey } = await lookedAt(discs)
    const mirrored = await sharp(discs).flop().toBuffer()
    const turned = await sharp(discs).rotate(180).toBuffer()
    const negative = await sharp(discs).negate().toBuffer()
    for (const picture of [mirrored, turned, negative]) {
      assert.equal(showTheSame(grey, (await lookedAt(picture)).grey), false)
    }
  })

  it('sees what differs in one place alone', async () => {
    const black = { width: 90, height: 60, channels: 3, background: '#000000' } as const
    const label = { input: { create: black }, left: 260, top: 200 }
    const labelled = await sharp(discs).composite([label]).toBuffer()
    const [original, changed] = [await lookedAt(discs), await lookedAt(labelled)]
    assert.equal(showTheSame(original.grey, changed.grey), false)
  })

  it('finds a photograph in what was made of it, and not in another', {
    skip: withoutCorpus,
  }, async () => {
    const paths = [corpus('photos', 'Nikon_D70.jpg'), corpus('gps', 'DSCN0010.jpg')]
    const photographs = await Promise.all(
      paths.map((path) => sharp(path).autoOrient().resize(800).png().toBuffer()),
    )
    for (const photograph of photographs) await assertCopies(photograph)
    assertDifferent(await Promise.all(photographs.map((photograph) => lookedAt(photograph))))
  })
})
