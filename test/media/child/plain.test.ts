import assert from 'node:assert/strict'
import sharp from 'sharp'
import { lookedAt } from '../../support/duplicates/looked.ts'
import { chat, letter } from '../../support/duplicates/pages.ts'
import { plainPictures } from '../../support/duplicates/plain-pictures.ts'
import { corpus, withoutCorpus } from '../../support/media/media.ts'
import { photograph } from '../../support/media/samples.ts'
import { describe, it } from '../../support/test.ts'

/** A photograph of which the upper two thirds are a sky. */
async function underSky(): Promise<Buffer> {
  const sky = Buffer.from([96, 140, 200, 190, 215, 240])
  const raw = { width: 1, height: 2, channels: 3 } as const
  const land = await sharp(await photograph(1, 640, 480))
    .resize(900, 200, { fit: 'fill' })
    .toBuffer()
  return sharp(sky, { raw })
    .resize(900, 600, { fit: 'fill', kernel: 'linear' })
    .composite([{ input: land, left: 0, top: 400 }])
    .jpeg()
    .toBuffer()
}

describe('what is too plain to tell', () => {
  it('is a frame of one colour, the dark, a sky, a sea, snow, fog and a flag, but no noise', async () => {
    const pictures = await plainPictures()
    assert.equal(pictures.size, 18)
    const telling: string[] = []
    for (const [name, picture] of pictures) {
      if (!(await lookedAt(picture)).finer.isPlain) telling.push(name)
    }
    assert.deepEqual(telling, ['white noise'])
  })

  it('is no page, and no photograph with a wide sky', async () => {
    const more = ['photos/HMD_Nokia.jpg', 'odd-exif/30-type_error.jpg']
    const photographs = withoutCorpus ? [] : more.map((path) => corpus(path))
    const pictures = [await letter(1), await chat(1), await underSky(), ...photographs]
    for (const picture of pictures) assert.equal((await lookedAt(picture)).finer.isPlain, false)
  })
})
