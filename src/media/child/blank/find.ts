import type { Edit } from '../../blanked.ts'
import { type BoundedFile, withBoundedFile } from '../../bounded-file.ts'
import { fourcc } from '../../container-parts.ts'
import { isOfSystem } from '../../outcome.ts'
import { boxesIn } from './boxes.ts'
import { blankGif, blankPng, blankWebp } from './chunks.ts'
import { blankIsoFile } from './iso.ts'
import { blankJpeg, blankJpegFile } from './jpeg.ts'
import { blankMatroska } from './matroska.ts'
import { editsOf, type Sheet, understand, zero } from './sheet.ts'
import { blankExif, blankTiff } from './tiff.ts'

// In bytes: of a picture all is read, of a film what says where its frames are.
const MAX_READ = 512 * 2 ** 20
const MAX_JPEGS = 20_000

// Types that aren't here can't be read through to their end, or, as the RAWs of makers, can't be decoded without what
// would go.
const BLANKERS: Record<string, (sheet: Sheet) => Promise<void>> = {
  'image/jpeg': blankJpegFile,
  'image/png': blankPng,
  'image/gif': blankGif,
  'image/webp': blankWebp,
  'image/avif': (sheet) => blankIsoFile(sheet, true),
  'image/heic': (sheet) => blankIsoFile(sheet, true),
  'image/heif': (sheet) => blankIsoFile(sheet, true),
  'image/tiff': blankTiffFile,
  'image/x-adobe-dng': blankTiffFile,
  'image/jxl': blankJxl,
  'video/mp4': (sheet) => blankIsoFile(sheet, false),
  'video/quicktime': (sheet) => blankIsoFile(sheet, false),
  'video/x-m4v': (sheet) => blankIsoFile(sheet, false),
  'video/3gpp': (sheet) => blankIsoFile(sheet, false),
  'video/webm': blankMatroska,
  'video/x-matroska': blankMatroska,
}

/**
 * Returns what of a content must go so that it says nothing of places, people and devices: where it was taken, whom it
 * shows, who made it, by which camera of all, and how it was edited. All is kept that shows it as before, and when and
 * how it was taken. Returns null when it isn't understood to its end. Throws when the disk can't read it.
 */
export async function findPrivate(path: string, mime_type: string): Promise<Edit[] | null> {
  return withBoundedFile(path, (file) => findPrivateIn(file, mime_type), MAX_READ)
}

/** Does the same with a file that is open. */
export async function findPrivateIn(file: BoundedFile, mime_type: string): Promise<Edit[] | null> {
  const blank = BLANKERS[mime_type]
  if (!blank) return null
  const sheet: Sheet = { file, zeros: [], puts: [] }
  try {
    await blank(sheet)
    return editsOf(sheet)
  } catch (error) {
    if (isOfSystem(error)) throw error
    return null
  }
}

async function blankTiffFile(sheet: Sheet): Promise<void> {
  const jpegs = await blankTiff(sheet, { start: 0, end: sheet.file.size }, 'picture')
  understand(jpegs.length <= MAX_JPEGS)
  for (const jpeg of jpegs) zero(sheet, await blankJpeg(sheet, jpeg), jpeg.end)
}

const [JXL, EXIF] = ['JXL ', 'Exif'].map(fourcc)
const OF_JXL = new Set(['JXL ', 'ftyp', 'jxlc', 'jxlp', 'jxll'].map(fourcc))

// One without boxes doesn't say where it ends.
async function blankJxl(sheet: Sheet): Promise<void> {
  const parts = await boxesIn(sheet, { start: 0, end: sheet.file.size })
  understand(parts[0]?.name === JXL)
  for (const part of parts) {
    // The place of the TIFF structure precedes it.
    if (part.name === EXIF) await blankExif(sheet, { start: part.start + 4, end: part.end })
    else if (!OF_JXL.has(part.name)) zero(sheet, part.start, part.end)
  }
}
