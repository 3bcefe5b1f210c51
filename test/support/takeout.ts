import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { randomNumbers } from './file-rows.ts'
import { putFile, sha256 } from './imports.ts'
import { type Item, namesOf } from './takeout-names.ts'
import { zipOf } from './written-zip.ts'

/** What a language calls things; the words are those that people have reported of their exports. */
const LANGUAGES = {
  en: { year: 'Photos from #', album: 'metadata.json', edited: '-edited' },
  de: { year: 'Fotos von #', album: 'Metadaten.json', edited: '-bearbeitet' },
  fr: { year: 'Photos de #', album: 'métadonnées.json', edited: '-modifié' },
  es: { year: 'Fotos de #', album: 'metadatos.json', edited: '-ha editado' },
  ca: { year: 'Fotos de #', album: 'metadades.json', edited: '-editat' },
}
export type Language = keyof typeof LANGUAGES
export const ALL_LANGUAGES = Object.keys(LANGUAGES) as Language[]

/** What must become of one content. */
export interface Expected {
  /** When it was taken, in milliseconds since 1970 UTC; its own clock, if it has one, counts. */
  time: number
  /** The titles of its albums, in order. */
  albums: string[]
  isArchived: boolean
  isFavorite: boolean
}

export interface Takeout {
  files: { path: string; bytes: Buffer }[]
  /** By SHA-256; without those in the trash. */
  expected: Map<string, Expected>
}

interface Shot extends Item {
  /** The picture, its edited copy and its film. */
  contents: Buffer[]
  seconds: number
  /** Whether the picture says itself, in another time than the sidecar, when it was taken. */
  hasOwnTime: boolean
  flags: { archived?: boolean; favorited?: boolean; trashed?: boolean; isPartners?: boolean }
}

const OWN_TIME = Date.UTC(2001, 1, 3, 4, 5, 6)
const ALBUMS = ['Rome & more', 'Ostern 🐣', 'Été']

/** Returns an export of about `count` pictures, the same for one seed. */
export async function takeoutOf(
  seed: number,
  count: number,
  { language = 'en' as Language, isOld = false } = {},
): Promise<Takeout> {
  const words = LANGUAGES[language]
  const random = randomNumbers(seed)
  const base = sharp({ create: { width: 48, height: 32, channels: 3, background: 'teal' } })
  const plain = await base.clone().jpeg().toBuffer()
  const own = { IFD2: { DateTimeOriginal: '2001:02:03 04:05:06', OffsetTimeOriginal: '+00:00' } }
  const timed = await base.clone().withExif(own).jpeg().toBuffer()
  // A comment makes each picture another content.
  const content = (text: string, from = plain) => {
    const comment = Buffer.from(`${seed} ${text}`)
    const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
    return Buffer.concat([from.subarray(0, 2), head, comment, from.subarray(2)])
  }
  const shots = Array.from({ length: count }, (_, n): Shot => {
    const title = TITLES[random(TITLES.length)]!(n, random)
    const isAlone = !title.startsWith('DSC')
    const hasOwnTime = random(4) === 0
    const edited = isAlone && random(4) === 0 ? words.edited : undefined
    const film = isAlone && random(5) === 0 ? '.MOV' : undefined
    const contents = [content(`${n}`, hasOwnTime ? timed : plain)]
    if (edited) contents.push(content(`${n} edited`))
    if (film) contents.push(content(`${n} film`))
    const flags = {
      ...(random(6) === 0 && { archived: true }),
      ...(random(6) === 0 && { favorited: true }),
      ...(random(9) === 0 && { trashed: true }),
      ...(random(9) === 0 && { isPartners: true }),
    }
    const seconds = Date.UTC(2015 + random(3), random(12), 1 + random(28), random(24)) / 1000 + n
    return { title, edited, film, contents, seconds, hasOwnTime, flags }
  })
  const files: Takeout['files'] = []
  const root = 'Takeout/Google Photos'
  const addFolder = (folder: string, some: Shot[]) => {
    for (const [at, { sidecar, pictures }] of namesOf(some, isOld).entries()) {
      const shot = some[at]!
      files.push({ path: `${root}/${folder}/${sidecar}`, bytes: sidecarOf(shot) })
      for (const [n, name] of pictures.entries()) {
        files.push({ path: `${root}/${folder}/${name}`, bytes: shot.contents[n]! })
      }
    }
  }
  for (const year of [2015, 2016, 2017]) {
    const some = shots.filter((shot) => new Date(shot.seconds * 1000).getUTCFullYear() === year)
    addFolder(words.year.replace('#', String(year)), some)
  }
  const albumsOf = new Map(shots.map((shot) => [shot, [] as string[]]))
  for (const title of ALBUMS) {
    const some = shots.filter(({ flags }) => !flags.trashed && random(3) === 0)
    const folder = title.replaceAll('&', '_')
    for (const shot of some) albumsOf.get(shot)!.push(title)
    addFolder(folder, some)
    const bytes = Buffer.from(JSON.stringify({ title, description: '', access: 'protected' }))
    files.push({ path: `${root}/${folder}/${words.album}`, bytes })
  }
  const other = Buffer.from(JSON.stringify({ title: 'No album' }))
  files.push({ path: `${root}/print-subscriptions.json`, bytes: other })
  const expected = new Map<string, Expected>()
  for (const shot of shots) {
    if (shot.flags.trashed) continue
    for (const [n, bytes] of shot.contents.entries()) {
      expected.set(sha256(bytes), {
        time: shot.hasOwnTime && n === 0 ? OWN_TIME : shot.seconds * 1000,
        albums: albumsOf.get(shot)!.toSorted(),
        isArchived: shot.flags.archived === true,
        isFavorite: shot.flags.favorited === true,
      })
    }
  }
  return { files, expected }
}

// Titles by which each rule comes to bear: plain ones, many alike, long ones, numbered ones, emoji.
const TITLES: ((n: number, random: (n: number) => number) => string)[] = [
  (n) => `IMG_${n}.jpg`,
  (_, random) => `DSC_${random(4)}.JPG`,
  (n) => `PXL_20170102_030405${String(n).padStart(3, '0')}.MP.jpg`,
  (n) => `${n}_${'long'.repeat(11)}.jpg`,
  (n) => `${n}-${'y'.repeat(18 + (n % 30))}.jpeg`,
  (n) => `Scan ${n}(1).jpg`,
  (n) => `${'🎄'.repeat(19)}${n}${n % 2 ? 'z' : ''}🎄🎄🎄.HEIC`,
  (n) => `Fête ${n} ❤️.png`,
]

function sidecarOf({ title, seconds, flags }: Shot): Buffer {
  const { isPartners, ...rest } = flags
  const time = { timestamp: String(seconds), formatted: 'in a language' }
  return Buffer.from(
    JSON.stringify({
      title,
      description: '',
      imageViews: '1',
      creationTime: { timestamp: '1700000000', formatted: 'the upload' },
      photoTakenTime: time,
      geoData: { latitude: 0.0, longitude: 0.0, altitude: 0.0 },
      ...rest,
      ...(isPartners && { googlePhotosOrigin: { fromPartnerSharing: {} } }),
    }),
  )
}

/** Writes an export into a folder as it is when it is unpacked. */
export function putTree(folder: string, { files }: Takeout): void {
  for (const [n, { path, bytes }] of files.entries()) {
    const at = join(folder, path, '..')
    mkdirSync(at, { recursive: true })
    putFile(at, path.slice(path.lastIndexOf('/') + 1), bytes, n % 1000)
  }
}

/** Writes an export into a folder as ZIPs, so that sidecars are in other parts than their pictures. */
export function putZips(folder: string, { files }: Takeout, parts = 3): void {
  for (let part = 0; part < parts; part++) {
    const some = files.filter((_, n) => n % parts === part)
    const zip = zipOf(some.map(({ path, bytes }) => ({ name: path, bytes })))
    putFile(folder, `takeout-20240102T030405Z-1-00${part + 1}.zip`, zip)
  }
}
