import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { rescanAll } from '../../support/duplicates/clusters.ts'
import { type Library, openLibrary } from '../../support/harness.ts'

let library: Library
let ann: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('ann', { can_create: true })
})
after(() => library.close())

async function upload(bytes: Buffer, name: string): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([bytes]), name)
  const { status, body: file } = await library.call('POST', '/files', { ...ann, body })
  assert.equal(status, 201)
  return file.id
}

/** Blotches that no other seed has. */
const blotches = (seed: number) => {
  const data = Buffer.from(
    Array.from(
      { length: 12 * 9 * 3 },
      (_, n) => (Math.imul(n + seed * 977, 2_654_435_761) >>> 8) & 255,
    ),
  )
  return sharp(data, { raw: { width: 12, height: 9, channels: 3 } }).resize(800, 600, {
    fit: 'fill',
  })
}

describe('real pictures', () => {
  it('are proposed at two sizes when they stand still, of whatever type', async () => {
    const still: [string, string][] = []
    for (const [seed, format] of (['jpeg', 'png', 'webp', 'gif'] as const).entries()) {
      const picture = await blotches(seed).png().toBuffer()
      const large = await sharp(picture).toFormat(format).toBuffer()
      const small = await sharp(picture).resize(400, 300).toFormat(format).toBuffer()
      still.push([await upload(large, `large.${format}`), await upload(small, `small.${format}`)])
    }
    const frames = await Promise.all(
      [7, 8].map((seed) => blotches(seed).raw().toBuffer({ resolveWithObject: true })),
    )
    const raw = { width: 800, height: 1200, channels: 3 as const, pageHeight: 600 }
    const animation = sharp(Buffer.concat(frames.map(({ data }) => data)), { raw })
    await upload(await animation.webp().toBuffer(), 'animation.webp')
    await upload(await blotches(7).resize(400, 300).jpeg().toBuffer(), 'first frame.jpg')
    await rescanAll(library)
    const { body } = await library.call('GET', '/files/duplicates', ann)
    assert.equal(body.total, still.length + 1, 'the animation looks like its first frame')
    const { body: proposals } = await library.call('GET', '/files/duplicates/proposals', ann)
    assert.deepEqual(
      proposals.items.map(({ why, keep, discard }: Record<string, unknown>) => [
        why,
        keep,
        discard,
      ]),
      still.map(([large, small]) => ['smaller', large, [small]]),
    )
  })
})
