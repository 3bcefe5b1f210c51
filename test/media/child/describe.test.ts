import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCaptions } from '../../../src/media/child/captions.ts'
import type { Embedded } from '../../../src/media/child/embedded.ts'
import { nothingSaid, type Sidecar } from '../../../src/media/description.ts'
import { iptcRecord } from '../../support/media/embedded.ts'

const SPACES = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  digiKam: 'http://www.digikam.org/ns/1.0/',
  lr: 'http://ns.adobe.com/lightroom/1.0/',
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  MicrosoftPhoto: 'http://ns.microsoft.com/photo/1.0/',
  MP: 'http://ns.microsoft.com/photo/1.2/',
  MPRI: 'http://ns.microsoft.com/photo/1.2/t/RegionInfo#',
  MPReg: 'http://ns.microsoft.com/photo/1.2/t/Region#',
  'mwg-rs': 'http://www.metadataworkinggroup.com/schemas/regions/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  exif: 'http://ns.adobe.com/exif/1.0/',
}

/** Returns XMP of elements and attributes of its description. */
function xmp(elements: string, attributes = ''): Buffer {
  const spaces = Object.entries(SPACES).map(([prefix, space]) => `xmlns:${prefix}="${space}"`)
  const about = `<rdf:Description rdf:about="" ${attributes}>${elements}</rdf:Description>`
  return Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${spaces.join(' ')}>${about}</rdf:RDF></x:xmpmeta>`,
  )
}

function list(name: string, items: string[], kind = 'Bag'): string {
  const lines = items.map((item) => `<rdf:li>${item}</rdf:li>`).join('\n ')
  return `<${name}><rdf:${kind}>${lines}</rdf:${kind}></${name}>`
}

const beside = (bytes: Buffer, kind: Sidecar['kind'] = 'xmp'): Sidecar => ({
  kind,
  base64: bytes.toString('base64'),
})
const inside = (...blocks: Buffer[]): Embedded[] => blocks.map((bytes) => ({ kind: 'xmp', bytes }))
const read = (embedded: Embedded[], ...sidecars: Sidecar[]) =>
  readCaptions(embedded, sidecars).description
const ofXmp = (elements: string, attributes?: string) => read(inside(xmp(elements, attributes)))
const joined = (paths: string[][]) => paths.map((path) => path.join(' > '))

describe('the tags of a picture', () => {
  const digikam = list('digiKam:TagsList', ['Places/Italy/Venice', 'Animals', 'People/Anna'], 'Seq')
  const lightroom = list('lr:hierarchicalSubject', ['Places|Italy|Venice', 'AC/DC', 'darktable|x'])
  const words = list('dc:subject', ['Venice', 'Anna', 'darktable', 'x', '007', '2024'])

  it('are the paths of digiKam and Lightroom, and the words that are no level of these', () => {
    const { paths, from, people } = ofXmp(digikam + lightroom + words)
    assert.deepEqual(joined(paths), [
      'Places > Italy > Venice',
      'Animals',
      'People > Anna',
      'AC/DC',
      '007',
      '2024',
    ])
    assert.deepEqual(from, ['XMP digiKam:TagsList', 'XMP lr:hierarchicalSubject', 'XMP dc:subject'])
    // A path alone makes nobody a person.
    assert.deepEqual(people, [])
  })

  it('are the same in any order and spread over blocks and sidecars', () => {
    const whole = ofXmp(digikam + lightroom + words).paths
    assert.deepEqual(ofXmp(words + lightroom + digikam).paths, whole)
    assert.deepEqual(read(inside(xmp(words), xmp(digikam)), beside(xmp(lightroom))).paths, whole)
    assert.deepEqual(read([], beside(xmp(words + digikam)), beside(xmp(lightroom))).paths, whole)
  })

  it('include those of Windows and of IPTC', () => {
    const windows = list('MicrosoftPhoto:LastKeywordXMP', ['sea/coast', 'summer', 'Venice'])
    const iptc = Buffer.concat(['summer', 'Anna', 'rain'].map((word) => iptcRecord(25, word)))
    const { paths, from } = read([...inside(xmp(digikam + windows)), { kind: 'iptc', bytes: iptc }])
    assert.deepEqual(joined(paths).slice(3), ['sea > coast', 'summer', 'rain'])
    assert.deepEqual(from.slice(1), ['XMP MicrosoftPhoto:LastKeywordXMP', 'IPTC Keywords'])
    // Windows writes both.
    const both = list('dc:subject', ['sea/coast', 'rain/snow']) + windows
    assert.deepEqual(joined(ofXmp(both).paths), ['rain/snow', 'sea > coast', 'summer', 'Venice'])
  })

  it('are text, however it is written', () => {
    const items = ['007', ' A &amp; B ', '<![CDATA[<b> & c]]>', '1&#x2F;2', 'e&#x301;', '\u200b']
    assert.deepEqual(ofXmp(list('dc:subject', items)).paths, [
      ['007'],
      ['A & B'],
      ['<b> & c'],
      ['1/2'],
      ['é'],
    ])
    assert.deepEqual(ofXmp(list('digiKam:TagsList', [' / a / b // ', '/', 'c\n d/e'])).paths, [
      ['a', 'b'],
      ['c d', 'e'],
    ])
  })

  it('are found under any prefix, in each kind of list, and without one', () => {
    for (const kind of ['Bag', 'Seq', 'Alt']) {
      const other = list('dk:TagsList', ['a/b'], kind).replace(
        '<dk:TagsList>',
        `<dk:TagsList xmlns:dk="${SPACES.digiKam}">`,
      )
      assert.deepEqual(ofXmp(other).paths, [['a', 'b']], kind)
    }
    assert.deepEqual(ofXmp('<digiKam:TagsList>a/b</digiKam:TagsList>').paths, [['a', 'b']])
    assert.deepEqual(ofXmp('', 'digiKam:TagsList="a/b"').paths, [['a', 'b']])
  })

  it('are bounded, and what is left out is counted', () => {
    const long = '🐈'.repeat(256)
    const levels = Array.from({ length: 17 }, (_, n) => `l${n}`)
    const items = [long, `a/${long}x`, levels.slice(1).join('/'), levels.join('/')]
    const { paths, leftOut } = ofXmp(list('digiKam:TagsList', items))
    assert.deepEqual([paths, leftOut], [[[long], levels.slice(1)], 2])
    const many = Array.from({ length: 2500 }, (_, n) => `w${n}`)
    const most = ofXmp(list('dc:subject', [...many, ...many]))
    assert.deepEqual([most.paths.length, most.leftOut], [2000, 1000])
    // Of all that is said, no more than what fits into an answer.
    const large = Array.from({ length: 1900 }, (_, n) => `${n}${'"'.repeat(250)}`)
    const full = ofXmp(list('dc:subject', large))
    assert.equal(full.paths.length + full.leftOut, 1900)
    assert.ok(JSON.stringify(full).length < 2 ** 19)
  })
})

describe('the people on a picture', () => {
  const area = '<mwg-rs:Area stArea:x="0.5" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"/>'
  const regions = (...items: string[]) =>
    `<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions/>
      ${list('mwg-rs:RegionList', items)}</mwg-rs:Regions>`

  it('are those of its faces, as attributes and as elements', () => {
    const anna = `<rdf:Description mwg-rs:Name="Anna" mwg-rs:Type="Face">${area}</rdf:Description>`
    const ben = '<mwg-rs:Name>Ben &amp; Co</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>'
    const rex = '<rdf:Description mwg-rs:Name="Rex" mwg-rs:Type="Pet"/>'
    const cleo = `<mwg-rs:Name>Cleo</mwg-rs:Name>${area}`
    const nobody = '<mwg-rs:Type>Face</mwg-rs:Type>'
    const { people, paths, from } = ofXmp(regions(anna, ben, rex, cleo, nobody, anna))
    assert.deepEqual(people, ['Anna', 'Ben & Co', 'Cleo'])
    assert.deepEqual([paths, from], [[], ['XMP mwg-rs:Regions']])
  })

  it('are also those whom IPTC, Microsoft and services name', () => {
    const iptc = list('Iptc4xmpExt:PersonInImage', ['Dora', 'Anna'])
    const region = '<rdf:Description MPReg:PersonDisplayName="Emil" MPReg:Rectangle="0,0,1,1"/>'
    const microsoft = `<MP:RegionInfo><rdf:Description>${list('MPRI:Regions', [region])}
      </rdf:Description></MP:RegionInfo>`
    const json = Buffer.from(JSON.stringify({ people: [{ name: 'Fay' }, { name: '' }, 7, null] }))
    const { people } = read(inside(xmp(iptc + microsoft)), beside(json, 'json'))
    assert.deepEqual(people, ['Emil', 'Dora', 'Anna', 'Fay'])
  })
})

describe('what else is said of a picture', () => {
  it('is its rating, in stars or else in percent', () => {
    const stars = { 1: 1, 3: 3, 5: 5, '4.0': 4, 0: null, '-1': null, 6: null, x: null }
    for (const [text, rating] of Object.entries(stars)) {
      assert.equal(ofXmp('', `xmp:Rating="${text}"`).rating, rating, text)
      assert.equal(ofXmp(`<xmp:Rating>${text}</xmp:Rating>`).rating, rating, text)
    }
    for (const [n, percent] of [1, 25, 50, 75, 99].entries()) {
      const { rating, from } = ofXmp('', `MicrosoftPhoto:Rating="${percent}"`)
      assert.deepEqual([rating, from], [n + 1, ['XMP MicrosoftPhoto:Rating']])
    }
    assert.equal(ofXmp('', 'MicrosoftPhoto:Rating="0"').rating, null)
    assert.equal(ofXmp('', 'MicrosoftPhoto:Rating="99" xmp:Rating="2"').rating, 2)
    // A camera writes none.
    const camera = inside(xmp('', 'xmp:Rating="0"'))
    assert.equal(read(camera, beside(xmp('', 'xmp:Rating="4"'))).rating, 4)
  })

  it('is its label', () => {
    assert.equal(ofXmp('', 'xmp:Label="Rot"').label, 'Rot')
    assert.equal(ofXmp(`<xmp:Label>${'x'.repeat(257)}</xmp:Label>`).label, null)
  })

  it('is its caption: that for everybody, of the content before that of sidecars', () => {
    const texts = [
      '<rdf:li xml:lang="de">Meer</rdf:li>',
      '<rdf:li xml:lang="x-default">Sea&#xA;and sky</rdf:li>',
    ]
    const alt = (items: string[]) =>
      `<dc:description><rdf:Alt>${items.join('')}</rdf:Alt></dc:description>`
    for (const items of [texts, texts.toReversed()]) {
      assert.equal(ofXmp(alt(items)).caption, 'Sea\nand sky')
    }
    const iptc: Embedded = { kind: 'iptc', bytes: iptcRecord(120, 'Of IPTC') }
    const json = beside(Buffer.from(JSON.stringify({ description: 'Of a service' })), 'json')
    assert.equal(read([iptc, ...inside(xmp(alt(texts)))], json).caption, 'Sea\nand sky')
    assert.equal(read([iptc], beside(xmp(alt(texts))), json).caption, 'Of IPTC')
    assert.equal(read([], json, beside(xmp(alt(texts)))).caption, 'Of a service')
    assert.equal(read([], beside(xmp(alt(['<rdf:li>\n </rdf:li>']))), json).caption, 'Of a service')
    const long = alt([`<rdf:li>${'🐈'.repeat(10_000)}</rdf:li>`])
    assert.equal(ofXmp(long).caption, '🐈'.repeat(2 ** 13))
  })

  it('is nothing of a date and a place that the content itself tells', () => {
    const attributes =
      'exif:DateTimeOriginal="2011-01-01T01:00" exif:GPSLatitude="26,30N" exif:GPSLongitude="80,0E"'
    const own = readCaptions(inside(xmp('', attributes)))
    assert.deepEqual(own.description, nothingSaid())
    assert.deepEqual(own.place, { latitude: 26.5, longitude: 80 })
    const other = readCaptions([], [beside(xmp('', attributes))])
    const clock = Date.UTC(2011, 0, 1, 1)
    const { date, position } = other.description
    assert.deepEqual(date, { clock, offset: null, precision: null, source: 'xmp', isUtc: false })
    assert.deepEqual(position, { latitude: 26.5, longitude: 80 })
    assert.equal(other.place, undefined)
  })
})

describe('a file of a service beside a picture', () => {
  const of = (fields: unknown) => read([], beside(Buffer.from(JSON.stringify(fields)), 'json'))

  it('tells the moment of the picture, not that of its upload', () => {
    const moment = (clock: number) => ({ clock, offset: 0, precision: null, isUtc: true })
    const [creationTime, photoTakenTime] = [{ timestamp: '1600000000' }, { timestamp: '-86400' }]
    assert.deepEqual(of({ creationTime, photoTakenTime }).date, moment(-86_400_000))
    // Ente's files have numbers.
    assert.deepEqual(of({ creationTime: { timestamp: 1600000000 } }).date, moment(1.6e12))
    for (const timestamp of ['0', '', '1e9', 'x', 1e300, null, {}, '9'.repeat(20)]) {
      assert.equal(of({ photoTakenTime: { timestamp }, creationTime }).date, null, `${timestamp}`)
    }
  })

  it('tells the place where people have put it, unless it is none', () => {
    const [here, there] = [
      { latitude: 45.4, longitude: 12.3 },
      { latitude: -33, longitude: -70 },
    ]
    const none = { latitude: 0, longitude: 0 }
    assert.deepEqual(of({ geoData: here, geoDataExif: there }).position, here)
    assert.deepEqual(of({ geoData: none, geoDataExif: there }).position, there)
    for (const geoData of [none, { latitude: '1', longitude: '2' }, { latitude: 91, longitude: 1 }])
      assert.equal(of({ geoData }).position, null)
  })

  it('tells what its owner did with it', () => {
    const { isFavorite, isArchived, isTrashed, isPartners } = of({
      favorited: true,
      archived: true,
      trashed: true,
      googlePhotosOrigin: { fromPartnerSharing: {} },
    })
    assert.deepEqual([isFavorite, isArchived, isTrashed, isPartners], [true, true, true, true])
    const mobile = { googlePhotosOrigin: { mobileUpload: {} }, favorited: 'yes', archived: 1 }
    assert.deepEqual(of(mobile), nothingSaid())
  })

  it('may begin with a mark of its order of bytes, and says nothing when it is broken', () => {
    const marked = beside(Buffer.from('\ufeff{"description":"Ⓜ"}'), 'json')
    assert.equal(read([], marked).caption, 'Ⓜ')
    for (const text of ['', '{', 'null', '7', '[]', '"x"', '{"people":{}}', '{"description":7}']) {
      assert.deepEqual(read([], beside(Buffer.from(text), 'json')), nothingSaid(), text)
    }
    const large = JSON.stringify({ description: 'x' }).padEnd(2 ** 20 + 1)
    assert.deepEqual(read([], beside(Buffer.from(large), 'json')), nothingSaid())
  })
})

describe('the words of IPTC', () => {
  const utf8 = iptcRecord(25, Buffer.from('Süd').toString('latin1'))
  const declared = (text: string) =>
    Buffer.concat([Buffer.from([0x1c, 1, 90, 0, text.length]), Buffer.from(text, 'latin1')])
  const words = (...bytes: Buffer[]) =>
    joined(read([{ kind: 'iptc', bytes: Buffer.concat(bytes) }]).paths)

  it('are UTF-8 where they can be, unless another set of characters is told', () => {
    assert.deepEqual(words(declared('\x1b%G'), utf8), ['Süd'])
    assert.deepEqual(words(utf8), ['Süd'])
    assert.deepEqual(words(declared('\x1b.A'), utf8), ['SÃ¼d'])
    assert.deepEqual(words(iptcRecord(25, 'Süd')), ['Süd'])
    assert.deepEqual(words(declared('\x1b%G'), iptcRecord(25, 'Süd')), ['Süd'])
  })
})
