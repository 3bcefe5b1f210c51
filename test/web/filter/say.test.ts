import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { language } from '../../../src/gallery/base/text.ts'
import { rangeWords, wordsOf } from '../../../src/gallery/filter/words/say.ts'

const ID = '018f0000-0000-7000-8000-00000000000a'
const NONE = '00000000-0000-0000-0000-000000000000'
const NAMES: Record<string, string> = { c: 'People', p: 'Summer', u: 'father' }

const say = (token: string) => wordsOf(token, (letter) => NAMES[letter]).words
const sayNone = (token: string) => wordsOf(token, (letter) => NAMES[letter]).none

const TABLE: [token: string, english: string, german: string][] = [
  ['d=2019', '2019', '2019'],
  ['d=2019-05', 'May 2019', 'Mai 2019'],
  ['d=2019-05-14', '14 May 2019', '14. Mai 2019'],
  ['d<2019', 'before 2019', 'vor 2019'],
  ['d<=2019', 'until 2019', 'bis 2019'],
  ['d>2019-05', 'after May 2019', 'nach Mai 2019'],
  ['d>=2019', 'from 2019 on', 'ab 2019'],
  ['d~05', 'May of every year', 'Mai jedes Jahres'],
  ['d~05-14', '14 May of every year', '14. Mai jedes Jahres'],
  ['d>=2019,&,d<=2021', '2019–2021', '2019–2021'],
  ['d>=2019-06,&,d<=2019-08', 'June–August 2019', 'Juni–August 2019'],
  ['d>=2026-11-16,&,d<=2026-11-22', '16–22 November 2026', '16.–22. November 2026'],
  ['d>=2019,&,d<=2021-05', '2019–May 2021', '2019–Mai 2021'],
  [`c=${ID}`, 'a tag of People', 'ein Schlagwort aus People'],
  [`c=${NONE}`, 'no tag of any category', 'kein Schlagwort aus einer Kategorie'],
  [`p=${ID}`, 'in the album Summer', 'im Album Summer'],
  [`p=${NONE}`, 'in no album', 'in keinem Album'],
  ['u=7', 'by father', 'von father'],
  ['s=name', 'date from the file’s name', 'Datum nach dem Namen der Datei'],
  ['b>5000000', 'larger than 5 MB', 'größer als 5 MB'],
  ['b<500000', 'smaller than 500 kB', 'kleiner als 500 kB'],
  ['w>12000000', 'more than 12 megapixels', 'mehr als 12 Megapixel'],
  ['w<400', 'fewer than 400 pixels', 'weniger als 400 Pixel'],
  ['e>60', 'longer than 1 minute', 'länger als 1 Minute'],
  ['e<90', 'shorter than 90 seconds', 'kürzer als 90 Sekunden'],
  ['e>1.5', 'longer than 1.5 seconds', 'länger als 1,5 Sekunden'],
  ['x=raw', 'RAW', 'RAW'],
  ['x=portrait', 'portrait format', 'Hochformat'],
  ['x=animated', 'animated', 'animiert'],
  ['k~Canon_EOS_5D', 'camera Canon EOS 5D', 'Kamera Canon EOS 5D'],
  ['k~canon%', 'camera canon', 'Kamera canon'],
  ['n~%laughed_a_lot%', 'notes with “laughed a lot”', 'Notiz mit „laughed a lot“'],
  ['n~%', 'with notes', 'mit Notiz'],
  ['g=1', 'with a place', 'mit Ort'],
  ['g=0', 'no place', 'ohne Ort'],
  ['g~u2edk', 'in this part of the map', 'in diesem Teil der Karte'],
  ['l=FR', 'in France', 'in Frankreich'],
  ['l=FR.93', 'in region 93, France', 'in Region 93, Frankreich'],
  ['l=FR.93.Nice', 'in Nice, France', 'in Nice, Frankreich'],
  ['l=US.NY.New_York', 'in New York, United States', 'in New York, Vereinigte Staaten'],
]

/** Versions of ICU differ in the spaces of a range. */
const plain = (text: string) => text.replace(/\s/g, ' ').replace(' – ', '–')

afterEach(() => {
  language.value = 'en'
})

describe('the chips', () => {
  it('say each token in English', () => {
    for (const [token, english] of TABLE) assert.equal(plain(say(token)), english)
  })

  it('say each token in German', () => {
    language.value = 'de'
    for (const [token, , german] of TABLE) assert.equal(plain(say(token)), german)
  })

  it('say the opposite in words of its own where "not" reads badly', () => {
    assert.equal(sayNone(`c=${ID}`), 'no tag of People')
    assert.equal(sayNone(`p=${NONE}`), 'in an album')
    assert.equal(sayNone('g=1'), 'no place')
    assert.equal(sayNone('d=2019'), undefined)
  })

  it('say of what the viewer does not see that it is gone', () => {
    const gone = (token: string) => wordsOf(token, () => undefined).words
    assert.equal(gone(`c=${ID}`), 'a category that is gone')
    assert.equal(gone(`p=${ID}`), 'in an album that is gone')
    assert.equal(gone('u=7'), 'by somebody who is gone')
  })

  it('say the range of an address', () => {
    for (const [from, to, words] of [
      ['2018-01-01', '2019-01-01', '2018'],
      ['2018-07-01', '2018-08-01', 'July 2018'],
      ['2018-07-14', '2018-07-15', '14 July 2018'],
      ['2018-12-01', '2020-01-01', 'December 2018–December 2019'],
      ['2018-07-14', undefined, 'from 14 July 2018 on'],
      [undefined, '2018-07-15', 'until 14 July 2018'],
    ] as const) {
      const range = {
        ...(from && { from: `${from}T00:00:00Z` }),
        ...(to && { to: `${to}T00:00:00Z` }),
      }
      assert.equal(plain(rangeWords(range)), words)
    }
  })
})
