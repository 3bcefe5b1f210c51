import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { readCaptions } from '../../../src/media/child/captions.ts'
import { readExif } from '../../../src/media/child/exif.ts'
import { inOrder } from '../../../src/media/date-order.ts'
import { firstDate } from '../../../src/media/dates.ts'
import { iptcRecord as record, resource } from '../../support/media/embedded.ts'
import { temporaryFolder, without } from '../../support/media/media.ts'
import { madeOnce } from '../../support/run-folder.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
const HERE = { now: Date.UTC(2026, 0, 1), timeZone: 'Asia/Kathmandu' }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const plain: Record<string, Buffer> = {}
before(async () => {
  folder = await temporaryFolder()
  const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: '#456' } })
  plain.jpeg = await picture.jpeg().toBuffer()
  plain.png = await picture.png().toBuffer()
  plain.webp = await picture.webp().toBuffer()
  plain.avif = await picture.avif().toBuffer()
  plain.tiff = await picture.tiff().toBuffer()
})
after(() => folder.remove())

/** Writes pictures of a type, each with what exiftool makes of its arguments. */
async function pictures(all: string[][], type = 'jpeg'): Promise<string[]> {
  const paths = all.map((_, n) => join(folder.path, `${n}.${type === 'jpeg' ? 'jpg' : type}`))
  const made = await madeOnce('pictures.json', ['exiftool', type, all], (list) => {
    for (const path of paths) writeFileSync(path, plain[type]!)
    // One process for all of them, since it takes long to start.
    const options = ['-q', '-q', '-n', '-overwrite_original']
    const commands = all.flatMap((args, n) => [...options, ...args, paths[n]!, '-execute'])
    execFileSync('exiftool', commands)
    writeFileSync(list, JSON.stringify(paths.map((path) => readFileSync(path, 'base64'))))
  })
  const contents: string[] = JSON.parse(readFileSync(made, 'utf8'))
  for (const [n, path] of paths.entries()) writeFileSync(path, contents[n]!, 'base64')
  return paths
}

const picture = async (args: string[], type?: string) => (await pictures([args], type))[0]!

async function read(path: string, type = 'jpeg') {
  const { exif, dates } = await readExif(path, `image/${type}`)
  return { exif, date: firstDate(dates, HERE) }
}

const GPS = ['-GPSDateStamp=2007:07:07', '-GPSTimeStamp=05:06:07']

/** Where a date may stand, the best place first: how it is written there, and what it is then. */
const SOURCES: { name: string; args: string[]; bad: string[]; iso: string; source: string }[] = [
  {
    name: 'EXIF DateTimeOriginal',
    args: ['-EXIF:DateTimeOriginal=2001:01:01 01:01:01', '-EXIF:OffsetTimeOriginal=+01:00'],
    bad: ['-EXIF:DateTimeOriginal=0000:00:00 00:00:00'],
    iso: '2001-01-01T00:01:01.000Z',
    source: 'exif',
  },
  {
    name: 'XMP exif:DateTimeOriginal',
    args: ['-XMP-exif:DateTimeOriginal=2002:02:02 02:02:02+02:00'],
    bad: ['-XMP-exif:DateTimeOriginal=2002:13:02 02:02:02'],
    iso: '2002-02-02T00:02:02.000Z',
    source: 'xmp',
  },
  {
    name: 'XMP photoshop:DateCreated',
    args: ['-XMP-photoshop:DateCreated=2003:03:03 03:03:03+03:00'],
    bad: ['-XMP-photoshop:DateCreated=2003:02:30'],
    iso: '2003-03-03T00:03:03.000Z',
    source: 'xmp',
  },
  {
    name: 'IPTC DateCreated',
    args: ['-IPTC:DateCreated=20040404', '-IPTC:TimeCreated=040404+0400'],
    bad: ['-IPTC:DateCreated=20041304', '-IPTC:TimeCreated=040404+0400'],
    iso: '2004-04-04T00:04:04.000Z',
    source: 'xmp',
  },
  {
    name: 'EXIF DateTimeDigitized',
    args: ['-EXIF:CreateDate=2005:05:05 05:05:05', '-EXIF:OffsetTimeDigitized=+05:00'],
    bad: ['-EXIF:CreateDate=    :  :     :  :  '],
    iso: '2005-05-05T00:05:05.000Z',
    source: 'exif',
  },
  {
    name: 'XMP xmp:CreateDate',
    args: ['-XMP-xmp:CreateDate=2006:06:06 06:06:06+06:00'],
    bad: ['-XMP-xmp:CreateDate=1825:06:06 06:06:06+06:00'],
    iso: '2006-06-06T00:06:06.000Z',
    source: 'xmp',
  },
  { name: 'GPS', args: GPS, bad: GPS.slice(1), iso: '2007-07-07T05:06:07.000Z', source: 'gps' },
  {
    name: 'EXIF DateTime',
    args: ['-EXIF:ModifyDate=2008:08:08 08:08:08', '-EXIF:OffsetTime=+08:00'],
    bad: ['-EXIF:ModifyDate=1980:01:01 00:00:00'],
    iso: '2008-08-08T00:08:08.000Z',
    source: 'exif',
  },
]

const told = ({ iso, source }: { iso: string; source: string }) => [iso, source]
const found = ({ date }: Awaited<ReturnType<typeof read>>) =>
  date && [new Date(date.content_datetime).toISOString(), date.date_source]

describe('the date of a picture', { skip: withoutExiftool }, () => {
  it('is taken from each of its sources', async () => {
    const paths = await pictures(SOURCES.map(({ args }) => args))
    for (const [n, one] of SOURCES.entries()) {
      assert.deepEqual(found(await read(paths[n]!)), told(one), one.name)
    }
  })

  it('is taken from the better of two sources, and from the other where that is malformed', async () => {
    const pairs = SOURCES.slice(1).map((other, n) => ({ better: SOURCES[n]!, other }))
    const both = await pictures(pairs.map(({ better, other }) => [...better.args, ...other.args]))
    for (const [n, { better, other }] of pairs.entries()) {
      assert.deepEqual(found(await read(both[n]!)), told(better), `${better.name}, ${other.name}`)
    }
    const bad = await pictures(pairs.map(({ better, other }) => [...other.args, ...better.bad]))
    for (const [n, { better, other }] of pairs.entries()) {
      assert.deepEqual(found(await read(bad[n]!)), told(other), `not ${better.name}`)
    }
  })

  it('is found in pictures of every type', async () => {
    for (const type of Object.keys(plain)) {
      const one = SOURCES[1]!
      assert.deepEqual(found(await read(await picture(one.args, type), type)), told(one), type)
    }
    const ofTiff = await read(await picture(SOURCES[3]!.args, 'tiff'), 'tiff')
    assert.deepEqual(found(ofTiff), told(SOURCES[3]!))
  })

  it('has the zone that stands beside it, or that of the server', async () => {
    const zones = Object.entries({ '+02:00': 120, '-03:30': -210, Z: 0, '': 345 })
    const xmp = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate']
    const inXmp = xmp.flatMap((name) =>
      zones.map(([zone, offset]) => ({
        args: [`-XMP-${name}=2002:02:02 02:02:02.25${zone}`],
        offset,
        ms: 250,
      })),
    )
    const exif: [string, string, string][] = [
      ['DateTimeOriginal', 'OffsetTimeOriginal', 'SubSecTimeOriginal'],
      ['CreateDate', 'OffsetTimeDigitized', 'SubSecTimeDigitized'],
      ['ModifyDate', 'OffsetTime', 'SubSecTime'],
    ]
    const inExif = exif.flatMap(([date, zoneOf, fraction]) =>
      zones.map(([zone, offset]) => ({
        args: [
          `-EXIF:${date}=2002:02:02 02:02:02`,
          `-EXIF:${fraction}=05`,
          ...(zone === '' ? [] : [`-EXIF:${zoneOf}=${zone}`]),
        ],
        offset,
        ms: 50,
      })),
    )
    const all = [...inXmp, ...inExif]
    for (const [n, path] of (await pictures(all.map(({ args }) => args))).entries()) {
      const { args, offset, ms } = all[n]!
      const { date } = await read(path)
      const time = Date.UTC(2002, 1, 2, 2, 2, 2, ms) - offset * 60_000
      assert.deepEqual([date?.content_datetime, date?.content_offset], [time, offset], args.join())
    }
  })

  it('has the zone of IPTC, or that of the server', async () => {
    for (const [zone, offset] of Object.entries({ '+0200': 120, '-0330': -210, '': 345 })) {
      const iptc = Buffer.concat([record(55, '20020202'), record(60, `020202${zone}`)])
      const { dates } = readCaptions([{ kind: 'iptc', bytes: iptc }])
      const date = firstDate(inOrder(dates), HERE)
      const time = Date.UTC(2002, 1, 2, 2, 2, 2) - offset * 60_000
      assert.deepEqual([date?.content_datetime, date?.content_offset], [time, offset], zone)
    }
  })

  it('is the one of IPTC where XMP has an impossible one', async () => {
    const bad = '-XMP-photoshop:DateCreated=1980:01:01 00:00:00'
    assert.deepEqual(
      found(await read(await picture([bad, ...SOURCES[3]!.args]))),
      told(SOURCES[3]!),
    )
  })

  it('is found by the name that Adobe wrote before 2005', async () => {
    const about = '<rdf:Description xap:CreateDate="2004-11-14T08:41:16Z"/>'
    const { dates } = readCaptions([
      { kind: 'xmp', bytes: Buffer.from(`<rdf:RDF>${about}</rdf:RDF>`) },
    ])
    const clock = Date.UTC(2004, 10, 14, 8, 41, 16)
    assert.deepEqual(inOrder(dates), [{ clock, offset: 0, source: 'xmp', precision: null }])
  })

  it('is noon of a day alone', async () => {
    const noon = Date.UTC(2003, 2, 3, 12) - 345 * 60_000
    const args = ['-XMP-photoshop:DateCreated=2003:03:03', '-IPTC:DateCreated=2003:03:03']
    for (const path of await pictures(args.map((arg) => [arg]))) {
      const { date } = await read(path)
      assert.equal(date?.content_datetime, noon, path)
    }
  })
})

describe('IPTC among other resources of Photoshop', () => {
  const iptc = record(25, 'sea')
  const thumbnail = Buffer.concat([Buffer.from([9]), record(25, 'garbage')])

  it('is found, whatever the others hold', async () => {
    for (const name of ['', 'a', 'ab']) {
      const all = [resource(0x040c, name, thumbnail), resource(0x0404, name, iptc)]
      const bytes = Buffer.concat([Buffer.from('Photoshop 3.0\0'), ...all])
      assert.deepEqual(readCaptions([{ kind: 'iptc', bytes: bytes }]).keywords, ['sea'], name)
    }
    const without = Buffer.concat([Buffer.from('Photoshop 3.0\0'), resource(0x040c, '', thumbnail)])
    assert.deepEqual(readCaptions([{ kind: 'iptc', bytes: without }]).keywords, [])
  })

  it('is absent where they are cut off', async () => {
    const whole = Buffer.concat([Buffer.from('Photoshop 3.0\0'), resource(0x040c, 'a', thumbnail)])
    for (let length = 0; length < whole.length; length++) {
      const { keywords } = readCaptions([{ kind: 'iptc', bytes: whole.subarray(0, length) }])
      assert.deepEqual(keywords, [], `${length} bytes`)
    }
  })
})

describe('XMP that means harm', () => {
  it('says nothing, and ends', { timeout: 60_000 }, async () => {
    for (const part of ['<rdf:li><a:b>', '<a:b>', '<a:b c:d="', '&amp;', '<!DOCTYPE a [']) {
      const xmp = Buffer.alloc(2 ** 20, part, 'latin1')
      assert.deepEqual(readCaptions([{ kind: 'xmp', bytes: xmp }]).keywords, [], part)
    }
    const nuls = Buffer.alloc(2 ** 20, '\0')
    nuls[nuls.length - 1] = 0x78
    assert.deepEqual(readCaptions([{ kind: 'xmp', bytes: nuls }]).keywords, [])
    const items = `<dc:subject><rdf:Bag>${'<a/>'.repeat(250_000)}</rdf:Bag></dc:subject>`
    const many = `<rdf:RDF><rdf:Description>${items}</rdf:Description></rdf:RDF>`
    assert.deepEqual(readCaptions([{ kind: 'xmp', bytes: Buffer.from(many) }]).keywords, [])
    const subject = '<dc:subject>x</dc:subject>'
    const whole = `<rdf:RDF><rdf:Description>${subject.repeat(40_000)}</rdf:Description></rdf:RDF>`
    assert.deepEqual(readCaptions([{ kind: 'xmp', bytes: Buffer.from(whole) }]).keywords, ['x'])
    const rows = Array.from({ length: 50_000 }, (_, n) => ` a${n}=""`).join('')
    const item = `<a><rdf:li>${'<a>'.repeat(2000)}<a${rows}/>${'</a>'.repeat(2000)}</rdf:li></a>`
    const deep = whole.replace(subject, `<Container:Directory>${item}</Container:Directory>`)
    const bytes = Buffer.from(deep.replace(subject.repeat(30_000), ''))
    assert.deepEqual(readCaptions([{ kind: 'xmp', bytes }]).keywords, ['x'])
    const large = Buffer.from(whole.padEnd(2 ** 20 + 1))
    assert.deepEqual(readCaptions([{ kind: 'xmp', bytes: large }]).keywords, [])
  })
})

describe('keywords and caption', { skip: withoutExiftool }, () => {
  it('are those of IPTC and XMP, each once', async () => {
    const iptc = ['-IPTC:Keywords=sea', '-IPTC:Keywords=Süd', '-IPTC:Caption-Abstract=Am Meer ☀']
    const xmp = [
      '-XMP-dc:Subject=sea',
      '-XMP-dc:Subject=<b> & "c"',
      '-XMP-dc:Description=By the sea',
    ]
    const both = await read(await picture(['-CodedCharacterSet=UTF8', ...iptc, ...xmp]))
    assert.deepEqual(both.exif.Keywords, ['sea', 'Süd', '<b> & "c"'])
    assert.equal(both.exif.ImageDescription, 'Am Meer ☀')
    const alone = await read(await picture(xmp))
    assert.deepEqual(alone.exif.Keywords, ['sea', '<b> & "c"'])
    assert.equal(alone.exif.ImageDescription, 'By the sea')
    const latin = await read(await picture(['-IPTC:Keywords=Süd', '-IPTC:CodedCharacterSet=']))
    assert.deepEqual(latin.exif.Keywords, ['Süd'])
  })

  it('come with the place in XMP, where EXIF has none', async () => {
    const xmp = ['-XMP-exif:GPSLatitude=-33.5', '-XMP-exif:GPSLongitude=-70.26']
    const exif = ['-GPSLatitude=48', '-GPSLatitudeRef=N', '-GPSLongitude=16', '-GPSLongitudeRef=E']
    const zeros = exif.map((tag) => tag.replace('-', '-EXIF:').replace(/\d+/, '0'))
    const xmpZeros = xmp.map((tag) => tag.replace(/[-.\d]+$/, '0'))
    const [alone, both, first, none] = await pictures([
      xmp,
      [...xmp, ...exif],
      [...xmp, ...zeros],
      [...xmpZeros, ...zeros],
    ])
    const ofXmp = (await read(alone!)).exif
    assert.ok(Math.abs(Number(ofXmp.latitude) + 33.5) < 1e-6, `${ofXmp.latitude}`)
    assert.ok(Math.abs(Number(ofXmp.longitude) + 70.26) < 1e-6, `${ofXmp.longitude}`)
    const ofBoth = (await read(both!)).exif
    assert.deepEqual([ofBoth.latitude, ofBoth.longitude], [48, 16])
    // Where both are 0, there is no place.
    assert.equal((await read(first!)).exif.latitude, ofXmp.latitude)
    const nowhere = (await read(none!)).exif
    assert.deepEqual(nowhere.GPSLatitude, [0, 0, 0])
    assert.deepEqual([nowhere.latitude, nowhere.longitude], [undefined, undefined])
  })

  it('are read soon of XMP with many namespaces', { timeout: 10_000 }, () => {
    const list = (make: (n: number) => string) => Array.from({ length: 9000 }, (_, n) => make(n))
    const spaces = list((n) => `xmlns:a${n}="b${n}"`).join(' ')
    const properties = list((n) => `<c:d xmlns:c="e${n}"/>`).join('')
    const subject = '<p:subject xmlns:p="http://purl.org/dc/elements/1.1/">sea</p:subject>'
    const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    const described = `<rdf:Description ${spaces}>${properties}${subject}</rdf:Description>`
    const bytes = Buffer.from(`<rdf:RDF ${rdf}>${described}</rdf:RDF>`)
    assert.deepEqual(readCaptions([{ kind: 'xmp', bytes }]).keywords, ['sea'])
  })

  it('leave the caption that EXIF has', async () => {
    const args = ['-EXIF:ImageDescription=Of the camera', '-XMP-dc:Description=Of a program']
    assert.equal((await read(await picture(args))).exif.ImageDescription, 'Of the camera')
  })

  it('are absent where they are broken, and nothing else is', async () => {
    const args = [...SOURCES[0]!.args, '-XMP-dc:Subject=keyword', '-EXIF:Model=One']
    const path = await picture(args)
    const whole = readFileSync(path)
    const at = whole.indexOf('<x:xmpmeta')
    const end = whole.indexOf('</x:xmpmeta>')
    const ENTITY = '<!DOCTYPE a [<!ENTITY b "c">]><x:xmpmeta>&b;</x:xmpmeta>'
    for (const garbage of ['<', '\0', '<a:b>', '<rdf:li><a:b>', 'a="', ENTITY]) {
      const broken = Buffer.from(whole)
      broken.fill(garbage, at, end, 'latin1')
      writeFileSync(path, broken)
      const { exif, date } = await read(path)
      assert.deepEqual([exif.Model, exif.Keywords], ['One', undefined], garbage)
      assert.equal(date?.date_source, 'exif')
    }
  })
})
