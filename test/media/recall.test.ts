import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { makeThumbnail } from '../../src/media/child/picture.ts'
import {
  corpus,
  distance,
  temporaryFolder,
  without,
  withoutCorpus,
  withoutMagick,
} from '../support/media/media.ts'
import { photograph } from '../support/media/samples.ts'
import { after, before, describe, it } from '../support/test.ts'

/** The default of DUPLICATE_HASH_THRESHOLD. */
const THRESHOLD = 8
const PHOTOS = [
  'photos/Canon_PowerShot_S40.jpg',
  'photos/canon-ixus.jpg',
  'photos/fujifilm-dx10.jpg',
  'photos/fujifilm-mx1700.jpg',
  'photos/kodak-dc210.jpg',
  'photos/nikon-e950.jpg',
  'photos/olympus-c960.jpg',
  'photos/ricoh-rdc5300.jpg',
  'photos/sanyo-vpcg250.jpg',
  'photos/sony-d700.jpg',
  'gps/DSCN0010.jpg',
  'gps/DSCN0042.jpg',
]
/** The copies that people have, by the name of the file and what ImageMagick does for it. */
const COPIES: Record<string, string[]> = {
  'small.jpg': ['-resize', '25%'],
  'coarse.jpg': ['-quality', '30'],
  'other.webp': [],
  'brighter.jpg': ['-brightness-contrast', '20x0'],
  'darker.jpg': ['-brightness-contrast', '-20x0'],
  'harder.jpg': ['-brightness-contrast', '0x20'],
  'softer.jpg': ['-brightness-contrast', '0x-20'],
  'grey.jpg': ['-colorspace', 'Gray'],
  'lying.jpg': ['-rotate', '270'],
  ...(withoutMagick('AVIF') ? {} : { 'other.avif': ['-resize', '320x320>'] }),
}
const skip = withoutCorpus || withoutMagick('WEBP') || without('exiftool', '-ver')
/** Those that sharp makes, of photographs that are made, by what is done. */
const MADE: Record<string, (photo: Sharp) => Sharp> = {
  small: (photo) => photo.resize(160),
  coarse: (photo) => photo.jpeg({ quality: 30 }),
  webp: (photo) => photo.webp(),
  avif: (photo) => photo.resize(320).avif({ effort: 0 }),
  brighter: (photo) => photo.linear(1.2, 15),
  darker: (photo) => photo.linear(0.8, -10),
  harder: (photo) => photo.linear(1.25, -32),
  softer: (photo) => photo.linear(0.8, 25),
  grey: (photo) => photo.greyscale(),
  lying: (photo) => photo.rotate(270).withMetadata({ orientation: 6 }),
}

describe('copies and other photographs', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const hashOf = async (path: string) => {
    const output = join(folder.path, 'thumbnail.jpg')
    const attempt = await makeThumbnail({ path, mime_type: '', ffmpeg: null, output }, () => {})
    assert.ok('result' in attempt, path)
    return attempt.result.phash
  }
  /** One call makes all copies of a photo, in a folder of their own. */
  const copy = async (photo: string) => {
    const to = join(folder.path, basename(photo, '.jpg'))
    await mkdir(to)
    const steps = Object.entries(COPIES).flatMap(([name, change]) => {
      return ['(', '+clone', ...change, '-write', join(to, name), '+delete', ')']
    })
    execFileSync('convert', [
      '-limit',
      'thread',
      '1',
      corpus(photo),
      '-auto-orient',
      '-strip',
      ...steps,
      'null:',
    ])
    return to
  }

  it('are told apart at the default threshold, of photographs that are made', async () => {
    const originals: string[] = []
    for (let number = 1; number <= 6; number++) {
      const photo = await photograph(number, 640, 480)
      const original = await hashOf(photo)
      for (const [how, change] of Object.entries(MADE)) {
        const copy = join(folder.path, 'copy')
        await writeFile(copy, await change(sharp(photo)).toBuffer())
        const found = distance(original, await hashOf(copy))
        assert.ok(found <= THRESHOLD, `${number} ${how}: ${found}`)
      }
      for (const other of originals) assert.ok(distance(original, other) > THRESHOLD)
      originals.push(original)
    }
  })

  it('are told apart at the default threshold, of camera files', { skip }, async () => {
    const originals = new Map<string, string>()
    const folders = new Map<string, string>()
    for (const photo of PHOTOS) {
      originals.set(photo, await hashOf(corpus(photo)))
      folders.set(photo, await copy(photo))
    }
    const lying = [...folders.values()].map((to) => join(to, 'lying.jpg'))
    execFileSync('exiftool', ['-q', '-overwrite_original', '-n', '-Orientation=6', ...lying])

    const missed: string[] = []
    for (const [photo, to] of folders) {
      for (const name of Object.keys(COPIES)) {
        const found = distance(originals.get(photo)!, await hashOf(join(to, name)))
        if (found > THRESHOLD) missed.push(`${photo} ${name}: ${found}`)
      }
    }
    const copies = PHOTOS.length * Object.keys(COPIES).length
    assert.ok(missed.length <= copies * 0.02, `missed of ${copies}: ${missed.join(', ')}`)

    const near = PHOTOS.flatMap((a, i) =>
      PHOTOS.slice(i + 1)
        .filter((b) => distance(originals.get(a)!, originals.get(b)!) <= THRESHOLD)
        .map((b) => [a, b]),
    )
    assert.deepEqual(near, [])
  })

  it('include pairs of one scene, near and not so near', { skip: withoutCorpus }, async () => {
    const between = async (camera: string) => {
      const [no, yes] = ['NO', 'YES'].map((hdr) =>
        corpus('near-duplicates', `${camera}_hdr_${hdr}.jpg`),
      )
      return distance(await hashOf(no!), await hashOf(yes!))
    }
    const [iphone, canon] = [await between('iphone'), await between('canon')]
    assert.ok(iphone >= 2 && iphone <= 6, `iPhone: ${iphone}`)
    assert.ok(canon >= 12 && canon <= 20, `Canon: ${canon}`)
  })
})
