import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { readCaptions } from '../../../src/media/child/captions.ts'
import type { Embedded } from '../../../src/media/child/embedded.ts'
import { isAnswer } from '../../../src/media/decoder/answers.ts'
import { startDecoder } from '../../../src/media/decoder/decoder.ts'
import { MAX_SIDECAR, type Sidecar } from '../../../src/media/description.ts'
import { iptcRecord, jpegWith } from '../../support/media/embedded.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { fc } from '../../support/property.ts'

const BLOCKS = 2000
const LARGE = MAX_SIDECAR

// Texts that come into names: long, deep, empty, of controls, of half characters, of many marks.
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('a/b|c', '/', '|', '\0x', '\ud800', '007', 'e\u0301', '\u200b', 'x&y', ' '),
  fc.nat(3000).map((n) => 'x'.repeat(n)),
  fc.nat(3000).map((n) => 'a/'.repeat(n)),
  fc.nat(3000).map((n) => `e${'\u0301'.repeat(n)}`),
)
const escaped = (text: string) =>
  text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`)

const NAMES = [
  'digiKam:TagsList',
  'lr:hierarchicalSubject',
  'dc:subject',
  'dc:description',
  'MicrosoftPhoto:LastKeywordXMP',
  'MicrosoftPhoto:Rating',
  'xmp:Rating',
  'xmp:Label',
  'Iptc4xmpExt:PersonInImage',
  'mwg-rs:Regions',
  'mwg-rs:RegionList',
  'mwg-rs:Name',
  'MP:RegionInfo',
  'rdf:Bag',
  'rdf:Alt',
  'rdf:li',
  'rdf:Description',
  'exif:DateTimeOriginal',
  '__proto__',
]
const name = fc.constantFrom(...NAMES)

const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word.map(escaped),
    word.map((text) => `<![CDATA[${text}]]>`),
    fc
      .tuple(name, name, word, fc.array(tie('element'), { maxLength: 6 }))
      .map(([tag, attribute, text, inner]) => {
        return `<${tag} ${attribute}="${escaped(text)}">${inner.join('')}</${tag}>`
      }),
  ),
}))

// What parsers have died of: entities, depth, documents that never end, and what repeats without end.
const bomb = fc
  .tuple(
    fc.constantFrom(
      '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><rdf:RDF>&c;</rdf:RDF>',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><rdf:RDF>&b;</rdf:RDF>',
      '<rdf:li><mwg-rs:Regions>',
      '<rdf:RDF><rdf:Description>',
      '<!--',
      '<![CDATA[',
      '&#x110000;&#0;',
      ' a="',
      '</a>',
      '[',
      '{"people":[',
      '{"a":',
      '\x1c\x02\x19\xff\xff',
      '\0',
    ),
    fc.constantFrom(1, 10, 1000, 20_000),
  )
  .map(([part, times]) => Buffer.from(part.repeat(times).slice(0, LARGE), 'latin1'))

const xmp = fc
  .array(element, { maxLength: 8 })
  .map((inner) => `<rdf:RDF><rdf:Description>${inner.join('\n')}</rdf:Description></rdf:RDF>`)
  .map((text) => Buffer.from(text))
const iptc = fc
  .array(fc.tuple(fc.constantFrom(25, 55, 60, 90, 120), word), { maxLength: 20 })
  .map((all) => Buffer.concat(all.map(([number, text]) => iptcRecord(number, text.slice(0, 2000)))))
const json = fc
  .record(
    {
      description: fc.oneof(word, fc.jsonValue()),
      people: fc.oneof(
        fc.array(fc.record({ name: fc.oneof(word, fc.jsonValue()) })),
        fc.jsonValue(),
      ),
      photoTakenTime: fc.oneof(fc.record({ timestamp: fc.jsonValue() }), fc.jsonValue()),
      geoData: fc.oneof(
        fc.record({ latitude: fc.double(), longitude: fc.double() }),
        fc.jsonValue(),
      ),
      googlePhotosOrigin: fc.jsonValue(),
      favorited: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((value) => Buffer.from(JSON.stringify(value)))
// Of each kind as it is, or with a byte changed or cut off.
const bytes = fc
  .tuple(
    fc.oneof(xmp, iptc, json, bomb),
    fc.constantFrom('whole', 'cut', 'other'),
    fc.nat(),
    fc.nat(255),
  )
  .map(([whole, how, at, byte]) => {
    if (how === 'whole' || whole.length === 0) return whole
    if (how === 'cut') return whole.subarray(0, at % whole.length)
    const changed = Buffer.from(whole)
    changed[at % whole.length] = byte
    return changed
  })

interface Hostile {
  embedded: Embedded[]
  sidecars: Sidecar[]
}
const hostile: fc.Arbitrary<Hostile> = fc
  .tuple(
    fc.array(fc.record({ kind: fc.constantFrom('xmp' as const, 'iptc' as const), bytes }), {
      maxLength: 2,
    }),
    fc.array(fc.record({ kind: fc.constantFrom('xmp' as const, 'json' as const), bytes }), {
      maxLength: 2,
    }),
  )
  .map(([embedded, beside]) => ({
    embedded,
    sidecars: beside.map((one) => ({ kind: one.kind, base64: one.bytes.toString('base64') })),
  }))

describe('what strangers write about a picture', () => {
  it('never throws, and is an answer that is accepted', { timeout: 120_000 }, () => {
    let said = 0
    fc.assert(
      fc.property(hostile, ({ embedded, sidecars }) => {
        const { description } = readCaptions(embedded, sidecars)
        const answer = { exif: {}, dates: [], description }
        assert.ok(isAnswer('exif', answer), JSON.stringify(description).slice(0, 2000))
        assert.ok(JSON.stringify(answer).length < 2 ** 19)
        if (description.from.length > 0) said++
      }),
      { numRuns: BLOCKS },
    )
    // Or nothing was tested but refusals.
    assert.ok(said > BLOCKS / 10, `${said}`)
  })

  it('is no more than fits, when every bound is reached', () => {
    const items = (n: number) => `<rdf:li>${n}${'"/\\'.repeat(80)}</rdf:li>`
    const list = (tag: string) => {
      const all = Array.from({ length: 900 }, (_, n) => items(n)).join('')
      return `<${tag}><rdf:Bag>${all}</rdf:Bag></${tag}>`
    }
    const tags = ['digiKam:TagsList', 'dc:subject', 'Iptc4xmpExt:PersonInImage', 'dc:description']
    const about = `<rdf:Description>${tags.map(list).join('')}</rdf:Description>`
    const block = Buffer.from(`<rdf:RDF>${about}</rdf:RDF>`)
    assert.ok(block.length < LARGE)
    const { description } = readCaptions([{ kind: 'xmp', bytes: block }])
    assert.ok(isAnswer('exif', { exif: {}, dates: [], description }))
    assert.ok(description.leftOut > 0)
  })

  it('leaves the decoder alive', { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder()
    const logged: string[] = []
    const hear = (message: string) => logged.push(message)
    const decoder = startDecoder({ log: { debug: hear, info: hear, warn: hear, error: hear } })
    try {
      const color = { create: { width: 9, height: 9, channels: 3, background: '#123' } } as const
      const plain = await sharp(color).jpeg().toBuffer()
      const path = join(folder.path, 'picture.jpg')
      const thumbnailPath = join(folder.path, 'thumbnail')
      for (const [n, { embedded, sidecars }] of fc.sample(hostile, 40).entries()) {
        const segments = embedded.map(({ kind, bytes }): [number, ...(string | Buffer)[]] => {
          const isXmp = kind === 'xmp'
          const head = isXmp ? 'http://ns.adobe.com/xap/1.0/\0' : 'Photoshop 3.0\0'
          return [isXmp ? 0xe1 : 0xed, head, bytes.subarray(0, 60_000)]
        })
        await writeFile(path, jpegWith(plain, segments))
        const large = { kind: 'json', base64: Buffer.alloc(LARGE, '[').toString('base64') } as const
        const derived = await decoder.derive({
          path,
          mime_type: 'image/jpeg',
          thumbnailPath,
          sidecars: n % 10 === 0 ? [...sidecars, large] : sidecars,
        })
        assert.equal(derived.state, 'made')
      }
      assert.deepEqual(
        logged.filter((line) => /died|could not|took too long/.test(line)),
        [],
      )
    } finally {
      await decoder.close()
      await folder.remove()
    }
  })
})
