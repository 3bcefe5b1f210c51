import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import type { Edit } from '../../../src/media/blanked.ts'
import { madeOnce } from '../run-folder.ts'
import { jpegWith } from './embedded.ts'
import { madeFilm, madeOfFilm } from './film.ts'
import { box, withMore } from './iso-film.ts'
import { appleExif, samsungTrailer } from './living.ts'
import { losslessOf, RAWS } from './raws.ts'
import { photograph, smallHeic } from './samples.ts'

/** A content that says where it was taken, by whom, and by which camera of all. */
export interface Telling {
  path: string
  mime_type: string
}

/** What each of them says in plain text. */
const PERSON = 'Planted Person'
const SERIAL = 'PLANTED0815'
const [PLACE, LATITUDE, LONGITUDE] = ['Plantedville', 47.123456, 8.654321]

const TEXT = Buffer.from(`${PERSON} ${SERIAL} GPS(8.65,47.12,19) +47.1234+008.6543/`)
const LONG = `${PERSON} ${'long '.repeat(100)}`

const REGION = `{RegionList=[{Name=${PERSON},Type=Face,Area={X=0.5,Y=0.5,W=0.1,H=0.1,Unit=normalized}}]}`
const POSITION = [`GPSLatitude=${LATITUDE}`, `GPSLongitude=${LONGITUDE}`]
const IN_EXIF = [
  ...POSITION.map((text) => `EXIF:${text}`),
  ...['GPSLatitudeRef=N', 'GPSLongitudeRef=E'].map((text) => `EXIF:${text}`),
  ...['Artist', 'OwnerName', 'Copyright', 'UserComment', 'ImageDescription', 'XPAuthor'].map(
    (name) => `EXIF:${name}=${PERSON}`,
  ),
  ...['XPComment', 'XPKeywords', 'XPTitle', 'HostComputer'].map((name) => `EXIF:${name}=${PERSON}`),
  ...['SerialNumber', 'LensSerialNumber'].map((name) => `EXIF:${name}=${SERIAL}`),
  'EXIF:ImageUniqueID=0123456789abcdef0123456789abcdef',
]
const IN_XMP = [
  ...POSITION.map((text) => `XMP-exif:${text}`),
  ...['dc:Creator', 'iptcExt:PersonInImage', 'aux:OwnerName', 'dc:Description'].map(
    (name) => `XMP-${name}=${PERSON}`,
  ),
  `XMP-aux:SerialNumber=${SERIAL}`,
  `XMP-photoshop:City=${PLACE}`,
  `XMP-xmpMM:History={Action=edited,SoftwareAgent=${PERSON}}`,
  `XMP-mwg-rs:RegionInfo=${REGION}`,
]
const IN_IPTC = [`IPTC:By-line=${PERSON}`, `IPTC:City=${PLACE}`, `Photoshop:WriterName=${PERSON}`]
const SHOWN = [
  'EXIF:Orientation#=6',
  'EXIF:DateTimeOriginal=2020:01:02 03:04:05',
  'EXIF:Make=Maker',
]
const IN_FILM = [
  `Keys:GPSCoordinates=${LATITUDE}, ${LONGITUDE}`,
  `UserData:GPSCoordinates=${LATITUDE}, ${LONGITUDE}`,
  `UserData:LocationInformation=Planted Role=0 Lat=${LATITUDE} Lon=${LONGITUDE} Alt=1 Body=x Notes=x`,
  ...['Keys:Author', 'Keys:Artist', 'UserData:Author', 'ItemList:Artist', 'ItemList:Comment'].map(
    (name) => `${name}=${PERSON}`,
  ),
  `Keys:ContentIdentifier=${SERIAL}`,
  ...IN_XMP,
]

/** A content before anything is written into it, and what exiftool then writes. */
interface Plain extends Telling {
  tags: string[]
}

// One process writes all.
function tell(files: Plain[]): void {
  const lines = files
    .filter(({ tags }) => tags.length > 0)
    .flatMap(({ path, tags }) => [
      ...['-q', '-m', '-overwrite_original', ...tags.map((tag) => `-${tag}`), path],
      '-execute',
    ])
  execFileSync('exiftool', ['-@', '-'], {
    input: lines.join('\n'),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

const FILMS = [
  ['film.mp4', 'video/mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
  ['long.mp4', 'video/mp4', ['-c:v', 'libx264', '-movflags', '+faststart']],
  ['film.mov', 'video/quicktime', ['-c:v', 'mpeg4', '-c:a', 'pcm_s16be']],
  ['wide.mov', 'video/quicktime', ['-c:v', 'libx264', '-c:a', 'pcm_s24le']],
  ['film.m4v', 'video/x-m4v', ['-c:v', 'libx264', '-c:a', 'aac']],
  ['film.3gp', 'video/3gpp', ['-c:v', 'mpeg4', '-c:a', 'aac']],
] as const
const WEBMS = [
  ['film.webm', 'video/webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ['film.mkv', 'video/x-matroska', ['-c:v', 'libx264', '-c:a', 'aac']],
] as const
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=1', '-shortest']

/** Returns pictures and films of each format that can be read through; they need exiftool, and ffmpeg with codecs. */
export async function tellingFiles(): Promise<Telling[]> {
  const folder = await madeOnce('telling', 'contents that say who and where', async (folder) => {
    await mkdir(folder)
    const simple = [...(await plainPictures(folder)), ...(await plainFilms(folder))]
    tell(simple)
    const all = [...simple, ...(await composed(folder))]
    const list = all.map(({ path, mime_type }) => ({ name: basename(path), mime_type }))
    await writeFile(join(folder, 'list.json'), JSON.stringify(list))
  })
  const list: { name: string; mime_type: string }[] = JSON.parse(
    await readFile(join(folder, 'list.json'), 'utf8'),
  )
  return list.map(({ name, mime_type }) => ({ path: join(folder, name), mime_type }))
}

async function plainPictures(folder: string): Promise<Plain[]> {
  const drawing = await photograph(4, 160, 120)
  const photo = () => sharp(drawing)
  const moving = () => sharp([drawing, drawing], { join: { animated: true } })
  const all = [...IN_EXIF, ...IN_XMP, ...SHOWN]
  const jpeg = await photo().jpeg().toBuffer()
  const png = await photo().png().toBuffer()
  const tiff = (compression: 'none' | 'deflate' | 'jpeg' | 'lzw') =>
    photo()
      .tiff({ compression, tile: compression === 'deflate' })
      .toBuffer()
  const raw = RAWS['image/x-adobe-dng']!({ large: jpeg, small: jpeg, raw: losslessOf(jpeg) })
  const jxl = await madeOnce('photo.jxl', 'of a photograph', (path) => {
    execFileSync('ffmpeg', ['-v', 'error', '-i', drawing, '-c:v', 'libjxl', path])
  })
  const pictures: [name: string, type: string, bytes: Uint8Array, tags: string[]][] = [
    ['told.jpg', 'jpeg', jpeg, [...all, ...IN_IPTC, `Comment=${PERSON}`]],
    ['progressive.jpg', 'jpeg', await photo().jpeg({ progressive: true }).toBuffer(), all],
    ['long.jpg', 'jpeg', jpeg, [...all, `XMP-dc:Description=${`${PERSON} `.repeat(8000)}`]],
    ['told.png', 'png', png, [...all, `PNG:Author=${PERSON}`, `PNG:Comment=${PERSON}`]],
    ['more.png', 'png', Buffer.concat([png, Buffer.from(PERSON)]), all],
    ['told.webp', 'webp', await photo().webp().toBuffer(), all],
    ['frames.webp', 'webp', await moving().webp({ loop: 1 }).toBuffer(), all],
    ['told.gif', 'gif', await moving().gif().toBuffer(), [...IN_XMP, `Comment=${LONG}`]],
    ['none.tif', 'tiff', await tiff('none'), [...all, ...IN_IPTC]],
    ['deflate.tif', 'tiff', await tiff('deflate'), [...all, ...IN_IPTC]],
    ['jpeg.tif', 'tiff', await tiff('jpeg'), all],
    ['lzw.tif', 'tiff', await tiff('lzw'), all],
    ['told.avif', 'avif', await photo().avif().toBuffer(), all],
    ['told.dng', 'x-adobe-dng', raw, all],
    ['told.jxl', 'jxl', await readFile(jxl), all],
    ['told.heic', 'heic', await readFile((await smallHeic(8)).path), all],
  ]
  return Promise.all(
    pictures.map(async ([name, type, bytes, tags]) => {
      const path = join(folder, name)
      await writeFile(path, bytes)
      return { path, mime_type: `image/${type}`, tags }
    }),
  )
}

async function plainFilms(folder: string): Promise<Plain[]> {
  const found: Plain[] = []
  const add = async (name: string, mime_type: string, film: Uint8Array, tags: string[]) => {
    const path = join(folder, name)
    await writeFile(path, film)
    found.push({ path, mime_type, tags })
    return path
  }
  const more = [box('uuid', Buffer.from(`0123456789abcdef${PERSON}`)), box('free', [TEXT])]
  for (const [name, mime_type, options] of FILMS) {
    const film = await readFile(await madeFilm(name, [...SOUND, ...options]))
    await add(name, mime_type, name === 'film.mp4' ? withMore(film, ...more) : film, IN_FILM)
  }
  // What some cameras write as subtitles: where they were.
  const texts = join(folder, 'texts.srt')
  await writeFile(texts, `1\n00:00:00,000 --> 00:00:00,900\n${TEXT}\n`)
  const film = await madeFilm('film.mp4', [...SOUND, '-c:v', 'libx264'])
  const titled = await madeOfFilm(film, 'titled.mp4', [
    ...['-i', texts, '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text'],
    ...['-metadata:s:s:0', `handler_name=${PERSON}`, '-metadata:s:v:0', `handler_name=${SERIAL}`],
  ])
  await add('titled.mp4', 'video/mp4', await readFile(titled), IN_FILM)
  for (const [name, mime_type, options] of WEBMS) {
    const tags = ['artist', 'title', 'location', 'comment'].flatMap((tag) => [
      '-metadata',
      `${tag}=${TEXT}`,
    ])
    const named = ['-metadata:s:v:0', `title=${PERSON}`]
    const made = await madeFilm(name, [...SOUND, ...options, ...tags, ...named])
    await add(name, mime_type, await readFile(made), [])
  }
  const attach = ['-attach', texts, '-metadata:s:t', 'mimetype=text/plain', '-c', 'copy']
  const made = await madeOfFilm(join(folder, 'film.mkv'), 'attached.mkv', attach)
  await add('attached.mkv', 'video/x-matroska', await readFile(made), [])
  return found
}

// Pictures and films in pictures, and what no program writes.
async function composed(folder: string): Promise<Telling[]> {
  const read = (name: string) => readFile(join(folder, name))
  const [picture, film, heic] = [
    await read('told.jpg'),
    await read('film.mp4'),
    await read('told.heic'),
  ]
  const jpeg = await sharp(await photograph(4, 160, 120))
    .jpeg()
    .toBuffer()
  const note = jpegWith(jpeg, [
    [0xe1, 'Exif\0\0', appleExif({ 17: `${SERIAL}-${PERSON}` })],
    [0xe5, PERSON],
    [0xec, `Ducky${SERIAL}`],
    [0xe2, `FPXR\0${PERSON}`],
    [0xfe, PERSON],
  ])
  const behind = samsungTrailer(
    [0x0a30, 'MotionPhoto_Data', film],
    [0x0a01, 'Image_UTC_Data', Buffer.from(PERSON)],
  )
  const parts: [name: string, type: string, parts: Uint8Array[]][] = [
    ['note.jpg', 'jpeg', [note]],
    ['two.jpg', 'jpeg', [picture, Buffer.alloc(10), picture]],
    ['google.jpg', 'jpeg', [picture, picture, film]],
    ['samsung.jpg', 'jpeg', [picture, behind]],
    ['junk.jpg', 'jpeg', [picture, TEXT]],
    ['living.heic', 'heic', [heic, box('mpvd', film), box('sefd', [TEXT])]],
  ]
  return Promise.all(
    parts.map(async ([name, type, bytes]) => {
      const path = join(folder, name)
      await writeFile(path, Buffer.concat(bytes))
      return { path, mime_type: `image/${type}` }
    }),
  )
}

/** Returns bytes with edits laid over. */
export function edited(bytes: Buffer, edits: Edit[]): Buffer {
  const made = Buffer.from(bytes)
  for (const edit of edits) {
    if ('zeros' in edit) made.fill(0, edit.at, edit.at + edit.zeros)
    else Buffer.from(edit.base64, 'base64').copy(made, edit.at)
  }
  return made
}

/** Returns the plain texts, and positions as EXIF and films write them, that bytes hold. */
export function toldIn(bytes: Buffer): string[] {
  return TOLD.filter(({ bytes: told }) => bytes.includes(told)).map(({ name }) => name)
}

const degrees = (isLittle: boolean) => {
  const numbers = [47, 1, 7, 1]
  const bytes = Buffer.alloc(16)
  for (const [n, number] of numbers.entries()) {
    if (isLittle) bytes.writeUInt32LE(number, n * 4)
    else bytes.writeUInt32BE(number, n * 4)
  }
  return bytes
}
const TOLD = [
  ...['Planted', 'PLANTED', '47.12', '+47.1', '47,7.4', 'Ducky', '0123456789abcdef'].map(
    (text) => ({
      name: text,
      bytes: Buffer.from(text),
    }),
  ),
  { name: 'Planted in UTF-16', bytes: Buffer.from('Planted', 'utf16le') },
  { name: 'a latitude, little', bytes: degrees(true) },
  { name: 'a latitude, big', bytes: degrees(false) },
]
const TELLS =
  /GPS|Latitude|Longitude|Location|City|Serial|Owner|Artist|Creator|Person|By-?line|Author|History|Maker|UniqueID|Comment|Region|Copyright|Identifier/i

/** Returns what exiftool finds in files that says where, by whom and by which camera, as the file and the tag. */
export function toldToExiftool(paths: string[]): string[] {
  const args = ['-a', '-G1', '-ee', '-s', '-j', '-m', '-q', ...paths]
  // It fails when a file is damaged, and reads the others all the same.
  const { stdout } = spawnSync('exiftool', args, { maxBuffer: 2 ** 28 })
  const files: Record<string, unknown>[] = JSON.parse(stdout.toString())
  return files.flatMap(({ SourceFile, ...tags }) =>
    Object.entries(tags)
      .filter(([tag, value]) => !/^(System|ICC|File:FileName)/.test(tag) && tells(tag, value))
      .map(
        ([tag, value]) => `${basename(String(SourceFile))} ${tag} ${String(value).slice(0, 40)}`,
      ),
  )
}

function tells(tag: string, value: unknown): boolean {
  const text = JSON.stringify(value)
  // What is left of a text may be zeros.
  const isEmpty = text === '""' || text === 'null'
  return /planted/i.test(text) || (TELLS.test(tag) && !isEmpty)
}
