import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { readExif } from '../../../src/media/child/exif.ts'
import {
  exifOf,
  gifWith,
  iptcRecord,
  jpegWith,
  pngTexts,
  pngWith,
  rawProfile,
  resource,
  webpWith,
  xmpOf,
} from '../../support/media/embedded.ts'
import { temporaryFolder, without, withoutMagick } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
const TEXT = '2019:08:07 06:05:04'
const DATE = '2019-08-07T06:05:04'
const OTHER = '2001:02:03 04:05:06'
const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const PHOTOSHOP = 'Photoshop 3.0\0'
const [APP1, APP13] = [0xe1, 0xed]

const exif = exifOf(TEXT)
const xmp = xmpOf('DateTimeOriginal', DATE)
const records = Buffer.concat([iptcRecord(55, '20190807'), iptcRecord(60, '060504')])
const iptc = resource(0x0404, '', records)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const plain: Record<string, Buffer> = {}
before(async () => {
  folder = await temporaryFolder()
  const picture = sharp({ create: { width: 16, height: 12, channels: 3, background: '#456' } })
  for (const type of ['jpeg', 'png', 'webp', 'gif'] as const) {
    plain[type] = await picture.clone().toFormat(type).toBuffer()
  }
})
after(() => folder.remove())

const taken = async (type: string, bytes: Buffer) => {
  const path = join(folder.path, `picture.${type}`)
  writeFileSync(path, bytes)
  const { dates } = await readExif(path, `image/${type}`)
  return [...new Set(dates.map(({ clock }) => new Date(clock).toISOString().slice(0, 19)))]
}

describe('the date of a JPEG', () => {
  const jpeg = async (...segments: Parameters<typeof jpegWith>[1]) =>
    taken('jpeg', jpegWith(plain.jpeg!, segments))

  it('is found in EXIF that goes on in the next segments', async () => {
    for (const [first, second] of [
      [10, 30],
      [30, 60],
    ] as const) {
      const parts = [exif.subarray(0, first), exif.subarray(first, second), exif.subarray(second)]
      const segments = parts.map((part): [number, string, Buffer] => [APP1, EXIF, part])
      assert.deepEqual(await jpeg(...segments), [DATE])
      if (withoutExiftool) continue
      const args = ['-s3', '-DateTimeOriginal', join(folder.path, 'picture.jpeg')]
      assert.equal(execFileSync('exiftool', args, { encoding: 'utf8' }).trim(), TEXT)
    }
    const [first, second] = [exif.subarray(0, 30), exif.subarray(30)]
    const other = exifOf(OTHER)
    const all = [first, second, other].map((part): [number, string, Buffer] => [APP1, EXIF, part])
    assert.deepEqual(await jpeg(...all), [DATE])
  })

  it('is that of the first EXIF that says something', async () => {
    const bad = [
      exifOf(null),
      exifOf('0000:00:00 00:00:00'),
      exifOf('    :  :     :  :  '),
      exifOf('unknown'),
      Buffer.alloc(0),
      Buffer.from('II*\0\xff\xff\xff\xff', 'latin1'),
      Buffer.from('garbage that is no TIFF'),
      exif.subarray(0, 20),
    ]
    for (const [n, one] of bad.entries()) {
      assert.deepEqual(await jpeg([APP1, EXIF, one], [APP1, EXIF, exif]), [DATE], `${n}`)
    }
    const all = bad.map((one): [number, string, Buffer] => [APP1, EXIF, one])
    assert.deepEqual(await jpeg(...all, [APP1, EXIF, exif]), [DATE])
    assert.deepEqual(await jpeg([APP1, EXIF, exif], [APP1, EXIF, exifOf(OTHER)]), [DATE])
    const many = Array.from({ length: 8 }, (): [number, string, Buffer] => [
      APP1,
      EXIF,
      exifOf(null),
    ])
    assert.deepEqual(await jpeg(...many, [APP1, EXIF, exif]), [])
  })

  it('is that of the first XMP that says something', async () => {
    const bad = [
      Buffer.alloc(0),
      Buffer.from('<x:xmpmeta'),
      xmpOf('DateTimeOriginal', ''),
      xmpOf('ISOSpeed', '1'),
    ]
    for (const [n, one] of bad.entries()) {
      assert.deepEqual(await jpeg([APP1, XMP, one], [APP1, XMP, xmp]), [DATE], `${n}`)
    }
  })

  it('is found in IPTC, also in that of a second segment, or across two', async () => {
    const other = resource(0x040c, 'thumbnail', Buffer.alloc(300, 7))
    const whole = Buffer.concat([other, iptc])
    const broken = Buffer.from('8BIM\x04')
    assert.deepEqual(await jpeg([APP13, PHOTOSHOP, whole]), [DATE])
    for (const first of [other, broken, Buffer.alloc(0)]) {
      assert.deepEqual(await jpeg([APP13, PHOTOSHOP, first], [APP13, PHOTOSHOP, whole]), [DATE])
    }
    const [start, rest] = [whole.subarray(0, 100), whole.subarray(100)]
    assert.deepEqual(await jpeg([APP13, PHOTOSHOP, start], [APP13, PHOTOSHOP, rest]), [DATE])
  })

  it('is found in IPTC of which too much follows, and before more than is read', async () => {
    const other = resource(0x040c, '', Buffer.alloc(65_000))
    const more = Array.from({ length: 17 }, (): [number, string, Buffer] => [
      APP13,
      PHOTOSHOP,
      other,
    ])
    assert.deepEqual(await jpeg([APP13, PHOTOSHOP, iptc], ...more), [DATE])
    const unread = Array.from({ length: 300 }, (): [number, Buffer] => [0xe2, Buffer.alloc(65_533)])
    assert.deepEqual(await jpeg([APP13, PHOTOSHOP, iptc], ...unread), [DATE])
  })

  it('is found where Casio wrote it before there was EXIF', async () => {
    const block = Buffer.alloc(0x80)
    block.write('QVCI\0', 'latin1')
    block.write('2019.08.07.06.05.04\0', 0x4d, 'latin1')
    assert.deepEqual(await jpeg([APP1, block]), [DATE])
  })

  it('is found behind bytes that belong to no segment', async () => {
    const bytes = jpegWith(plain.jpeg!, [
      [0xe2, 'MPF\0'],
      [APP1, EXIF, exif],
    ])
    const at = bytes.indexOf(Buffer.from([0xff, APP1]))
    for (const odd of [
      '\xff\xff\xff',
      '\xff'.repeat(5000),
      'odd',
      '\0'.repeat(70_000),
      '\xff\x01',
      '\xff\xd0',
    ]) {
      const parts = [bytes.subarray(0, at), Buffer.from(odd, 'latin1'), bytes.subarray(at)]
      assert.deepEqual(await taken('jpeg', Buffer.concat(parts)), [DATE], JSON.stringify(odd))
    }
  })

  it('is none in pixels and behind the end', async () => {
    const [segment] = [jpegWith(plain.jpeg!, [[APP1, EXIF, exif]]).subarray(2)]
    assert.deepEqual(await taken('jpeg', Buffer.concat([plain.jpeg!, segment])), [])
  })
})

describe('the date of a PNG', () => {
  const png = async (chunks: Parameters<typeof pngWith>[1], isLate = false) =>
    taken('png', pngWith(plain.png!, chunks, isLate))

  it('is found in its chunk for EXIF, with the head of a JPEG too, and behind pixels', async () => {
    for (const body of [exif, Buffer.concat([Buffer.from(EXIF), exif])]) {
      for (const isLate of [false, true]) {
        assert.deepEqual(await png([['eXIf', body]], isLate), [DATE])
      }
    }
    const both: [string, Buffer][] = [
      ['eXIf', exifOf(null)],
      ['eXIf', exif],
    ]
    assert.deepEqual(await png(both), [DATE])
  })

  it('is found in each text in which programs write a profile', async () => {
    const headed = (head: string, bytes: Buffer) => Buffer.concat([Buffer.from(head), bytes])
    const profiles: [name: string, bytes: Buffer][] = [
      ['exif', headed(EXIF, exif)],
      ['exif', exif],
      ['APP1', headed(EXIF, exif)],
      ['APP1', headed(XMP, xmp)],
      ['xmp', xmp],
      ['iptc', iptc],
      ['iptc', headed(PHOTOSHOP, iptc)],
      ['iptc', records],
      ['8bim', iptc],
    ]
    for (const [name, bytes] of profiles) {
      for (const chunk of pngTexts(`Raw profile type ${name}`, rawProfile(name, bytes))) {
        assert.deepEqual(await png([chunk]), [DATE], `${name} in ${chunk[0]}`)
        assert.deepEqual(await png([chunk], true), [DATE], `${name} behind pixels`)
      }
    }
  })

  it('is found in its text for XMP', async () => {
    for (const chunk of pngTexts('XML:com.adobe.xmp', xmp)) {
      assert.deepEqual(await png([chunk]), [DATE], chunk[0])
    }
  })

  it('is found in texts with the names of EXIF', async () => {
    for (const name of ['DateTimeOriginal', 'DateTimeDigitized', 'DateTime']) {
      const [chunk] = pngTexts(`exif:${name}`, Buffer.from(TEXT))
      assert.deepEqual(await png([chunk!]), [DATE], name)
    }
  })

  it('comes with the place that stands beside it', async () => {
    const texts = {
      GPSLatitude: '33/1, 30/1, 0/1',
      GPSLatitudeRef: 'S',
      GPSLongitude: '70/1, 15/1, 3600/100',
      GPSLongitudeRef: 'W',
    }
    const chunks = Object.entries(texts).map(
      ([name, text]) => pngTexts(`exif:${name}`, Buffer.from(text))[0]!,
    )
    const path = join(folder.path, 'placed.png')
    const placed = async () => {
      writeFileSync(path, pngWith(plain.png!, chunks))
      const { exif } = await readExif(path, 'image/png')
      return [exif.latitude, exif.longitude]
    }
    assert.deepEqual(await placed(), [-33.5, -70.26])
    chunks.unshift(pngTexts('exif:GPSLatitude', Buffer.from('33/0, 30/1, 0/1'))[0]!)
    assert.deepEqual(await placed(), [undefined, undefined])
  })

  it('is its time of creation, as the specification advises and as programs write it', async () => {
    for (const text of [
      'Wed, 07 Aug 2019 06:05:04 GMT',
      'Wed, 7 Aug 2019 06:05:04 +0200',
      '7 Aug 2019 06:05:04',
      'Wed 07 Aug 2019 06:05:04 AM CEST',
      '2019-08-07T06:05:04+02:00',
      '2019:08:07 06:05:04',
    ]) {
      for (const chunk of pngTexts('Creation Time', Buffer.from(text))) {
        assert.deepEqual(await png([chunk]), [DATE], text)
      }
    }
  })

  it('is that of the first profile that is not broken', async () => {
    const raw = (name: string, bytes: Buffer) =>
      pngTexts(`Raw profile type ${name}`, rawProfile(name, bytes))[0]!
    const good = raw('exif', exif)
    const deflated = pngTexts('Raw profile type exif', rawProfile('exif', exif))[1]!
    const broken: [string, Buffer] = ['zTXt', deflated[1].subarray(0, 40)]
    for (const bad of [raw('exif', exifOf(null)), raw('exif', exif.subarray(0, 9)), broken]) {
      assert.deepEqual(await png([bad, good]), [DATE])
    }
    const noDigits = pngTexts('Raw profile type exif', Buffer.from('exif'))[0]!
    assert.deepEqual(await png([noDigits, good]), [DATE])
  })

  it('is lost to no text beside it that is blank', async () => {
    const [blank] = pngTexts('exif:Make', Buffer.from(' '))
    const [nothing] = pngTexts('exif:GPSLatitude', Buffer.from('0/0'))
    const [date] = pngTexts('exif:DateTimeOriginal', Buffer.from(TEXT))
    assert.deepEqual(await png([blank!, nothing!, date!]), [DATE])
  })

  it('is not lost to EXIF that can not be read', async () => {
    const [date] = pngTexts('exif:DateTimeOriginal', Buffer.from(TEXT))
    assert.deepEqual(await png([date!, ['eXIf', exifOf('0000:00:00 00:00:00')]]), [DATE])
  })

  it('is one of a hundred at most', async () => {
    const chunks = Array.from({ length: 101 }, (_, n) => {
      const time = new Date(Date.UTC(2019, 0, 1 + n, 6)).toISOString()
      return pngTexts('Creation Time', Buffer.from(time))[0]!
    })
    assert.equal((await png(chunks)).length, 100)
  })

  it('is none in times of the file itself', async () => {
    for (const keyword of ['date:create', 'date:modify', 'Comment']) {
      assert.deepEqual(await png([pngTexts(keyword, Buffer.from(DATE))[0]!]), [], keyword)
    }
  })
})

describe('the date of a WebP', () => {
  it('is found where its head says nothing of it', async () => {
    const webp = async (chunks: Parameters<typeof webpWith>[1]) =>
      taken('webp', webpWith(plain.webp!, chunks))
    assert.deepEqual(await webp([['EXIF', exif]]), [DATE])
    assert.deepEqual(await webp([['EXIF', Buffer.concat([Buffer.from(EXIF), exif])]]), [DATE])
    assert.deepEqual(await webp([['XMP ', xmp]]), [DATE])
    assert.deepEqual(await webp([['XMP\0', xmp]]), [DATE])
    const both: [string, Buffer][] = [
      ['EXIF', exifOf(null)],
      ['EXIF', exif],
    ]
    assert.deepEqual(await webp(both), [DATE])
    const animated = await sharp(plain.gif!)
      .webp()
      .withExif({ IFD0: { Make: 'M' } })
      .toBuffer()
    assert.equal(animated.toString('latin1', 12, 16), 'VP8X')
    animated[20] = 0
    assert.deepEqual(await taken('webp', webpWith(animated, [['EXIF', exif]])), [DATE])
  })
})

describe('the date of a GIF', () => {
  it('is found in XMP, written as it should be or in parts', async () => {
    for (const how of [{}, { hasLengths: true }, { isLate: true }]) {
      const bytes = gifWith(plain.gif!, xmp, how)
      assert.deepEqual(await taken('gif', bytes), [DATE], JSON.stringify(how))
      for (let length = 0; length < bytes.length; length += 7) {
        await taken('gif', bytes.subarray(0, length))
      }
    }
  })

  it('is found behind a comment, whatever the lengths of its parts', async () => {
    for (const most of [1, 2, 254, 255]) {
      const lengths = Array.from({ length: 9000 }, (_, n) => 1 + (n % most))
      const parts = lengths.map((length) => Buffer.alloc(1 + length, length))
      const comment = Buffer.concat([Buffer.from('!\xfe', 'latin1'), ...parts, Buffer.of(0)])
      const table = gifWith(plain.gif!, Buffer.alloc(0)).indexOf('!\xff', 0, 'latin1')
      const bytes = gifWith(plain.gif!, xmp)
      const whole = Buffer.concat([bytes.subarray(0, table), comment, bytes.subarray(table)])
      assert.deepEqual(await taken('gif', whole), [DATE], `${most}`)
    }
  })
})

describe('the date of a picture in ISO boxes', () => {
  it('is found whatever its brand is', async () => {
    const picture = sharp({ create: { width: 16, height: 12, channels: 3, background: '#456' } })
    const dated = picture.withExif({ IFD2: { DateTimeOriginal: TEXT } })
    const avif = await dated.avif().toBuffer()
    for (const brand of ['avif', 'mif1', 'miaf', 'avci', 'hevx']) {
      avif.write(brand, 8, 'latin1')
      assert.deepEqual(await taken('heif', avif), [DATE], brand)
    }
  })
})

describe('XMP', () => {
  it('is read under any prefix, and in UTF-16', async () => {
    const other = xmpOf('DateTimeOriginal', DATE, 'ns0')
    const text = xmp.toString()
    const wide = Buffer.from(text, 'utf16le')
    const bytes = [other, Buffer.from(`\ufeff${text}`), wide, Buffer.from(wide).swap16()]
    for (const [n, one] of bytes.entries()) {
      assert.deepEqual(await taken('webp', webpWith(plain.webp!, [['XMP ', one]])), [DATE], `${n}`)
    }
  })
})

describe('a picture that means harm', () => {
  it('says what it can, and ends, wherever it is cut off', async () => {
    const pictures: Record<string, Buffer> = {
      jpeg: jpegWith(plain.jpeg!, [
        [APP1, EXIF, exif],
        [APP1, XMP, xmp],
        [APP13, PHOTOSHOP, iptc],
      ]),
      png: pngWith(plain.png!, pngTexts('Raw profile type exif', rawProfile('exif', exif))),
      webp: webpWith(plain.webp!, [['EXIF', exif]]),
    }
    for (const [type, bytes] of Object.entries(pictures)) {
      assert.deepEqual(await taken(type, bytes), [DATE], type)
      for (let length = 0; length < bytes.length; length += 11) {
        assert.ok((await taken(type, bytes.subarray(0, length))).length <= 1, type)
      }
    }
  })

  it('is not read beyond some blocks and some bytes', { timeout: 60_000 }, async () => {
    const many = (name: string, body: Buffer, count: number) =>
      Array.from({ length: count }, (): [string, Buffer] => [name, body])
    const good = pngTexts('Creation Time', Buffer.from(TEXT))[0]!
    const large = pngTexts('Raw profile type exif', Buffer.alloc(2 ** 20, 'f'))[1]!
    const tooLarge = pngTexts('Raw profile type exif', Buffer.alloc(2 ** 22, 'f'))[1]!
    const png = (chunks: [string, Buffer][]) => taken('png', pngWith(plain.png!, chunks))
    assert.deepEqual(await png([...many(...large, 3), good]), [DATE])
    assert.deepEqual(await png([...many(...large, 300), good]), [])
    assert.deepEqual(await png([...many(...tooLarge, 300), good]), [])
    assert.deepEqual(await png([...many('eXIf', Buffer.alloc(0), 300), good]), [])
    const webp = many('EXIF', Buffer.alloc(0), 300)
    assert.deepEqual(await taken('webp', webpWith(plain.webp!, [...webp, ['EXIF', exif]])), [])
    const huge = Buffer.from(plain.webp!)
    const cut = webpWith(huge, [['EXIF', exif]])
    cut.writeUInt32LE(0xffffffff, huge.length + 4)
    assert.deepEqual(await taken('webp', cut), [])
  })
})

describe('what ImageMagick makes of EXIF and XMP', { skip: withoutMagick('PNG') }, () => {
  it('is read in each type of picture', { skip: withoutExiftool }, async () => {
    for (const [n, segment] of [
      [APP1, EXIF, exif],
      [APP1, XMP, xmp],
      [APP13, PHOTOSHOP, iptc],
    ].entries()) {
      const source = join(folder.path, `source${n}.jpg`)
      writeFileSync(source, jpegWith(plain.jpeg!, [segment as [number, string, Buffer]]))
      for (const type of ['png', 'webp', 'jpeg']) {
        const path = join(folder.path, `made${n}.${type === 'jpeg' ? 'jpg' : type}`)
        execFileSync('convert', [source, path])
        const asked = ['-s3', '-d', '%Y-%m-%dT%H:%M:%S', '-DateTimeOriginal', '-DateCreated']
        const told = execFileSync('exiftool', [...asked, path])
          .toString()
          .split('\n')[0]
        if (told === '') continue
        const { dates } = await readExif(path, `image/${type}`)
        const [date] = dates.map(({ clock }) => new Date(clock).toISOString())
        assert.ok(date?.startsWith(told!), `${path} ${told} ${date}`)
      }
    }
  })
})
