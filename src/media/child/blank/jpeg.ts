import { type BoundedFile, readInBlocks } from '../../bounded-file.ts'
import type { Extent } from '../../raw.ts'
import { SCAN } from '../embedded.ts'
import { blankFilm } from './iso.ts'
import { attempt, type Sheet, understand, zero } from './sheet.ts'
import { blankExif, blankTiff } from './tiff.ts'

const [START, END, FILL] = [0xd8, 0xd9, 0xff]
const [APP0, APP1, APP2, APP14, APP15, COMMENT] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe]
const EXIF = 'Exif\0\0'
const PLACES = 'MPF\0'
// What may be behind APP2: a profile of colours, and how a picture of more light is made of two (ISO 21496-1).
const SHOWN = /^(ICC_PROFILE\0|urn:iso:std:iso:ts:21496:-1\0)/
// Behind these are pixels of a thumbnail, or nothing.
const HEADS = [
  [APP0, 'JFIF\0', 12],
  [APP14, 'Adobe', 12],
] as const
// Bytes that are read at once.
const BLOCK = 65_536
// Before a film, some phones write what it is.
const BEFORE_FILM = 64

/**
 * Notes what must go of a JPEG that begins a part of a file, and returns where it ends; throws when it isn't understood.
 */
export async function blankJpeg(sheet: Sheet, { start, end }: Extent): Promise<number> {
  const file = readInBlocks(sheet.file, BLOCK)
  understand(isMarker(await file.read(start, start + 2), START))
  for (let at = start + 2; ; ) {
    const head = await file.read(at, Math.min(end, at + 4))
    understand(head.length >= 2 && head[0] === FILL)
    const marker = head[1]!
    if (marker === END) return at + 2
    if (marker === FILL) {
      at++
      continue
    }
    understand(head.length === 4)
    const [body, next] = [at + 4, at + 2 + head.readUInt16BE(2)]
    understand(next >= body && next <= end)
    if ((marker >= APP0 && marker <= APP15) || marker === COMMENT) {
      await blankSegment(sheet, marker, { start: body, end: next })
    } else understand(isTable(marker, await file.read(body, next)))
    at = marker === SCAN ? await endOfScan(file, next, end) : next
  }
}

/** Does the same with a file, behind whose first picture there may be others, and a film. */
export async function blankJpegFile(sheet: Sheet): Promise<void> {
  const { size } = sheet.file
  const file = readInBlocks(sheet.file, BLOCK)
  let at = await blankJpeg(sheet, { start: 0, end: size })
  while (at < size) {
    const bytes = await file.read(at, at + BLOCK)
    const filled = bytes.findIndex((byte) => byte !== 0)
    if (filled < 0) at += bytes.length
    else at = (await blankNext(sheet, { start: at + filled, end: size })) ?? size
  }
}

// Returns where a picture or film ends, or null when there is none, and all is to be zeros.
function blankNext(sheet: Sheet, rest: Extent): Promise<number | null> {
  return attempt(sheet, rest, async () => {
    const head = await sheet.file.read(rest.start, rest.start + BEFORE_FILM)
    if (isMarker(head, START)) return blankJpeg(sheet, rest)
    // Before its name, a film has its length, which begins with zeros.
    const named = head.indexOf('ftyp')
    understand(named > 0)
    const start = rest.start + named - 4
    zero(sheet, rest.start, start)
    return blankFilm(sheet, { start, end: rest.end })
  })
}

function isMarker(bytes: Buffer, marker: number): boolean {
  return bytes[0] === FILL && bytes[1] === marker
}

async function blankSegment(sheet: Sheet, marker: number, { start, end }: Extent): Promise<void> {
  const { file } = sheet
  const name = (await file.read(start, Math.min(end, start + 32))).toString('latin1')
  const head = HEADS.find(([of, text]) => of === marker && name.startsWith(text))
  if (head) zero(sheet, start + head[2], end)
  else if (marker === APP1 && name.startsWith(EXIF)) {
    await blankExif(sheet, { start: start + EXIF.length, end })
  } else if (marker === APP2 && name.startsWith(PLACES)) {
    const places = { start: start + PLACES.length, end }
    await attempt(sheet, { start, end }, () => blankTiff(sheet, places, 'places'))
  } else if (marker !== APP2 || !SHOWN.test(name)) zero(sheet, start, end)
}

// Returns whether a segment has the length that its marker asks for (ITU-T T.81, annex B).
function isTable(marker: number, body: Buffer): boolean {
  const { length } = body
  switch (marker) {
    case 0xc4:
      return isEvenly(body, (at) => 17 + body.subarray(at + 1, at + 17).reduce((a, b) => a + b, 0))
    case 0xdb:
      return isEvenly(body, (at) => 1 + 64 * ((body[at]! >> 4) + 1))
    case 0xcc:
      return length <= 64 && length % 2 === 0
    case 0xdc:
    case 0xdd:
      return length === 2
    case SCAN:
      return length === 4 + 2 * body[0]!
    default:
      return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8 && length === 6 + 3 * body[5]!
  }
}

function isEvenly({ length }: Buffer, lengthAt: (at: number) => number): boolean {
  let at = 0
  while (at < length) at += lengthAt(at)
  return at === length
}

// Returns where the marker behind a scan is. A zero hides one in the data, and others tell where that may be cut.
async function endOfScan(file: BoundedFile, start: number, end: number): Promise<number> {
  for (let at = start; at + 1 < end; ) {
    const bytes = await file.read(at, Math.min(end, at + BLOCK))
    for (let n = bytes.indexOf(FILL); n >= 0 && n + 1 < bytes.length; n = bytes.indexOf(FILL, n)) {
      const marker = bytes[n + 1]!
      if (marker !== 0 && marker !== FILL && (marker < 0xd0 || marker > 0xd7)) return at + n
      n += marker === FILL ? 1 : 2
    }
    at += bytes.length > 1 ? bytes.length - 1 : 1
  }
  return end
}
