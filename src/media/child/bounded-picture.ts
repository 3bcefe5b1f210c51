import { type BoundedFile, withBoundedFile } from '../bounded-file.ts'
import { readRaw } from '../raw.ts'
import { embeddedJpeg } from './embedded-jpeg.ts'
import { firstGifFrame, firstWebpFrame } from './first-frame.ts'
import { smallPng } from './png-head.ts'
import { firstTiffPage } from './tiff-chain.ts'

// In bytes, of heads and of what is held of a picture that is not read as it is.
const MAX_READ = 128 * 2 ** 20
const MAGIC = 16
const SEQUENCE = 'ftypavis'
const PICTURE = 'ftypavif'
const PNG = '\x89PNG'

/**
 * Returns what the picture decoder should read: the file itself, or its bytes without what would keep the decoder busy.
 * Throws when there is too much of that, when the system refuses to open the file, or when it can't read it. Most
 * pictures are JPEGs, so a file with that type is not opened.
 */
export async function boundedPicture(path: string, mime_type?: string): Promise<string | Buffer> {
  if (mime_type === 'image/jpeg') return path
  return withBoundedFile(path, async (file) => (await boundedBytes(file)) ?? path, MAX_READ)
}

async function boundedBytes(file: BoundedFile): Promise<Buffer | null> {
  const magic = (await file.read(0, MAGIC)).toString('latin1')
  if (magic.startsWith('GIF8')) return firstGifFrame(file)
  if (magic.startsWith('RIFF') && magic.startsWith('WEBPVP8X', 8)) return firstWebpFrame(file)
  if (magic.startsWith(PNG)) return smallPng(file)
  if (magic.startsWith(SEQUENCE, 4)) return asPicture(file)
  const raw = await readRaw(file)
  if (raw) return embeddedJpeg(file, raw)
  return /^(II|MM)/.test(magic) ? firstTiffPage(file) : null
}

// Returns a sequence as the picture that it has beside its frames; the decoder opens no sequence.
async function asPicture(file: BoundedFile): Promise<Buffer> {
  const bytes = Buffer.from(await file.read(0, file.size))
  bytes.write(PICTURE, 4, 'latin1')
  return bytes
}
