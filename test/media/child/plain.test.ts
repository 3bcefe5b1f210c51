import assert from 'node:assert/strict'
import { lookedAt } from '../../support/duplicates/looked.ts'
import { chat, letter } from '../../support/duplicates/pages.ts'
import { plainPictures } from '../../support/duplicates/plain-pictures.ts'
import { corpus, withoutCorpus } from '../../support/media/media.ts'
import { describe, it } from '../../support/test.ts'

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

  it('is no page, and no photograph with a wide sky', { skip: withoutCorpus }, async () => {
    const photographs = ['photos/HMD_Nokia.jpg', 'odd-exif/30-type_error.jpg']
    const pictures = [await letter(1), await chat(1), ...photographs.map((path) => corpus(path))]
    for (const picture of pictures) assert.equal((await lookedAt(picture)).finer.isPlain, false)
  })
})
