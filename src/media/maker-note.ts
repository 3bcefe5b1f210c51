import { partOf } from './bounded-file.ts'
import { openTiff, orderOf, type Row, type Tiff } from './tiff-directory.ts'

/** A directory among a maker's own tags. */
interface Note {
  maker: 'Apple' | 'Nikon' | 'Olympus' | 'Pentax'
  tiff: Tiff
  at: number
}

/** The number of the tag whose value a maker's own tags are. */
export const MAKER_NOTE = 0x927c

// How makers' notes begin; where they say the byte order; where the directory is, unless a TIFF structure begins
// there; whether places count from the note: exiftool, MakerNotes.pm.
const NOTES: [
  start: string,
  order: number,
  directory: number | null,
  isOwn: boolean,
  Note['maker'],
][] = [
  ['Apple iOS\0', 12, 14, true, 'Apple'],
  ['OLYMPUS\0', 8, 12, true, 'Olympus'],
  ['OM SYSTEM\0', 12, 16, true, 'Olympus'],
  ['OLYMP\0', 6, 8, false, 'Olympus'],
  ['Nikon\0\x02', 10, null, true, 'Nikon'],
  ['PENTAX \0', 8, 10, true, 'Pentax'],
  ['AOC\0', 4, 6, false, 'Pentax'],
]

/** Returns the directory in an entry with a maker's own tags, or null when its maker isn't known. */
export async function openNote(tiff: Tiff, row: Row | undefined): Promise<Note | null> {
  if (!row) return null
  const place = tiff.order.read(row.rest)
  const head = (await tiff.file.read(place, place + 16)).toString('latin1')
  const found = NOTES.find(([start]) => head.startsWith(start))
  if (!found) return null
  const [, orderAt, directory, isOwn, maker] = found
  const from = (start: number) => partOf(tiff.file, start, tiff.file.size)
  if (directory === null) {
    const inner = await openTiff(from(place + orderAt))
    return inner && { maker, tiff: inner, at: inner.first }
  }
  const letters = head.slice(orderAt, orderAt + 2)
  const order = /^(II|MM)/.test(letters) ? orderOf(letters === 'II') : tiff.order
  if (!isOwn) return { maker, tiff: { ...tiff, order }, at: place + directory }
  return { maker, tiff: { ...tiff, order, file: from(place) }, at: directory }
}
