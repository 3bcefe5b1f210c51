import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanFilename, contentDisposition } from '../../src/http/disposition.ts'
import { fc } from '../support/property.ts'

describe('contentDisposition', () => {
  const cases: [string, string][] = [
    ['a.jpg', 'attachment; filename="a.jpg"'],
    ["it's (1)*.jpg", 'attachment; filename="it\'s (1)*.jpg"'],
    ['a"b.jpg', `attachment; filename="a_b.jpg"; filename*=UTF-8''a%22b.jpg`],
    [
      'a\\b;c%20/d.jpg',
      `attachment; filename="a_b_c_20_d.jpg"; filename*=UTF-8''a%5Cb%3Bc%2520%2Fd.jpg`,
    ],
    ['a\r\nb.jpg', `attachment; filename="a__b.jpg"; filename*=UTF-8''a%0D%0Ab.jpg`],
    [
      "日本's (1)*.png",
      `attachment; filename="__'s (1)*.png"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%27s%20%281%29%2A.png`,
    ],
    ['🙂.gif', `attachment; filename="_.gif"; filename*=UTF-8''%F0%9F%99%82.gif`],
    ['\ud800.gif', `attachment; filename="_.gif"; filename*=UTF-8''%EF%BF%BD.gif`],
  ]
  for (const [filename, expected] of cases) {
    it(`carries ${JSON.stringify(filename)}`, () => {
      assert.equal(contentDisposition('attachment', filename), expected)
    })
  }

  it('is a header value from which the name comes back, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (filename) => {
        const value = contentDisposition('inline', filename)
        assert.equal(
          new Headers({ 'Content-Disposition': value }).get('content-disposition'),
          value,
        )
        const extended = /filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(value)?.[1]
        const plain = /^inline; filename="([^"\\]*)"/.exec(value)?.[1]
        assert.equal(extended === undefined ? plain : decodeURIComponent(extended), filename)
      }),
    )
  })
})

describe('cleanFilename', () => {
  const cases: [string, string | null][] = [
    ['a.jpg', 'a.jpg'],
    ['/tmp/a.jpg', 'a.jpg'],
    ['..\\..\\a.jpg', 'a.jpg'],
    ['folder/', null],
    ['', null],
    ['.', null],
    ['..', null],
    ['...', '...'],
    ['\u0000\u0007\u0085', null],
    ['e\u0301.jpg', '\u00e9.jpg'],
    ['\u202eabc.jpg', '\u202eabc.jpg'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), 'x'.repeat(255)],
    [`${'x'.repeat(252)}.jpg`, `${'x'.repeat(251)}.jpg`],
    [`${'🙂'.repeat(300)}.jpg`, `${'🙂'.repeat(251)}.jpg`],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(253)}`],
    [`x${'\u0301'.repeat(5000)}.jpg`, `x${'\u0301'.repeat(30)}.jpg`],
    [
      `${`q${'\u0301'.repeat(31)}`.repeat(9)}.jpg`,
      `${`q${'\u0301'.repeat(30)}`.repeat(9).slice(0, 251)}.jpg`,
    ],
    ['\ud800.jpg', '\ufffd.jpg'],
  ]
  for (const [name, expected] of cases) {
    it(`makes ${JSON.stringify(expected)?.slice(0, 40)} of ${JSON.stringify(name).slice(0, 40)}`, () => {
      assert.equal(cleanFilename(name), expected)
    })
  }
})
