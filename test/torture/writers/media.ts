import { randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { picture } from '../../support/harness.ts'

/** What a JPEG's comment may have, in bytes. */
const COMMENT = 65_533

/** Makes files of about so many bytes whose format says where they end; no two are alike. */
export const ENDED = {
  jpg: jpegOf,
  png: pngOf,
  webp: webpOf,
  mp4: (size: number) => film(size, true),
  mov: (size: number) => film(size, false),
} satisfies Record<string, (size: number, n: number) => Buffer | Promise<Buffer>>

/** Makes a file of about so many bytes of a format without an end. */
export function endless(size: number): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 1, 0xba]), noise(size)])
}

/** As films from cameras, with the index at the end, or from editors, with it first. */
function film(size: number, isIndexFirst: boolean): Buffer {
  const [data, index] = [box('mdat', noise(size)), box('moov', Buffer.alloc(0))]
  const kind = box('ftyp', Buffer.from(isIndexFirst ? 'isom\0\0\0\0isom' : 'qt  \0\0\0\0qt  '))
  return Buffer.concat(isIndexFirst ? [kind, index, data] : [kind, data, index])
}

function box(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

async function jpegOf(size: number, n: number): Promise<Buffer> {
  const whole = Buffer.from(await picture(n))
  const comments: Buffer[] = []
  for (let left = size; left > 0; left -= COMMENT) {
    const text = noise(Math.min(left, COMMENT))
    comments.push(Buffer.from([0xff, 0xfe, (text.length + 2) >> 8, (text.length + 2) & 0xff]), text)
  }
  return Buffer.concat([whole.subarray(0, 2), ...comments, whole.subarray(2)])
}

async function pngOf(size: number, n: number): Promise<Buffer> {
  const whole = await sharp(await picture(n))
    .png()
    .toBuffer()
  const body = Buffer.concat([Buffer.from('raNd'), noise(size)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(size)
  sum.writeUInt32BE(crc32(body))
  const end = whole.length - 12
  return Buffer.concat([whole.subarray(0, end), length, body, sum, whole.subarray(end)])
}

async function webpOf(size: number, n: number): Promise<Buffer> {
  const whole = await sharp(await picture(n))
    .webp()
    .toBuffer()
  const head = Buffer.from('raNd\0\0\0\0')
  const body = noise(size + (size % 2))
  head.writeUInt32LE(body.length, 4)
  const made = Buffer.concat([whole, head, body])
  made.writeUInt32LE(made.length - 8, 4)
  return made
}

function noise(size: number): Buffer {
  return randomFillSync(Buffer.alloc(size))
}
