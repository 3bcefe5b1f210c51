import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createHalves } from '../../../src/gallery/upload/halves.ts'

const picked = (path: string, type = '') => {
  const folders = path.split('/')
  const name = folders.pop()!
  return { file: new File([], name, { type }), folders }
}
/** Returns which of the files have their other half among them. */
const halvesOf = (...paths: (string | [path: string, type: string])[]) => {
  const files = paths.map((path) => (typeof path === 'string' ? picked(path) : picked(...path)))
  const halves = createHalves()
  halves.note(files)
  return files.filter((one) => halves.hasOther(one)).map(({ file }) => file.name)
}

describe('halves of a living picture', () => {
  it('have one name up to the extension, in any case, and one folder', () => {
    assert.deepEqual(halvesOf('IMG_1.HEIC', 'img_1.mov'), ['IMG_1.HEIC', 'img_1.mov'])
    assert.deepEqual(halvesOf('a/b/1.jpg', 'a/b/1.MP4'), ['1.jpg', '1.MP4'])
    assert.deepEqual(halvesOf('a/1.jpg', 'b/1.mov'), [])
    assert.deepEqual(halvesOf('1.jpg', '2.mov'), [])
    assert.deepEqual(halvesOf('1.a.jpg', '1.b.mov'), [])
  })

  it('are a picture and a film, by their types or extensions', () => {
    assert.deepEqual(halvesOf('1.jpg', '1.heic'), [])
    assert.deepEqual(halvesOf('1.mov', '1.mp4'), [])
    assert.deepEqual(halvesOf('1.jpg', '1.aae', '1.txt'), [])
    assert.deepEqual(halvesOf(['1.x', 'image/x'], ['1.y', 'video/y'], '1.z'), ['1.x', '1.y'])
  })

  it('may be chosen one after the other, until the list is cleared', () => {
    const [picture, film] = [picked('1.jpg'), picked('1.mov')]
    const halves = createHalves()
    halves.note([picture])
    assert.equal(halves.hasOther(picture), false)
    halves.note([film])
    assert.equal(halves.hasOther(picture), true)
    assert.equal(halves.hasOther(film), true)
    halves.clear()
    assert.equal(halves.hasOther(picture), false)
  })
})
