import { boxes, fourcc, type Part } from '../../container-parts.ts'
import type { Extent } from '../../raw.ts'
import { hasCamcorderNotes } from '../film/avchd.ts'
import { blankName, blankReferences, boxesIn, type Data, free, MAX_BOXES } from './boxes.ts'
import { blankItems } from './items.ts'
import { samplesOf } from './samples.ts'
import { attempt, merged, overlap, type Sheet, understand, zeroOutside } from './sheet.ts'

// What is kept in boxes; all others go.
const KEPT = new Map(
  Object.entries({
    moov: 'mvhd iods trak',
    trak: 'tkhd tapt edts mdia',
    tapt: 'clef prof enof',
    edts: 'elst',
    mdia: 'mdhd hdlr minf',
    minf: 'vmhd smhd hdlr dinf stbl',
    dinf: 'dref',
    stbl: 'stsd stts ctts cslg stss stps sdtp stsz stsc stco co64 sgpd sbgp',
  }).map(([name, kept]) => [fourcc(name), new Set(kept.split(' ').map(fourcc))]),
)
const [FTYP, MOOV, META, MDAT, MPVD, TRAK] = ['ftyp', 'moov', 'meta', 'mdat', 'mpvd', 'trak'].map(
  fourcc,
)
const [MOOF, HDLR, DREF, MDIA] = ['moof', 'hdlr', 'dref', 'mdia'].map(fourcc)
// What a film may have besides; behind these, something else begins.
const OTHERS = new Set(['free', 'skip', 'wide', 'uuid', 'udta', 'pdin'].map(fourcc))
// Bytes in which the first picture is.
const FIRST = 65_536
// How a JPEG and a PNG begin; MPEG-4 names them as codecs only deep inside.
const FILES = [Buffer.from([0xff, 0xd8]), Buffer.from([0x89, 0x50])]
const SHOWN = new Set(['vide', 'soun', 'pict', 'auxv'].map(fourcc))

/** Notes what must go of a film in ISO boxes, and returns where it ends; throws when it isn't understood. */
export async function blankFilm(sheet: Sheet, { start, end }: Extent): Promise<number> {
  const parts: Part[] = []
  for await (const part of boxes(sheet.file, start, end, MAX_BOXES)) {
    const isOfFilm = [FTYP, MOOV, META, MDAT].includes(part.name) || OTHERS.has(part.name)
    if (!isOfFilm) break
    parts.push(part)
  }
  understand(parts.some(({ name }) => name === MOOV))
  const last = parts.at(-1)!.end
  await blankParts(sheet, parts, false)
  return last
}

/** Notes what must go of a file in ISO boxes; throws when it isn't understood. */
export async function blankIsoFile(sheet: Sheet, isPicture: boolean): Promise<void> {
  const parts = await boxesIn(sheet, { start: 0, end: sheet.file.size })
  await blankParts(sheet, parts, isPicture)
}

async function blankParts(sheet: Sheet, parts: Part[], isPicture: boolean): Promise<void> {
  const data: Data = { kept: [], exif: [], gone: [] }
  const media = parts.filter(({ name }) => name === MDAT) as Extent[]
  understand(parts.every(({ isWhole }) => isWhole))
  for (const part of parts) {
    const { name } = part
    understand(name !== MOOF)
    if (name === MOOV) await blankMovie(sheet, part, data)
    else if (name === META && isPicture) media.push(...(await blankItems(sheet, part, data)))
    else if (name === MPVD && isPicture) {
      await attempt(sheet, part, () => blankFilm(sheet, part))
    } else if (name !== FTYP && name !== MDAT) free(sheet, part)
  }
  const kept = merged(data.kept)
  const isIn = (extent: Extent) =>
    media.some(({ start, end }) => extent.start >= start && extent.end <= end)
  understand(kept.length > 0 && kept.every(isIn))
  understand(!overlap([...kept, ...data.exif, ...merged(data.gone)]))
  for (const extent of media) zeroOutside(sheet, extent, [...kept, ...data.exif])
}

async function blankMovie(sheet: Sheet, moov: Part, data: Data): Promise<void> {
  const walk = async (box: Part) => {
    const names = KEPT.get(box.name)!
    for (const part of await boxesIn(sheet, box)) {
      if (!names.has(part.name)) free(sheet, part)
      else if (part.name === TRAK) await track(part)
      else if (KEPT.has(part.name)) await walk(part)
      else if (part.name === HDLR) blankName(sheet, part)
      else if (part.name === DREF) await blankReferences(sheet, part)
    }
  }
  const track = async (trak: Part) => {
    const kind = await kindOf(sheet, trak)
    const samples = await samplesOf(sheet, trak, kind)
    if (SHOWN.has(kind)) {
      const { start = 0, end = 0 } = samples[0] ?? {}
      const first = await sheet.file.read(start, Math.min(end, start + FIRST))
      understand(!hasCamcorderNotes(first))
      understand(!FILES.some((head) => head.equals(first.subarray(0, head.length))))
      data.kept.push(...samples)
      await walk(trak)
    } else {
      data.gone.push(...samples)
      free(sheet, trak)
    }
  }
  await walk(moov)
}

async function kindOf(sheet: Sheet, trak: Part): Promise<number> {
  const mdia = (await boxesIn(sheet, trak)).find(({ name }) => name === MDIA)
  const hdlr = mdia && (await boxesIn(sheet, mdia)).find(({ name }) => name === HDLR)
  understand(hdlr !== undefined)
  return (await sheet.file.read(hdlr.start + 8, hdlr.start + 12)).readUInt32BE(0)
}
