import { fourcc, type Part } from '../../container-parts.ts'
import type { Extent } from '../../raw.ts'
import { blankName, blankReferences, boxesIn, type Data, free } from './boxes.ts'
import { type Sheet, understand, zero } from './sheet.ts'
import { blankExif } from './tiff.ts'

const KEPT = new Set(
  ['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat', 'dinf', 'grpl'].map(fourcc),
)
// Properties are counted, so that those that go stay as empty ones.
const PROPERTIES = new Set(
  [
    ...['ispe', 'pixi', 'colr', 'irot', 'imir', 'clap', 'pasp', 'auxC', 'hvcC', 'lhvC', 'av1C'],
    ...['avcC', 'jpgC', 'vvcC', 'clli', 'mdcv', 'cclv', 'amve', 'rloc', 'lsel', 'a1op', 'a1lx'],
    ...['oinf', 'tols', 'cmin', 'cmex'],
  ].map(fourcc),
)
const SHOWN = new Set(
  ['hvc1', 'hev1', 'lhv1', 'av01', 'avc1', 'vvc1', 'grid', 'iden', 'iovl', 'tmap'].map(fourcc),
)
// Pictures in them are files of their own, that say all they like.
const FILES = new Set(['jpeg', 'j2k1', 'j2ki'].map(fourcc))
const [HDLR, IINF, ILOC, IPRP, IDAT, DINF] = ['hdlr', 'iinf', 'iloc', 'iprp', 'idat', 'dinf'].map(
  fourcc,
)
const [INFE, IPCO, IPMA, DREF, EXIF] = ['infe', 'ipco', 'ipma', 'dref', 'Exif'].map(fourcc)
const MAX_TABLE = 2 ** 20

/** Notes what must go of the items of a picture (ISO/IEC 14496-12, 8.11), and returns where they may have data. */
export async function blankItems(sheet: Sheet, meta: Part, data: Data): Promise<Extent[]> {
  const parts = await boxesIn(sheet, { start: meta.start + 4, end: meta.end })
  const one = (name: number | undefined) => {
    const found = parts.filter((part) => part.name === name)
    understand(found.length === 1)
    return found[0]!
  }
  for (const part of parts) {
    if (!KEPT.has(part.name)) free(sheet, part)
    else if (part.name === HDLR) blankName(sheet, part)
    else if (part.name === IPRP) await blankProperties(sheet, part)
    else if (part.name === DINF) {
      for (const inner of await boxesIn(sheet, part)) {
        if (inner.name === DREF) await blankReferences(sheet, inner)
        else free(sheet, inner)
      }
    }
  }
  const inside = parts.filter(({ name }) => name === IDAT)
  const types = await typesOf(sheet, one(IINF))
  for (const [id, extents] of await placesOf(sheet, one(ILOC), inside[0]?.start)) {
    const type = types.get(id)
    understand(type === undefined || !FILES.has(type))
    if (type !== undefined && SHOWN.has(type)) data.kept.push(...extents)
    else if (type === EXIF && extents.length === 1) {
      const { start, end } = extents[0]!
      data.exif.push({ start, end })
      // The place of the TIFF structure precedes it.
      await blankExif(sheet, { start: start + 4, end })
    } else data.gone.push(...extents)
  }
  return inside
}

async function blankProperties(sheet: Sheet, iprp: Part): Promise<void> {
  for (const part of await boxesIn(sheet, iprp)) {
    if (part.name === IPMA) continue
    if (part.name !== IPCO) free(sheet, part)
    else {
      for (const property of await boxesIn(sheet, part)) {
        if (!PROPERTIES.has(property.name)) free(sheet, property)
      }
    }
  }
}

// Notes that names go, and returns the types of items by their numbers.
async function typesOf(sheet: Sheet, iinf: Part): Promise<Map<number, number>> {
  const { file } = sheet
  const isLong = (await file.read(iinf.start, iinf.start + 1))[0]! > 0
  const types = new Map<number, number>()
  const inner = { start: iinf.start + (isLong ? 8 : 6), end: iinf.end }
  for (const part of await boxesIn(sheet, inner)) {
    const bytes = await file.read(part.start, Math.min(part.end, part.start + 16))
    const version = bytes[0]
    understand(part.name === INFE && (version === 2 || version === 3))
    const at = version === 2 ? 6 : 8
    understand(bytes.length >= at + 6)
    const id = bytes.readUIntBE(4, at - 4)
    understand(!types.has(id))
    types.set(id, bytes.readUInt32BE(at + 2))
    zero(sheet, part.start + at + 6, part.end)
  }
  return types
}

async function placesOf(
  { file }: Sheet,
  iloc: Part,
  idat: number | undefined,
): Promise<Map<number, Extent[]>> {
  understand(iloc.end - iloc.start <= MAX_TABLE)
  const bytes = await file.read(iloc.start, iloc.end)
  const version = bytes[0]!
  understand(version <= 2)
  let at = 4
  const next = (size: number) => {
    understand(at + size <= bytes.length && size <= 8)
    const high = size === 8 ? bytes.readUInt32BE(at) * 2 ** 32 : 0
    const low =
      size === 0 ? 0 : size === 8 ? bytes.readUInt32BE(at + 4) : bytes.readUIntBE(at, size)
    at += size
    return high + low
  }
  const halves = (byte: number) => [byte >> 4, byte & 15] as const
  const [placeSize, lengthSize] = halves(next(1))
  const [baseSize, indexSize] = halves(next(1))
  const count = next(version < 2 ? 2 : 4)
  const found = new Map<number, Extent[]>()
  for (let n = 0; n < count; n++) {
    const id = next(version < 2 ? 2 : 4)
    const method = version > 0 ? next(2) & 15 : 0
    understand(next(2) === 0 && !found.has(id))
    const base = next(baseSize)
    const extents: Extent[] = []
    for (let rest = next(2); rest > 0; rest--) {
      if (version > 0) next(indexSize)
      const [place, length] = [next(placeSize), next(lengthSize)]
      const start = base + place + (method === 1 ? (idat ?? Number.NaN) : 0)
      understand(length > 0 && !Number.isNaN(start))
      // The data of the others is that of an item.
      if (method < 2) extents.push({ start, end: start + length })
    }
    found.set(id, extents)
  }
  understand(at === bytes.length)
  return found
}
