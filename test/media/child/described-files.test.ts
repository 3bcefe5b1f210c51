import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { readExif } from '../../../src/media/child/exif.ts'
import { readVideo } from '../../../src/media/child/film/video.ts'
import { type Description, nothingSaid, type Sidecar } from '../../../src/media/description.ts'
import { webpWith } from '../../support/media/embedded.ts'
import { madeFilm } from '../../support/media/film.ts'
import { temporaryFolder, without, withoutEncoder } from '../../support/media/media.ts'
import { smallHeic } from '../../support/media/samples.ts'
import { madeOnce } from '../../support/run-folder.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')

/** What programs write, as arguments of exiftool: each line is a tag with its values. */
const PROGRAMS: Record<string, [tag: string, ...values: string[]][]> = {
  digiKam: [
    ['XMP-digiKam:TagsList', 'Places/Italy/Venice', 'People/Anna', '2024', 'Süd ☀'],
    ['XMP-lr:HierarchicalSubject', 'Places|Italy|Venice', 'People|Anna', '2024', 'Süd ☀'],
    ['XMP-dc:Subject', 'Venice', 'Anna', '2024', 'Süd ☀'],
    ['XMP-microsoft:LastKeywordXMP', 'Places/Italy/Venice', 'People/Anna', '2024', 'Süd ☀'],
    ['IPTC:CodedCharacterSet', 'UTF8'],
    ['IPTC:Keywords', 'Venice', 'Anna', '2024', 'Süd ☀'],
    ['XMP-mwg-rs:RegionInfo', '{RegionList=[{Name=Anna,Type=Face},{Name=Rex,Type=Pet}]}'],
    ['XMP-MP:RegionInfoMP', '{Regions=[{PersonDisplayName=Anna,Rectangle=0|, 0|, 1|, 1}]}'],
    ['XMP-xmp:Rating', '4'],
    ['XMP-microsoft:RatingPercent', '75'],
    ['XMP-xmp:Label', 'Red'],
    ['XMP-dc:Description', 'Am Meer ☀'],
    ['IPTC:Caption-Abstract', 'Am Meer ☀'],
  ],
  Lightroom: [
    ['XMP-lr:HierarchicalSubject', 'Animals|Cat', 'Travel|2024|AC/DC', '007'],
    ['XMP-dc:Subject', 'Animals', 'Cat', 'Travel', '2024', 'AC/DC', '007', 'alone'],
    ['IPTC:Keywords', 'Animals', 'Cat', 'Travel', '2024', 'AC/DC', '007', 'alone'],
    ['XMP-xmp:Rating', '5'],
    ['XMP-xmp:Label', 'Grün'],
    ['XMP-dc:Description', '<b> & "c"'],
    ['XMP-dc:Description-de', 'Auf Deutsch'],
    ['XMP-mwg-rs:RegionInfo', '{RegionList=[{Name=Ben & Co,Type=Face},{Type=Face}]}'],
  ],
  darktable: [
    ['XMP-lr:HierarchicalSubject', 'darktable|exported', 'darktable|format|jpg', 'Places|Rome'],
    ['XMP-dc:Subject', 'darktable', 'exported', 'format', 'jpg', 'Places', 'Rome', 'sun'],
    ['XMP-xmp:Rating', '-1'],
  ],
  'Apple Photos': [
    ['XMP-dc:Subject', 'A & B', '1999'],
    ['IPTC:Keywords', 'A & B', '1999'],
    ['XMP-iptcExt:PersonInImage', 'Dora', 'Émile'],
    ['XMP-dc:Description', 'Über den Wolken'],
  ],
  Windows: [
    ['XMP-dc:Subject', 'sea/coast', 'summer'],
    ['XMP-microsoft:LastKeywordXMP', 'sea/coast', 'summer'],
    ['XMP-microsoft:RatingPercent', '50'],
    ['XMP-MP:RegionInfoMP', '{Regions=[{PersonDisplayName=Emil},{PersonDisplayName=Fay}]}'],
  ],
}

/** What `exiftool -j -struct -G1` says of a file. */
type Told = Record<string, unknown>

/** Returns what a description must be, by the table in docs/import.md, of what exiftool reads. */
function expected(told: Told): Description {
  const texts = (tag: string) =>
    [told[tag] ?? []].flat().map((text) => String(text).normalize('NFC').trim())
  const field = (tag: string, ...names: string[]): unknown =>
    names.reduce((value, name) => (value as Told | undefined)?.[name], told[tag])
  const trees = [
    ...texts('XMP-digiKam:TagsList').map((text) => text.split('/')),
    ...texts('XMP-lr:HierarchicalSubject').map((text) => text.split('|')),
  ]
  const windows = texts('XMP-microsoft:LastKeywordXMP')
  const levels = new Set([...trees.flat(), ...windows.filter((text) => text.includes('/'))])
  const words = [...texts('XMP-dc:Subject'), ...texts('IPTC:Keywords')]
  const flat = words.filter((word) => !levels.has(word)).map((word) => [word])
  const own = trees.filter(([first]) => first !== 'darktable')
  const ofWindows = windows.map((text) => text.split('/'))
  const isNew = (path: string[]) => path.length > 1 || !levels.has(path[0]!)
  const all = [...own, ...flat, ...ofWindows.filter(isNew)]
  const regions = [field('XMP-mwg-rs:RegionInfo', 'RegionList') ?? []].flat() as Told[]
  const faces = regions.filter(({ Type, Name }) => Type === 'Face' && Name !== undefined)
  const microsoft = [field('XMP-MP:RegionInfoMP', 'Regions') ?? []].flat() as Told[]
  const people = [
    ...faces.map(({ Name }) => String(Name)),
    ...microsoft.map(({ PersonDisplayName }) => String(PersonDisplayName)),
    ...texts('XMP-iptcExt:PersonInImage'),
  ]
  const stars = Number(told['XMP-xmp:Rating'] ?? 0)
  const percent = Number(told['XMP-microsoft:RatingPercent'] ?? 0)
  const ofPercent = [0, 1, 25, 50, 75, 99].indexOf(percent)
  const rating = 'XMP-xmp:Rating' in told ? Math.max(0, stars) : ofPercent
  const [caption = null] = [...texts('XMP-dc:Description'), ...texts('IPTC:Caption-Abstract')]
  return {
    ...nothingSaid(),
    paths: [...new Map(all.map((path) => [path.join('\0'), path])).values()].sort(),
    people: [...new Set(people)].sort(),
    rating: rating || null,
    label: (told['XMP-xmp:Label'] as string | undefined) ?? null,
    caption,
  }
}

const sorted = (one: Description): Description => ({
  ...one,
  from: [],
  paths: one.paths.toSorted(),
  people: one.people.toSorted(),
})

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  tif: 'image/tiff',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
}

async function descriptionOf(path: string, sidecars?: Sidecar[]): Promise<Description> {
  const type = TYPES[path.split('.').at(-1)!]!
  const film = type.startsWith('video/')
  const read = film ? readVideo(path, type, null, sidecars) : readExif(path, type, sidecars)
  return (await read).description
}

const sidecarOf = (path: string): Sidecar => ({
  kind: 'xmp',
  base64: readFileSync(path, 'base64'),
})

/** Returns what exiftool reads of each file of a folder, by its name. */
function tell(folder: string, names: string[]): Map<string, Told> {
  const options = ['-q', '-j', '-struct', '-G1', '-a', '-n', '-charset', 'iptc=UTF8']
  const printed = execFileSync('exiftool', [...options, ...names.map((n) => join(folder, n))], {
    maxBuffer: 2 ** 26,
  })
  const all: Told[] = JSON.parse(printed.toString())
  return new Map(all.map((told, n) => [names[n]!, told]))
}

/** Writes a small picture of each type that sharp makes, each named `plain`. */
async function drawPlain(folder: string): Promise<void> {
  const picture = sharp({ create: { width: 32, height: 24, channels: 3, background: '#456' } })
  const to = join(folder, 'plain')
  await picture.clone().jpeg().toFile(`${to}.jpg`)
  await picture.clone().tiff().toFile(`${to}.tif`)
  await picture.clone().png().toFile(`${to}.png`)
  await picture.clone().webp().toFile(`${to}.webp`)
  await picture.clone().avif().toFile(`${to}.avif`)
}

describe('what programs write about a picture', { skip: withoutExiftool }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let told: Map<string, Told>
  const names = (ending: string) => [...told.keys()].filter((name) => name.endsWith(ending))

  before(async () => {
    folder = await temporaryFolder()
    const plain = join(folder.path, 'plain')
    await drawPlain(folder.path)
    if (!withoutEncoder('libx265')) copyFileSync((await smallHeic(8)).path, `${plain}.heic`)
    if (!without('ffmpeg', '-version')) {
      for (const ending of ['mp4', 'mov']) {
        const film = await madeFilm(`plain.${ending}`, ['-c:v', 'mpeg4'])
        copyFileSync(film, `${plain}.${ending}`)
      }
    }
    const endings = readdirSync(folder.path).map((name) => name.split('.')[1]!)
    const made = await madeOnce('described', [PROGRAMS, endings], (to) => {
      cpSync(folder.path, to, { recursive: true })
      // One process for all of them, since it takes long to start. It writes no WebP.
      const written = endings.filter((ending) => ending !== 'webp')
      const commands = Object.entries(PROGRAMS).flatMap(([program, tags]) => {
        const args = tags.flatMap(([tag, ...values]) => values.map((value) => `-${tag}=${value}`))
        const at = (ending: string) => join(to, `${program}.${ending}`)
        const inside = written.map((ending) => ['-o', at(ending), join(to, `plain.${ending}`)])
        return [...inside, [at('xmp')]].flatMap((file) => [...args, ...file, '-execute'])
      })
      // The last one needs no separator.
      const all = [...commands.slice(0, -1), '-common_args', '-q', '-q', '-n']
      writeFileSync(join(to, 'arguments'), all.join('\n'))
      execFileSync('exiftool', ['-@', join(to, 'arguments')], { stdio: 'pipe' })
      rmSync(join(to, 'arguments'))
      const webp = readFileSync(join(to, 'plain.webp'))
      for (const program of Object.keys(PROGRAMS)) {
        const bytes = readFileSync(join(to, `${program}.xmp`))
        writeFileSync(join(to, `${program}.webp`), webpWith(webp, [['XMP ', bytes]]))
      }
      writeFileSync(join(to, 'told.json'), JSON.stringify([...tell(to, readdirSync(to))]))
    })
    cpSync(made, folder.path, { recursive: true })
    told = new Map(JSON.parse(readFileSync(join(made, 'told.json'), 'utf8')))
  })
  after(() => folder.remove())

  for (const ending of Object.keys(TYPES)) {
    const needs = ending === 'heic' ? withoutEncoder('libx265') : ''
    const film = /^m/.test(ending) ? without('ffmpeg', '-version') : ''
    it(`is read as exiftool does, in and beside a file ${ending}`, {
      skip: needs || film || false,
    }, async () => {
      const plain = join(folder.path, `plain.${ending}`)
      for (const program of Object.keys(PROGRAMS)) {
        const inside = `${program}.${ending}`
        const found = await descriptionOf(join(folder.path, inside))
        assert.deepEqual(sorted(found), expected(told.get(inside)!), inside)
        assert.ok(found.paths.length > 0, inside)
        const sidecar = join(folder.path, `${program}.xmp`)
        const beside = await descriptionOf(plain, [sidecarOf(sidecar)])
        assert.deepEqual(sorted(beside), expected(told.get(`${program}.xmp`)!), `beside ${inside}`)
        // What is said twice counts once.
        const both = await descriptionOf(join(folder.path, inside), [sidecarOf(sidecar)])
        assert.deepEqual(sorted(both), sorted(found), `in and beside ${inside}`)
      }
      assert.equal(names(`.${ending}`).length, 1 + Object.keys(PROGRAMS).length)
    })
  }
})

it('more than a segment of a JPEG holds is read as far as it is whole', {
  skip: withoutExiftool,
}, async () => {
  const folder = await temporaryFolder()
  try {
    await drawPlain(folder.path)
    const path = join(folder.path, 'plain.jpg')
    const paths = Array.from({ length: 2000 }, (_, n) => [
      'Places',
      `Town ${n}`,
      `Street ${n} of it`,
    ])
    const list = join(folder.path, 'arguments')
    const args = paths.map((levels) => `-XMP-digiKam:TagsList=${levels.join('/')}`)
    writeFileSync(list, [...args, '-XMP-xmp:Label=Red', '-overwrite_original', path].join('\n'))
    execFileSync('exiftool', ['-q', '-@', list])
    const { leftOut, label, ...whole } = await descriptionOf(path)
    assert.deepEqual([whole.paths, label, leftOut], [paths, 'Red', 0])
    // Without the last of its parts, or where they are of another picture, there is only what the first segment has.
    const bytes = readFileSync(path)
    for (const at of [
      bytes.lastIndexOf('http://ns.adobe.com/xmp/extension/'),
      bytes.indexOf('HasExtendedXMP>') + 'HasExtendedXMP>'.length,
    ]) {
      const changed = Buffer.from(bytes)
      changed.write('x', at)
      writeFileSync(path, changed)
      const rest = await descriptionOf(path)
      assert.deepEqual([rest.paths, rest.label], [[], 'Red'])
    }
  } finally {
    await folder.remove()
  }
})

/** The same by another program: commands of exiv2. */
const EXIV2 = [
  'set Xmp.digiKam.TagsList XmpSeq Places/Italy/Venice',
  'set Xmp.digiKam.TagsList XmpSeq 2024',
  'set Xmp.lr.hierarchicalSubject XmpBag Places|Italy|Venice',
  'set Xmp.lr.hierarchicalSubject XmpBag AC/DC',
  'set Xmp.dc.subject XmpBag Venice',
  'set Xmp.dc.subject XmpBag A & B',
  'set Xmp.MicrosoftPhoto.LastKeywordXMP XmpBag Places/Italy/Rome',
  'set Xmp.MicrosoftPhoto.Rating XmpText 75',
  'set Xmp.xmp.Label XmpText Grün',
  'set Xmp.dc.description LangAlt lang="de-DE" Meer',
  'set Xmp.dc.description LangAlt lang="x-default" Sea & sky',
  'set Xmp.iptcExt.PersonInImage XmpBag Dora',
  'set Xmp.mwg-rs.Regions XmpText type=Struct',
  'set Xmp.mwg-rs.Regions/mwg-rs:RegionList XmpText type=Bag',
  'set Xmp.mwg-rs.Regions/mwg-rs:RegionList[1]/mwg-rs:Name XmpText Anna',
  'set Xmp.mwg-rs.Regions/mwg-rs:RegionList[1]/mwg-rs:Type XmpText Face',
  'set Xmp.mwg-rs.Regions/mwg-rs:RegionList[2]/mwg-rs:Name XmpText Rex',
  'set Xmp.mwg-rs.Regions/mwg-rs:RegionList[2]/mwg-rs:Type XmpText Pet',
  'set Iptc.Application2.Keywords String rain',
]
const PLACE = [
  'set Xmp.exif.GPSLatitude XmpText 45,26.4N',
  'set Xmp.exif.GPSLongitude XmpText 12,20.4E',
  'set Xmp.exif.DateTimeOriginal XmpText 2019-07-06T23:30:00+02:00',
]

describe('what exiv2 writes about a picture', {
  skip: withoutExiftool || without('exiv2', '--version'),
}, () => {
  it('is read as exiftool does, in and beside it', async () => {
    const folder = await temporaryFolder()
    try {
      await drawPlain(folder.path)
      const names = ['jpg', 'tif', 'png', 'webp'].map((ending) => `it.${ending}`)
      const paths = names.map((name) => join(folder.path, name))
      for (const path of paths) copyFileSync(path.replace(/it(?=\.\w+$)/, 'plain'), path)
      const commands = join(folder.path, 'commands')
      writeFileSync(commands, [...EXIV2, ...PLACE].join('\n'))
      execFileSync('exiv2', ['-m', commands, ...paths], { stdio: 'pipe' })
      execFileSync('exiv2', ['-eX', paths[0]!], { stdio: 'pipe' })
      const told = tell(folder.path, [...names, 'it.xmp'])
      for (const name of names) {
        const found = await descriptionOf(join(folder.path, name))
        assert.deepEqual(sorted(found), expected(told.get(name)!), name)
      }
      const sidecar = sidecarOf(join(folder.path, 'it.xmp'))
      const { date, position, ...beside } = await descriptionOf(join(folder.path, 'plain.avif'), [
        sidecar,
      ])
      const wanted = { ...expected(told.get('it.xmp')!), date, position }
      assert.deepEqual(sorted({ ...beside, date, position }), wanted)
      assert.deepEqual([date?.clock, date?.offset], [Date.UTC(2019, 6, 6, 23, 30), 120])
      const { latitude = 0, longitude = 0 } = position ?? {}
      assert.ok(Math.abs(latitude - Number(told.get('it.xmp')!['XMP-exif:GPSLatitude'])) < 1e-9)
      assert.ok(Math.abs(longitude - Number(told.get('it.xmp')!['XMP-exif:GPSLongitude'])) < 1e-9)
    } finally {
      await folder.remove()
    }
  })
})
