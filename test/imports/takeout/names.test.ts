import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isOfYear, pairByTitle, pairJson, setOf } from '../../../src/imports/takeout/names.ts'
import { EDITED } from '../../../src/imports/takeout/words.ts'
import { fc } from '../../support/property.ts'
import { type Item, namesOf } from '../../support/takeout-names.ts'

const pairs = (...names: string[]) => Object.fromEntries(pairJson(names).sidecars)
const LONG = 'Backyard_ceremony_wedding_photography_xxxxxxx_m'

describe('the sidecars of Google Takeout', () => {
  // Names that people have reported.
  const KNOWN: [picture: string, sidecar: string, ...others: string[]][] = [
    ['IMG_1.jpg', 'IMG_1.jpg.json'],
    ['IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
    ['IMG_1(2).jpg', 'IMG_1.jpg(2).json', 'IMG_1.jpg.json'],
    [
      'IMG_1(2).jpg',
      'IMG_1.jpg.supplemental-metadata(2).json',
      'IMG_1.jpg.supplemental-metadata.json',
    ],
    ['IMG-20230325-WA0122~2.jpg', 'IMG-20230325-WA0122~2.jpg.supplemental-metadat.json'],
    ['IMG-20230325-WA0122~2-edited.jpg', 'IMG-20230325-WA0122~2.jpg.supplemental-metadat.json'],
    ['Negative0-36-35(1).jpg', 'Negative0-36-35(1).jpg.supplemental-metadata.json'],
    ['Negative0-36-35(1)-editat.jpg', 'Negative0-36-35(1).jpg.supplemental-metadata.json'],
    ['Negative0-36-35(1)(1).jpg', 'Negative0-36-35(1).jpg.supplemental-metadata(1).json'],
    ['Negative0-36-35(1)-editat(1).jpg', 'Negative0-36-35(1).jpg.supplemental-metadata(1).json'],
    [`${LONG}(494).jpg`, `${LONG.slice(0, 46)}(494).json`, `${LONG.slice(0, 46)}.json`],
    ['PXL_20210102_221126856.MP', 'PXL_20210102_221126856.MP.jpg.json'],
    ['PXL_20210102_221126856.MP~2', 'PXL_20210102_221126856.MP~2.jpg.json'],
    ['IMG_7(1).MOV', 'IMG_7.HEIC.supplemental-metadata(1).json', 'IMG_7.HEIC.json'],
    ['DSC06824-modifié.JPG'.normalize('NFD'), 'DSC06824.JPG.json'],
    [
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P(1).jpg',
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json',
    ],
    ['scan.jpg', 'scan.json'],
  ]
  for (const [picture, sidecar, ...others] of KNOWN) {
    it(`gives ${picture} its own`, () => {
      assert.equal(pairs(picture, sidecar, ...others)[picture], sidecar)
    })
  }

  it('gives nothing to a picture whose own is not there', () => {
    assert.deepEqual(pairs('IMG_1(1).jpg', 'IMG_2.jpg', 'IMG_1.jpg.json', 'metadata.json'), {})
    assert.deepEqual(pairs('sea-ed.jpg', 'sea.jpg.json'), {})
  })

  it('finds those of edited copies in every language', () => {
    for (const [ending] of EDITED) {
      assert.deepEqual(pairs(`a${ending}.jpg`, 'a.jpg.json'), { [`a${ending}.jpg`]: 'a.jpg.json' })
    }
  })

  it('asks the titles where two long names are alike up to the cut', () => {
    const start = 'x'.repeat(46)
    const pictures = [`${start}b.jpg`, `${start}a.jpg`, `${start}a(1).jpg`]
    const sidecars = [`${start}.json`, `${start}(1).json`, `${start}(2).json`]
    const { unsure } = pairJson([...pictures, ...sidecars])
    assert.deepEqual(unsure, [{ pictures, sidecars }])
    const titles = new Map([
      [sidecars[0]!, `${start}aha.jpg`],
      [sidecars[1]!, `${start}bhb.jpg`],
      [sidecars[2]!, `${start}ahc.jpg`],
    ])
    assert.deepEqual(Object.fromEntries(pairByTitle(unsure[0]!, titles)), {
      [pictures[1]!]: sidecars[0],
      [pictures[0]!]: sidecars[1],
      [pictures[2]!]: sidecars[2],
    })
  })

  it('asks each title a few times, where thousands of names are alike up to the cut', () => {
    const start = 'x'.repeat(46)
    const numbers = Array.from({ length: 2000 }, (_, n) => n)
    const numbered = (n: number) => (n === 0 ? '' : `(${n})`)
    // In the order of Takeout, every third is of another picture.
    const letterOf = (n: number) => (n % 3 === 0 ? 'b' : 'a')
    const sidecars = numbers.map((n) => `${start}${numbered(n)}.json`)
    let asked = 0
    class Titles extends Map<string, string> {
      override get(name: string) {
        asked++
        return super.get(name)
      }
    }
    const titles = new Titles(sidecars.map((name, n) => [name, `${start}${letterOf(n)}-${n}.jpg`]))
    const counts = { a: 0, b: 0 }
    const pictures = numbers.map(
      (n) => `${start}${letterOf(n)}${numbered(counts[letterOf(n)]++)}.jpg`,
    )
    const [unsure, ...more] = pairJson([...pictures.toReversed(), ...sidecars.toReversed()]).unsure
    assert.deepEqual(more, [])
    const found = pairByTitle(unsure!, titles)
    assert.deepEqual(
      pictures.map((name) => found.get(name)),
      sidecars,
    )
    assert.ok(asked < 3 * sidecars.length, String(asked))
  })

  it('goes to every picture of any folder that Google may write', () => {
    const unit = fc.constantFrom('a', 'é', '😀', '_')
    const stem = fc.tuple(
      fc.array(unit, { maxLength: 3 }),
      fc.constantFrom('', 'x'.repeat(12), 'y'.repeat(42)),
    )
    const item = fc.record({
      title: fc
        .tuple(stem, fc.constantFrom('.jpg', '.JPG', '.jpeg', '.HEIC', '.mp4'))
        .map(([[end, start], ending]) => `${start}${end.join('') || 'z'}${ending}`),
      edited: fc.option(fc.constantFrom(...EDITED.map(([word]) => word)), { nil: undefined }),
      film: fc.constantFrom(undefined, '.MOV', '.MP'),
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), fc.boolean(), (items, isOld) => {
        const told = tellApart(items)
        const named = namesOf(told, isOld)
        const names = named.flatMap(({ sidecar, pictures }) => [...pictures, sidecar])
        const { sidecars, unsure } = pairJson(names.toReversed())
        const titles = new Map(named.map(({ sidecar }, at) => [sidecar, told[at]!.title]))
        for (const group of unsure) {
          for (const [picture, sidecar] of pairByTitle(group, titles))
            sidecars.set(picture, sidecar)
        }
        for (const { sidecar, pictures } of named) {
          for (const picture of pictures) assert.equal(sidecars.get(picture), sidecar, picture)
        }
      }),
    )
  })
})

// An edited copy or a film whose own name is cut may be told from others by nobody: such items have neither. Nor may a
// name that lost half of a character: such items are left out.
function tellApart(items: Item[]): Item[] {
  const starts = items.map(({ title }) => stemOf(title).slice(0, 44))
  return items.flatMap((item, at) => {
    const isAlone = starts.filter((start) => start === starts[at]).length === 1
    const isFilm = item.title.endsWith('.mp4')
    if (isAlone && !isFilm) return item
    return isAlone || !isHalved(item.title) ? { title: item.title } : []
  })
}

const stemOf = (title: string) => title.slice(0, title.lastIndexOf('.'))

// By the cuts of `namesOf`.
function isHalved(title: string): boolean {
  const stem = stemOf(title)
  const cuts = [title.slice(0, 46), stem.slice(0, 51 - title.length + stem.length)]
  return !cuts.every((cut) => cut.isWellFormed())
}

describe('the folders of Google Takeout', () => {
  it('of years are no albums', () => {
    for (const name of [
      'Photos from 2019',
      'Fotos von 2020',
      'Photos de 1999',
      '2021年の写真',
      '2019-03-14 #2',
    ]) {
      assert.equal(isOfYear(name), true, name)
    }
    for (const name of ['Rome 2019', 'Photos from Rome', '2019', 'Photos from 2019 at sea']) {
      assert.equal(isOfYear(name), false, name)
    }
  })

  it('and ZIPs of one export are one set', () => {
    const set = 'takeout-20260529T043328Z'
    for (const end of ['-001.zip', '-3-002.zip', '-1-001', '-014.ZIP', '-001(1).zip']) {
      assert.equal(setOf(`${set}${end}`), set)
    }
    for (const name of ['photos.zip', `${set}.zip`, 'takeout-001.zip'])
      assert.equal(setOf(name), null)
  })
})
