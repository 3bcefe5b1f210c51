import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNames, type Named } from '../../../src/files/archive/names.ts'

const ID = '018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f'
const TAKEN_AT = Date.UTC(2018, 6, 3, 23, 59, 59)

const file = (original_name: string | null, mime_extension = 'jpg'): Named => ({
  id: ID,
  original_name,
  mime_extension,
  clock: TAKEN_AT,
})
/** Returns the names that an archive gives files. */
const named = (names: (string | null)[]) => {
  const nameOf = createNames(['MISSING.txt'])
  return names.map((name) => nameOf(file(name)))
}
const single = (name: string | null) => named([name])[0]!

describe('the name of a file in an archive', () => {
  it('is that of the file, in every alphabet', () => {
    const names = ['Ferien.jpg', 'Отпуск.jpg', '休暇.jpg', 'חופשה.jpg', 'عطلة.jpg', 'छुट्टी.jpg']
    const more = ['διακοπές.jpg', '휴가.jpg', 'a?b*c"d.jpg', '🏖 👩‍👩‍👧.jpg', '.hidden.jpg']
    assert.deepEqual(named([...names, ...more]), [...names, ...more])
  })

  it('is no path, and ends as names do on every system', () => {
    const cases = {
      '../x.jpg': '.._x.jpg',
      '..': '__.jpg',
      '..\\..\\x.jpg': '.._.._x.jpg',
      '/etc/passwd': '_etc_passwd.jpg',
      'C:x.jpg': 'C_x.jpg',
      'a\u0000b\u001fc\u007fd\u0085e.jpg': 'a_b_c_d_e.jpg',
      'x. . .': 'x_____.jpg',
      'x.jpg ': 'x.jpg_.jpg',
      'x.jpg.': 'x.jpg_.jpg',
    }
    for (const [name, expected] of Object.entries(cases)) assert.equal(single(name), expected)
  })

  it('is none of the devices of Windows', () => {
    const cases = {
      CON: 'CON_.jpg',
      'con.jpg': 'con_.jpg',
      'Nul.tar.gz': 'Nul_.tar.gz.jpg',
      'AUX .jpg': 'AUX_ .jpg',
      'prn.': 'prn_.jpg',
      'COM1.jpg': 'COM1_.jpg',
      'lpt9.jpg': 'lpt9_.jpg',
      'COM².jpg': 'COM²_.jpg',
      'CONIN$.jpg': 'CONIN$_.jpg',
      'CONSUL.jpg': 'CONSUL.jpg',
      'COM10.jpg': 'COM10.jpg',
      'a.con.jpg': 'a.con.jpg',
    }
    for (const [name, expected] of Object.entries(cases)) assert.equal(single(name), expected)
  })

  it('has the extension of its type where it has none', () => {
    const cases = {
      'x.JPEG': 'x.JPEG',
      'x.cr2': 'x.cr2.jpg',
      x: 'x.jpg',
      'Summer 2018. The best': 'Summer 2018. The best.jpg',
      'holiday.2018': 'holiday.2018.jpg',
      '.jpg': '.jpg.jpg',
    }
    for (const [name, expected] of Object.entries(cases)) assert.equal(single(name), expected)
    assert.equal(createNames([])(file('clip', 'mp4')), 'clip.mp4')
    assert.equal(single(null), `2018-07-03 ${ID}.jpg`)
  })

  it('is cut between characters to 200 bytes, its extension kept', () => {
    assert.equal(single(`${'a'.repeat(196)}.jpg`), `${'a'.repeat(196)}.jpg`)
    assert.equal(single(`${'a'.repeat(197)}.jpg`), `${'a'.repeat(196)}.jpg`)
    // Each takes four bytes, and three is what is left.
    assert.equal(single(`a${'😀'.repeat(60)}.jpeg`), `a${'😀'.repeat(48)}.jpeg`)
    assert.equal(single('ж'.repeat(200)), `${'ж'.repeat(98)}.jpg`)
  })

  it('is given once, whatever the case of its letters', () => {
    assert.deepEqual(named(['a.jpg', 'A.JPG', 'a.jpg', 'a (2).jpg', 'A (3).jpg']), [
      'a.jpg',
      'A (2).JPG',
      'a (3).jpg',
      'a (2) (2).jpg',
      'A (3) (2).jpg',
    ])
    assert.deepEqual(named(['ς.jpg', 'Σ.jpg', 'straße.jpg', 'STRASSE.jpg', 'ſ.jpg', 's.jpg']), [
      'ς.jpg',
      'Σ (2).jpg',
      'straße.jpg',
      'STRASSE (2).jpg',
      'ſ.jpg',
      's (2).jpg',
    ])
    assert.deepEqual(named(['a/b.jpg', 'a_b.jpg', 'missing.TXT']), [
      'a_b.jpg',
      'a_b (2).jpg',
      'missing.TXT.jpg',
    ])
    const long = named([`${'a'.repeat(200)}.jpg`, `${'a'.repeat(210)}.jpg`])
    assert.deepEqual(long, [`${'a'.repeat(196)}.jpg`, `${'a'.repeat(192)} (2).jpg`])
  })

  it('is found at once for many files of one name', () => {
    const names = named(Array.from({ length: 100_000 }, () => 'image.jpg'))
    assert.equal(new Set(names).size, 100_000)
    assert.equal(names.at(-1), 'image (100000).jpg')
  })

  it('is found at once for 10,000 names, each twice, that are cut to the same', () => {
    const original = (n: number) => `${'a'.repeat(190)}${String(n).padStart(5, '0')}.jpg`
    const all = Array.from({ length: 10_000 }, (_, n) => [original(n), original(n)])
    const names = named(all.flat())
    assert.equal(new Set(names).size, 20_000)
    assert.deepEqual(names.slice(0, 2), [original(0), `${'a'.repeat(190)}00 (2).jpg`])
    assert.equal(names.at(-1), `${'a'.repeat(188)} (10001).jpg`)
  })
})
