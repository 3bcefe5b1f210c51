import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanLine, hasExcessMarks, isCredential, nfc } from '../../src/base/text.ts'

const ACUTE = '\u0301'
/** One mark that is two when it is composed. */
const DIALYTIKA_TONOS = '\u0344'

describe('excess marks', () => {
  const cases: [string, boolean, string][] = [
    ['none', false, 'a'],
    ['30', false, `a${ACUTE.repeat(30)}`],
    ['31', true, `a${ACUTE.repeat(31)}`],
    ['31 without a letter', true, ACUTE.repeat(31)],
    ['twice 30', false, `a${ACUTE.repeat(30)}b${ACUTE.repeat(30)}`],
    ['30, then 31', true, `a${ACUTE.repeat(30)}b${ACUTE.repeat(31)}`],
    ['31 of several kinds', true, `a${'\u0323\u0903\u20dd'.repeat(11).slice(0, 31)}`],
    ['30 outside the first plane', false, `a${'\u{1d165}'.repeat(30)}`],
    ['31 outside the first plane', true, `a${'\u{1d165}'.repeat(31)}`],
    ['Hangul letters, which are no marks', false, `\u1100${'\u1161\u11a8'.repeat(100)}`],
    ['modifiers of emoji, which are no marks', false, '👍🏽'.repeat(100)],
  ]
  for (const [what, expected, text] of cases) {
    it(`are ${expected ? '' : 'not '}${what}`, () => {
      assert.equal(hasExcessMarks(text), expected)
    })
  }
})

describe('the composed form', () => {
  it('is NFC, also of a name from before marks were counted', () => {
    assert.equal(nfc('e\u0301'), 'é')
    assert.equal(nfc('\u1112\u1161\u11ab'), '한')
    assert.equal(
      nfc(`a${'\u0301\u0323'.repeat(500)}`),
      `ạ${'\u0323'.repeat(499)}${ACUTE.repeat(500)}`,
    )
  })

  it('is not made of what would take long', () => {
    assert.throws(() => nfc(`a${ACUTE.repeat(2048)}`), RangeError)
    assert.throws(() => nfc('a'.repeat(2 ** 17 + 1)), RangeError)
    const letters = 'a'.repeat(2 ** 17)
    assert.equal(nfc(letters), letters)
    // In lower case, a dotted capital I is a letter and a mark.
    const lower = `İ${ACUTE.repeat(30)}`.repeat(100).toLowerCase()
    assert.equal(nfc(lower), lower.normalize('NFC'))
  })
})

describe('a clean line', () => {
  const cases: [string, string, string][] = [
    ['is composed', 'e\u0301', 'é'],
    ['has no control characters and no halves of pairs', 'a\u0000b\n\ud800c\u0085', 'abc'],
    ['keeps 30 marks', `x${ACUTE.repeat(30)}q`, `x${ACUTE.repeat(30)}q`],
    ['drops the 31st', `x${ACUTE.repeat(31)}q`, `x${ACUTE.repeat(30)}q`],
    [
      'drops thousands',
      `x${ACUTE.repeat(50_000)}q${ACUTE.repeat(40)}`,
      `x${ACUTE.repeat(30)}q${ACUTE.repeat(30)}`,
    ],
    [
      'counts marks between which something was taken out',
      `x${`${ACUTE.repeat(20)}\u0007`.repeat(3)}q`,
      `x${ACUTE.repeat(30)}q`,
    ],
    [
      'counts the marks of the composed form too',
      `q${DIALYTIKA_TONOS.repeat(30)}`,
      `q${'\u0308\u0301'.repeat(15)}`,
    ],
    ['is cut at 131,072 units', 'a'.repeat(2 ** 17 + 1), 'a'.repeat(2 ** 17)],
  ]
  for (const [what, text, expected] of cases) {
    it(what, () => {
      assert.equal(cleanLine(text), expected)
    })
  }
})

describe('a credential', () => {
  it('has at most 1,024 bytes and 30 marks in a row', () => {
    assert.equal(isCredential('é'.repeat(512)), true)
    assert.equal(isCredential(`${'é'.repeat(512)}x`), false)
    assert.equal(isCredential('x'.repeat(1025)), false)
    assert.equal(isCredential('👍'.repeat(256)), true)
    assert.equal(isCredential(`a${ACUTE.repeat(30)}`), true)
    assert.equal(isCredential(`a${ACUTE.repeat(31)}`), false)
    assert.equal(isCredential(''), true)
  })
})
