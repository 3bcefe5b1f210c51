import { crc32 } from 'node:zlib'
import type { Extent } from '../../raw.ts'
import { gifBlocks, webpChunks } from '../embedded.ts'
import { chunksOf } from '../png-head.ts'
import { editsOf, put, type Sheet, understand, zero } from './sheet.ts'
import { blankExif } from './tiff.ts'

const PNG = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP'],
  ...['mDCV', 'cLLI', 'bKGD', 'hIST', 'pHYs', 'tIME', 'acTL', 'fcTL', 'fdAT'],
])
const [PNG_HEAD, PNG_EXIF, PNG_END] = [8, 'eXIf', 'IEND']
// A name that nobody uses, of a chunk that may be passed over and copied.
const PNG_EMPTY = Buffer.from('fiLl')
const BLOCK = 2 ** 20
const MAX_EXIF = 2 ** 20
const WEBP = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ICCP'])
const FRAME_HEAD = 16

/** Notes what must go of a PNG; throws when it isn't understood, or the sum of what is kept isn't right. */
export async function blankPng(sheet: Sheet): Promise<void> {
  const { file } = sheet
  let last = PNG_HEAD
  let name = ''
  for await (const chunk of chunksOf(file)) {
    const { start, end } = chunk
    const [body, sum] = [start + 8, end - 4]
    name = chunk.name
    last = end
    const length = (await file.read(start, start + 4)).readUInt32BE(0)
    understand(/^[A-Za-z]{4}$/.test(name) && end === start + 12 + length)
    if (PNG.has(name))
      understand((await sumOf(sheet, start + 4, sum)) === (await sumAt(sheet, sum)))
    else if (name === PNG_EXIF) await blankPngExif(sheet, { start: body, end: sum })
    else {
      put(sheet, start + 4, PNG_EMPTY)
      zero(sheet, body, sum)
      let of = crc32(PNG_EMPTY)
      for (let left = length; left > 0; left -= BLOCK) {
        of = crc32(Buffer.alloc(Math.min(left, BLOCK)), of)
      }
      putSum(sheet, sum, of)
    }
    if (name === PNG_END) break
  }
  understand(name === PNG_END)
  zero(sheet, last, file.size)
}

async function blankPngExif(sheet: Sheet, { start, end }: Extent): Promise<void> {
  understand(end - start <= MAX_EXIF)
  const inner: Sheet = { file: sheet.file, zeros: [], puts: [] }
  await blankExif(inner, { start, end })
  const bytes = Buffer.from(await sheet.file.read(start - 4, end))
  for (const edit of editsOf(inner)) {
    const at = edit.at - (start - 4)
    if ('zeros' in edit) bytes.fill(0, at, at + edit.zeros)
    else Buffer.from(edit.base64, 'base64').copy(bytes, at)
  }
  sheet.zeros.push(...inner.zeros)
  sheet.puts.push(...inner.puts)
  putSum(sheet, end, crc32(bytes))
}

async function sumOf({ file }: Sheet, start: number, end: number): Promise<number> {
  let sum = 0
  for (let at = start; at < end; at += BLOCK) {
    sum = crc32(await file.read(at, Math.min(end, at + BLOCK)), sum)
  }
  return sum
}

async function sumAt({ file }: Sheet, at: number): Promise<number> {
  return (await file.read(at, at + 4)).readUInt32BE(0)
}

function putSum(sheet: Sheet, at: number, sum: number): void {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(sum)
  put(sheet, at, bytes)
}

/** Notes what must go of a WebP; throws when it isn't understood. */
export async function blankWebp(sheet: Sheet): Promise<void> {
  const { file } = sheet
  const size = (await file.read(4, 8)).readUInt32LE(0) + 8
  const end = size + (size % 2)
  understand(end <= file.size)
  const walk = async (within: Extent, isFrame: boolean) => {
    let last = within.start
    for await (const { name, start, size, next } of webpChunks(file, within)) {
      understand(next <= within.end)
      last = next
      if (name === 'EXIF') await blankExif(sheet, { start, end: next })
      else if (name === 'ANMF' && !isFrame) {
        zero(sheet, start + size, next)
        await walk({ start: start + FRAME_HEAD, end: start + size }, true)
      } else if (!WEBP.has(name)) zero(sheet, start, next)
    }
    understand(last === within.end)
  }
  await walk({ start: 12, end }, false)
  zero(sheet, end, file.size)
}

const [EXTENSION, COMMENT, CONTROL, APPLICATION] = [0x21, 0xfe, 0xf9, 0xff]
const REPEATS = ['\x0bNETSCAPE2.0', '\x0bANIMEXTS1.0']
const [CONTROL_LENGTH, REPEATS_LENGTH] = [6, 17]
const GIF_END = 0x3b

/** Notes what must go of a GIF; throws when it isn't understood. */
export async function blankGif(sheet: Sheet): Promise<void> {
  const { file } = sheet
  let last = 0
  for await (const { isFrame, start, end } of gifBlocks(file)) {
    understand(end <= file.size)
    last = end
    if (isFrame) {
      const bits = (await file.read(start - 1, start))[0]!
      understand(bits >= 1 && bits <= 11)
      continue
    }
    const head = await file.read(start - 2, Math.min(end, start + 12))
    understand(head[0] === EXTENSION)
    const isControl = head[1] === CONTROL && end - start === CONTROL_LENGTH
    const name = head.toString('latin1', 2)
    const isRepeat =
      head[1] === APPLICATION && REPEATS.includes(name) && end - start === REPEATS_LENGTH
    if (!isControl && !isRepeat) putComment(sheet, { start, end })
  }
  understand(last > 0 && (await file.read(last, last + 1))[0] === GIF_END)
  zero(sheet, last + 1, file.size)
}

// Makes an extension a comment of zeros. What is in it was in parts with their lengths, or even without.
function putComment(sheet: Sheet, { start, end }: Extent): void {
  put(sheet, start - 1, Buffer.of(COMMENT))
  zero(sheet, start, end)
  for (let at = start, left = end - start - 1; left > 0; ) {
    // No part is a single length, which would end the extension.
    const length = Math.min(256, left) - (left === 257 ? 1 : 0)
    put(sheet, at, Buffer.of(length - 1))
    at += length
    left -= length
  }
}
