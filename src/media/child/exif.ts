import sharp from 'sharp'
import { type BoundedFile, inMemory, partOf, withBoundedFile } from '../bounded-file.ts'
import type { ReadDate } from '../dates.ts'
import type { Description, Sidecar } from '../description.ts'
import { RAW_TYPES } from '../endings.ts'
import { failureOf, isOfUnreadable } from '../outcome.ts'
import { type Extent, type Raw, readRaw } from '../raw.ts'
import { boundedPicture } from './bounded-picture.ts'
import { readCaptions } from './captions.ts'
import { readDateText } from './date-text.ts'
import {
  type Embedded,
  embeddedInGif,
  embeddedInJpeg,
  embeddedInJxl,
  embeddedInWebp,
  MAX_CAPTIONS,
  tiffIn,
} from './embedded.ts'
import { EXIF_MAX_READ, readExifBlock } from './exif-block.ts'
import { exifDates } from './exif-dates.ts'
import { APPLE_NAMES, EXIF_NAMES, GPS_NAMES, IFD0_NAMES } from './exif-tags.ts'
import { cleanValue, position } from './exif-values.ts'
import { filmBehind } from './film-behind.ts'
import { embeddedInPng } from './png-head.ts'

/** What a file says about itself. */
export interface Exif {
  /** Flat, by the names of the EXIF standard, with latitude and longitude in degrees. */
  exif: Record<string, unknown>
  /** When it may have been taken, the best date first. */
  dates: ReadDate[]
  /** Which of its EXIF entries were broken, in words. */
  dropped?: string[]
  /** What people or their programs wrote about it, in it or beside it. */
  description: Description
}

type Block = Record<string, unknown>

const MAX_BYTES = 65_536
// As many as the server accepts, see `decoder/answers.ts`.
const MAX_DROPPED = 1000
const MAX_DATES = 100
const HEAD_LENGTH = 1_048_576
// Blocks of a picture that are read, and after how many bytes of them no more are.
const MAX_EMBEDDED = 256
const MAX_TIFFS = 8
const MAX_EMBEDDED_BYTES = 4 * 2 ** 20
// Texts that count as tags; ImageMagick writes all of them into a PNG.
const TEXT_TAG =
  /^exif:(Make|Model|(?:DateTime|SubSecTime|OffsetTime)(?:Original|Digitized)?|GPS(?:Latitude|Longitude)(?:Ref)?)$/

/**
 * Returns the EXIF of a picture, as far as it can be read: an empty object when it is broken. The place and date of a
 * sidecar of XMP count behind its own, and the place of another one. Throws when the system refuses to open the file,
 * or can't read it.
 */
export async function readExif(
  path: string,
  mime_type: string,
  sidecars?: Sidecar[],
): Promise<Exif> {
  const read = (file: BoundedFile) => readExifOf({ path, file, mime_type }, sidecars)
  return withBoundedFile(path, read, EXIF_MAX_READ)
}

// Only sharp reads more of it than a limited amount.
interface Picture {
  path: string
  file: BoundedFile
  mime_type: string
  raw?: Raw | null
}

/** Does what `readExif` does with a picture that is open; throws the errors of reading it. */
export async function readExifOf(
  opened: Omit<Picture, 'raw'>,
  sidecars?: Sidecar[],
): Promise<Exif> {
  const raw = RAW_TYPES.has(opened.mime_type) ? await readRaw(opened.file) : null
  const picture: Picture = { ...opened, raw }
  const embedded = await readEmbedded(picture)
  const { tags, dropped } = await readBlocks(picture, embedded)
  const captions = readCaptions(embedded, sidecars)
  const { keywords, caption, place, description } = captions
  const film = await unlessBroken(
    () => filmBehind(picture.file, picture.mime_type, captions.films),
    null,
  )
  const exif: Block = {
    ...tags,
    ...(position(tags) ?? place ?? description.position),
    ...(keywords.length > 0 && { Keywords: keywords }),
    ...film,
  }
  if (caption !== undefined) exif.ImageDescription ??= caption
  return {
    exif: withinLimit(exif),
    dates: exifDates(exif, captions.dates).slice(0, MAX_DATES),
    dropped: dropped.slice(0, MAX_DROPPED),
    description,
  }
}

interface Read {
  tags: Block
  dropped: string[]
}

// Of several blocks, the first one counts that says something.
async function readBlocks({ file, mime_type, raw }: Picture, embedded: Embedded[]): Promise<Read> {
  const read: Read = { tags: textTags(embedded), dropped: [] }
  const seen = new Set<string>()
  const tiffs = embedded.flatMap(({ kind, bytes }) =>
    kind === 'exif' ? (tiffIn(bytes) ?? []) : [],
  )
  const own = at(file, raw?.ifd0) ?? (mime_type === 'image/tiff' ? file : undefined)
  const apart = { exif: at(file, raw?.exif), gps: at(file, raw?.gps) }
  for (const source of own ? [own] : tiffs.slice(0, MAX_TIFFS).map(inMemory)) {
    const found = await unlessBroken(() => readExifBlock(source, apart), null)
    if (found === null) continue
    const tags = {
      ...named(found.ifd0, IFD0_NAMES),
      ...named(found.gps, GPS_NAMES),
      ...named(found.exif, EXIF_NAMES),
      ...named(found.apple, APPLE_NAMES),
    }
    for (const [name, value] of Object.entries(tags)) {
      const isRead = !name.startsWith('DateTime') || readDateText(value) !== null
      if (seen.has(name) || (!isRead && name in read.tags)) continue
      read.tags[name] = value
      if (isRead) seen.add(name)
    }
    read.dropped.push(...found.dropped)
  }
  return read
}

function textTags(embedded: Embedded[]): Block {
  const tags: Block = {}
  for (const one of embedded) {
    const [, name] = (one.kind === 'text' && TEXT_TAG.exec(one.keyword)) || []
    if (name === undefined || name in tags) continue
    const text = one.bytes.toString()
    const isFractions = /^\d+\/\d+(, *\d+\/\d+)*$/.test(text)
    const numbers = text.split(',').map((fraction) => {
      const [above, below] = fraction.split('/')
      return Number(above) / Number(below)
    })
    const value = cleanValue(name, isFractions ? numbers : text)
    if (value !== undefined) tags[name] = value
  }
  return tags
}

const WALKS = new Map([
  ['image/jpeg', embeddedInJpeg],
  ['image/png', embeddedInPng],
  ['image/gif', embeddedInGif],
  ['image/webp', embeddedInWebp],
  ['image/jxl', embeddedInJxl],
])

// Returns the blocks of a picture in the order of the file, as far as it can be read.
async function readEmbedded(picture: Picture): Promise<Embedded[]> {
  const { file, raw } = picture
  if (raw?.ifd0) {
    const xmp = await captionOf('xmp', at(file, raw.xmp))
    return [...xmp, ...(await captionOf('iptc', at(file, raw.iptc)))]
  }
  const walk = WALKS.get(picture.mime_type)
  if (!walk) return readBySharp(picture)
  const found: Embedded[] = []
  let bytes = 0
  await unlessBroken(async () => {
    for await (const one of walk(file)) {
      bytes += one.bytes.length
      if (found.push(one) === MAX_EMBEDDED || bytes > MAX_EMBEDDED_BYTES) return
    }
  }, undefined)
  return found
}

async function captionOf(kind: 'xmp' | 'iptc', part: BoundedFile | undefined): Promise<Embedded[]> {
  return part && part.size <= MAX_CAPTIONS ? [{ kind, bytes: await part.read(0, part.size) }] : []
}

async function readBySharp({ path, file, mime_type }: Picture): Promise<Embedded[]> {
  const metadataOf = (content: string | Buffer) =>
    sharp(content, { failOn: 'none', limitInputPixels: false }).metadata()
  const read = async () => metadataOf(await boundedPicture(path, mime_type))
  let found: Awaited<ReturnType<typeof read>> | undefined
  try {
    found = await read()
  } catch {
    // sharp reports broken content and a failed read, which may not fail again, in the same words.
    const head = await file.read(0, HEAD_LENGTH)
    found = await read().catch(() => undefined)
    const branded = inKnownBrand(head)
    if (branded) found ??= await metadataOf(branded).catch(() => undefined)
  }
  const kinds = ['exif', 'xmp', 'iptc'] as const
  return kinds.flatMap((kind) => (found?.[kind] ? [{ kind, bytes: found[kind] }] : []))
}

// sharp opens no picture whose brand is rarer than this one, such as `avci`.
function inKnownBrand(head: Buffer): Buffer | null {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null
  const bytes = Buffer.from(head)
  bytes.write('mif1', 8, 'latin1')
  return bytes
}

// Returns the fallback for a broken content; throws when the system refuses or can't read.
async function unlessBroken<Result, Fallback>(
  read: () => Promise<Result>,
  fallback: Fallback,
): Promise<Result | Fallback> {
  try {
    return await read()
  } catch (error) {
    const failure = failureOf(error)
    if ('refused' in failure || 'starved' in failure || isOfUnreadable(error)) throw error
    return fallback
  }
}

function at(file: BoundedFile, extent: Extent | null | undefined): BoundedFile | undefined {
  return extent ? partOf(file, extent.start, extent.end) : undefined
}

function named(block: Block, names: Record<number, string>): Block {
  const result: Block = {}
  for (const [tag, value] of Object.entries(block)) {
    const name = names[Number(tag)]
    const clean = name === undefined ? undefined : cleanValue(name, value)
    if (name !== undefined && clean !== undefined) result[name] = clean
  }
  return result
}

function withinLimit(exif: Block): Block {
  // Of JSON in braces, one of which counts as the comma.
  const size = (block: Block) => Buffer.byteLength(JSON.stringify(block)) - 1
  const sizes = Object.entries(exif).map(([name, value]) => ({
    name,
    size: size({ [name]: value }),
  }))
  const limited = { ...exif }
  let left = size(exif) + 1
  for (const { name, size } of sizes.sort((a, b) => b.size - a.size)) {
    if (left <= MAX_BYTES) break
    delete limited[name]
    left -= size
  }
  return limited
}
