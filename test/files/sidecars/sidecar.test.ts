import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SidecarFacts, sidecarText } from '../../../src/files/sidecars/sidecar.ts'
import { without } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'

const NOTHING: SidecarFacts = {
  date: { content_datetime: 0, content_offset: null, date_source: 'mtime', date_precision: null },
  latitude: null,
  longitude: null,
  notes: null,
  tags: [],
  pools: [],
}
const tag = (name: string, category: string | null = null, path: unknown = null) => ({
  ...{ name, category, path },
})
const taken = (date: Partial<SidecarFacts['date']>) => ({
  ...NOTHING,
  date: { ...NOTHING.date, date_source: 'exif' as const, ...date },
})

/** All that a sidecar can hold, and text that is hard to write. */
const FULL: SidecarFacts = {
  date: {
    content_datetime: Date.UTC(2019, 6, 14, 22, 30, 5, 250),
    content_offset: -150,
    date_source: 'exif',
    date_precision: null,
  },
  latitude: -33.8567844,
  longitude: 151.2152967,
  notes: 'Zwei\nZeilen <b> & "mehr" \u{1f600}',
  tags: [
    tag('Paris (Texas)', null, ['Places', 'Texas', 'Paris']),
    tag('★★', 'Rating'),
    tag('★★★★', 'Rating'),
    tag('Red', 'Label'),
    tag('Oma', 'People'),
    tag('a/b', 'Things'),
    tag('c|d'),
    tag('e/f|g'),
    tag('<&>"\''),
    tag('007'),
    tag('kept', null, 'no path'),
    tag('whole', null, ['x', ' ']),
  ],
  pools: ['Summer & more', 'AC/DC', 'one|two'],
}

const TAGS_LIST = [
  ...['Places/Texas/Paris', '★★', 'Oma', 'c|d', '<&>"\'', '007', 'kept', 'whole'],
  ...['Albums/Summer & more', 'Albums/one|two'],
]
const HIERARCHICAL = [
  ...['Places|Texas|Paris', '★★', 'Oma', 'a/b', '<&>"\'', '007', 'kept', 'whole'],
  ...['Albums|Summer & more', 'Albums|AC/DC'],
]
const SUBJECT = ['Paris', '★★', 'Oma', 'a/b', 'c|d', 'e/f|g', '<&>"\'', '007', 'kept', 'whole']

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-sidecar-'))
})
after(() => rmSync(folder, { recursive: true }))

const written = (facts: SidecarFacts) => {
  const path = join(folder, 'one.jpg.xmp')
  writeFileSync(path, sidecarText(facts))
  return path
}

describe('the text of a sidecar', () => {
  it('is the same for the same facts, and holds no field that has nothing to say', () => {
    assert.equal(sidecarText(FULL), sidecarText(structuredClone(FULL)))
    assert.doesNotMatch(sidecarText(NOTHING), /rdf:li|DateTimeOriginal|GPS|Rating|Label/)
  })

  it('leaves out what XML can not hold', () => {
    const text = sidecarText({ ...NOTHING, notes: 'a\0b\u0008c\ufffed\ud800e\tf\r\ng' })
    assert.match(text, />abcde\tf&#13;\ng</)
  })

  const DATES: [string, Partial<SidecarFacts['date']>][] = [
    ['1987', { content_datetime: Date.UTC(1987, 6, 2, 12), date_precision: 'year' }],
    ['1987-06', { content_datetime: Date.UTC(1987, 5, 15, 12), date_precision: 'month' }],
    ['1987-06-05', { content_datetime: Date.UTC(1987, 5, 5, 12), date_precision: 'day' }],
    ['1969-12-31T23:59:59', { content_datetime: -1000 }],
    ['1970-01-01T05:45:00+05:45', { content_datetime: 0, content_offset: 345 }],
    ['1970-01-01T00:00:00+00:00', { content_datetime: 0, content_offset: 0 }],
    ['0987-06-05T04:03:02', { content_datetime: Date.parse('0987-06-05T04:03:02Z') }],
  ]
  for (const [text, date] of DATES) {
    it(`says ${text} as precisely as it is known`, () => {
      const said = sidecarText(taken(date))
      for (const name of ['exif:DateTimeOriginal', 'photoshop:DateCreated']) {
        assert.ok(said.includes(`<${name}>${text}</${name}>`), said)
      }
    })
  }

  it('says no date where only the disk or the clock of the server had one', () => {
    for (const date_source of ['mtime', 'upload'] as const) {
      assert.doesNotMatch(sidecarText(taken({ date_source })), /DateTimeOriginal/)
    }
  })

  it('has no minute that is 60', () => {
    const text = sidecarText({ ...NOTHING, latitude: 47.99999999999, longitude: -0.0000000001 })
    assert.match(text, />48,0\.000000N</)
    assert.match(text, />0,0\.000000W</)
  })

  it('is read by exiftool as it was meant', { skip: without('exiftool', '-ver') }, () => {
    const asked = ['-j', '-struct', '-G1', '-n', written(FULL)]
    const [read] = JSON.parse(execFileSync('exiftool', asked, { encoding: 'utf8' }))
    // It makes numbers of what looks like them.
    const texts = (list: unknown[]) => list.map((item) => (item === 7 ? '007' : String(item)))
    assert.deepEqual(texts(read['XMP-digiKam:TagsList']), TAGS_LIST)
    assert.deepEqual(texts(read['XMP-lr:HierarchicalSubject']), HIERARCHICAL)
    assert.deepEqual(texts(read['XMP-dc:Subject']), SUBJECT)
    assert.equal(String(read['XMP-iptcExt:PersonInImage']), 'Oma')
    assert.equal(read['XMP-xmp:Rating'], 4)
    assert.equal(read['XMP-xmp:Label'], 'Red')
    assert.equal(read['XMP-dc:Description'], FULL.notes)
    assert.equal(read['XMP-exif:DateTimeOriginal'], '2019:07:14 20:00:05.250-02:30')
    assert.equal(read['XMP-photoshop:DateCreated'], '2019:07:14 20:00:05.250-02:30')
    assert.ok(Math.abs(read['XMP-exif:GPSLatitude'] - FULL.latitude!) < 1e-7)
    assert.ok(Math.abs(read['XMP-exif:GPSLongitude'] - FULL.longitude!) < 1e-7)
  })

  it('is read by exiv2 as it was meant', { skip: without('exiv2', '--version') }, () => {
    const out = execFileSync('exiv2', ['-PXkv', written(FULL)], { encoding: 'utf8' })
    const of = (key: string) => new RegExp(`^Xmp\\.${key} +(.*)$`, 'm').exec(out)?.[1]
    assert.equal(of('digiKam.TagsList'), TAGS_LIST.join(', '))
    assert.equal(of('lr.hierarchicalSubject'), HIERARCHICAL.join(', '))
    assert.equal(of('dc.subject'), SUBJECT.join(', '))
    assert.equal(of('iptcExt.PersonInImage'), 'Oma')
    assert.equal(of('xmp.Rating'), '4')
    assert.equal(of('xmp.Label'), 'Red')
    assert.equal(of('dc.description'), 'lang="x-default" Zwei')
    assert.equal(of('exif.DateTimeOriginal'), '2019-07-14T20:00:05.250-02:30')
    assert.equal(of('exif.GPSLatitude'), '33,51.407064S')
    assert.ok(readFileSync(written(FULL), 'utf8').endsWith('</x:xmpmeta>\n'))
  })
})
