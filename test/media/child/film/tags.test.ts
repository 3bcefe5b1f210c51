import assert from 'node:assert/strict'
import { readFilmTags } from '../../../../src/media/child/film/tags.ts'
import { readVideo } from '../../../../src/media/child/film/video.ts'
import { madeFilm } from '../../../support/media/film.ts'
import { without } from '../../../support/media/media.ts'
import { describe, it } from '../../../support/test.ts'

const withoutFfmpeg = without('ffmpeg', '-version')

describe('a tag that says nothing', () => {
  it('leaves it to the next one that is asked', () => {
    const place = { latitude: 27.5916, longitude: 86.564 }
    for (const broken of ['', ' \0', 'somewhere', '+00.0000+000.0000/', 7]) {
      const apples = { 'com.apple.quicktime.location.ISO6709': broken }
      const told = readFilmTags({ ...apples, '©xyz': '+27.5916+086.5640/' })
      assert.deepEqual(told.camera, place, String(broken))
    }
    const raw = { 'com.apple.quicktime.make': '', 'com.android.manufacturer': '\0', '©mak': 'Acme' }
    assert.deepEqual(readFilmTags(raw).camera, { Make: 'Acme' })
  })
})

describe('where and by what a film was taken', { skip: withoutFfmpeg }, () => {
  const film = (name: string, ...options: string[]) =>
    madeFilm(name, ['-c:v', 'mpeg4', ...options], 'testsrc=duration=1:size=176x144:rate=5')
  const placeOf = async (path: string, mime_type: string) => {
    const { latitude, longitude } = (await readVideo(path, mime_type)).exif
    return latitude === undefined ? null : [latitude, longitude]
  }
  const near = (found: unknown, place: number[] | null, what: string) => {
    if (place === null) return assert.equal(found, null, what)
    for (const [n, degrees] of place.entries()) {
      assert.ok(Math.abs((found as number[])[n]! - degrees) < 2e-5, `${what}: ${found}`)
    }
  }
  const PLACES: [string, number[] | null][] = [
    ['+27.5916+086.5640+8850/', [27.5916, 86.564]],
    ['-33.8688+151.2093/', [-33.8688, 151.2093]],
    ['+40.6894-074.0447-003.5CRSWGS_84/', [40.6894, -74.0447]],
    ['-0001.5-00130.0/', [-0.025, -1.5]],
    ['+352139+1384339+3776/', [35.360833, 138.7275]],
    ['+91.0000+010.0000/', null],
    ['+10.0000+181.0000/', null],
    ['+1061+00000/', null],
    ['+00.0000-000.0000/', null],
    ['+00.0000+086.5640/', [0, 86.564]],
    ['somewhere', null],
  ]

  it('is told by what QuickTime and Apple write', async () => {
    for (const [told, place] of PLACES) {
      const old = await film('old.mov', '-metadata', `location=${told}`)
      near(await placeOf(old, 'video/quicktime'), place, told)
      const key = ['-movflags', 'use_metadata_tags', '-metadata']
      const apples = await film('apple.mov', ...key, `com.apple.quicktime.location.ISO6709=${told}`)
      near(await placeOf(apples, 'video/quicktime'), place, told)
    }
  })

  it('is told by the place of 3GPP', async () => {
    for (const [told, place] of PLACES.slice(0, 2)) {
      near(
        await placeOf(await film('a.3gp', '-metadata', `location=${told}`), 'video/3gpp'),
        place,
        told,
      )
      near(
        await placeOf(await film('a.mp4', '-metadata', `location=${told}`), 'video/mp4'),
        place,
        told,
      )
    }
  })

  it('names make and model', async () => {
    const camera = ['-metadata', 'make=Acmé', '-metadata', 'model=One']
    const old = await readVideo(await film('camera.mov', ...camera), 'video/quicktime')
    assert.deepEqual([old.exif.Make, old.exif.Model], ['Acmé', 'One'])
    const keys = ['com.apple.quicktime.make=Apple', 'com.apple.quicktime.model=iPhone 8']
    const tags = ['-movflags', 'use_metadata_tags', ...keys.flatMap((key) => ['-metadata', key])]
    const phone = await readVideo(await film('phone.mov', ...tags), 'video/quicktime')
    assert.deepEqual([phone.exif.Make, phone.exif.Model], ['Apple', 'iPhone 8'])
    const none = await readVideo(await film('none.mov'), 'video/quicktime')
    assert.deepEqual(Object.keys(none.exif).sort(), [
      'codec',
      'duration',
      'height',
      'rotation',
      'width',
    ])
  })
})
