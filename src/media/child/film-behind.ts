import type { BoundedFile } from '../bounded-file.ts'
import { boxes, findParts, fourcc } from '../container-parts.ts'
import { jpegSegments, SCAN } from './embedded.ts'

/** Where XMP says that a film begins, counted in bytes from the end of the file, and how long it is. */
export interface FilmClaim {
  fromEnd: number
  length: number
}

/** Where a film is in the file of a picture, in bytes. */
interface FilmBehind {
  film_start: number
  film_length: number
}

const [FTYP, MPVD] = [fourcc('ftyp'), fourcc('mpvd')]
const HEAD = 8
// How Samsung's trailer is written: exiftool, Samsung.pm.
const [SAMSUNG_END, SAMSUNG_START, SAMSUNG_FILM] = ['SEFT', 'SEFH', 'MotionPhoto_Data']
const MAX_TRAILER = 65_536
const ROW = 12

/**
 * Returns where a film of the same moment lies behind a JPEG or a picture in ISO boxes, or null when there is none. Of
 * several claims, the first one counts that is true. Throws the errors of reading.
 */
export async function filmBehind(
  file: BoundedFile,
  mime_type: string,
  claims: FilmClaim[],
): Promise<FilmBehind | null> {
  const isIso = /^image\/(hei[cf]|avif)$/.test(mime_type)
  const isJpeg = mime_type === 'image/jpeg'
  const films = isIso ? await inBox(file) : isJpeg ? await behindJpeg(file, claims) : []
  for (const film of films) if (await isFilm(file, film)) return film
  return null
}

async function isFilm(
  file: BoundedFile,
  { film_start, film_length }: FilmBehind,
): Promise<boolean> {
  const end = film_start + film_length
  if (film_start <= 0 || film_length < HEAD || end > file.size) return false
  for await (const { name, isWhole } of boxes(file, film_start, end))
    return name === FTYP && isWhole
  return false
}

// In ISO boxes, XMP says the same.
async function inBox(file: BoundedFile): Promise<FilmBehind[]> {
  const [film] = await findParts(boxes, file, [MPVD])
  return film ? [{ film_start: film.start, film_length: film.end - film.start }] : []
}

async function behindJpeg(file: BoundedFile, claims: FilmClaim[]): Promise<FilmBehind[]> {
  const told = claims.map(({ fromEnd, length }) => ({
    film_start: file.size - fromEnd,
    film_length: length,
  }))
  const films = [...(await inTrailer(file)), ...told]
  if (films.length === 0) return []
  for await (const { marker, end } of jpegSegments(file)) {
    if (marker === SCAN) return films.filter(({ film_start }) => film_start >= end)
  }
  return []
}

// The rows of the trailer say by how much each part begins before them; a part begins with its name.
async function inTrailer(file: BoundedFile): Promise<FilmBehind[]> {
  const { size } = file
  const tail = await file.read(Math.max(0, size - HEAD), size)
  if (tail.length < HEAD || tail.toString('latin1', 4) !== SAMSUNG_END) return []
  const length = tail.readUInt32LE(0)
  const at = size - HEAD - length
  if (length > MAX_TRAILER || at < 0) return []
  const rows = await file.read(at, at + length)
  if (rows.toString('latin1', 0, 4) !== SAMSUNG_START) return []
  for (let row = ROW; row + ROW <= length; row += ROW) {
    const start = Math.max(0, at - rows.readUInt32LE(row + 4))
    const before = HEAD + SAMSUNG_FILM.length
    const name = (await file.read(start, start + before)).toString('latin1', HEAD)
    const film_length = rows.readUInt32LE(row + 8) - before
    if (name === SAMSUNG_FILM) return [{ film_start: start + before, film_length }]
  }
  return []
}
