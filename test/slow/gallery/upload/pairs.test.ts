import assert from 'node:assert/strict'
import { picture } from '../../../support/harness.ts'
import { jpegWith } from '../../../support/media/embedded.ts'
import { filmBytes } from '../../../support/media/film.ts'
import { withMore } from '../../../support/media/iso-film.ts'
import { appleExif, IDENTIFIER, IDENTIFIER_KEY, keyBox } from '../../../support/media/living.ts'
import { without } from '../../../support/media/media.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { drop } from '../../../web/support/drop.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

const withoutFilms = without('ffmpeg', '-version')

let gallery: OpenGallery
before(async () => {
  if (withoutChromium || withoutFilms) return
  gallery = await openGallery()
})
after(() => gallery?.close())

interface Told {
  id: string
  original_name: string
  companion_of: string | null
}

let shots = 0
/** Drops a picture and a film of one shot under two names, and returns the two files. */
async function send(...names: [picture: string, film: string]): Promise<Told[]> {
  const { page } = gallery
  const identifier = IDENTIFIER.replaceAll('0', String(++shots))
  const note = appleExif({ 17: identifier })
  const image = jpegWith(Buffer.from(await picture()), [[0xe1, 'Exif\0\0', note]])
  const plain = await filmBytes('film.mov', ['-c:v', 'mpeg4'], 'testsrc=s=32x32:d=1:r=5')
  const film = withMore(plain, keyBox(IDENTIFIER_KEY, identifier, false))
  await drop(page, [
    { name: names[0], bytes: image },
    { name: names[1], bytes: film, type: '' },
  ])
  const panel = page.getByRole('region', { name: 'Upload' })
  await panel.getByRole('heading', { name: `${2 * shots} of ${2 * shots}` }).waitFor()
  const { items } = await gallery.call<{ items: Told[] }>('GET', '/files')
  return names.map((name) => items.find((file) => file.original_name === name)!)
}

describe('a picture and a film that are uploaded together', {
  skip: withoutChromium || withoutFilms,
}, () => {
  it('become one when they have one name', async () => {
    const [image, film] = await send('IMG_1.JPG', 'IMG_1.MOV')
    assert.equal(film!.companion_of, image!.id)
  })

  it('stay two under two names, because nobody has asked', async () => {
    const [, film] = await send('IMG_2.JPG', 'IMG_3.MOV')
    assert.equal(film!.companion_of, null)
  })
})
