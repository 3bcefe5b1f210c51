import { setImmediate } from 'node:timers/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { type BoundedFile, inMemory, withBoundedFile } from '../bounded-file.ts'
import { boxes, findParts, fourcc } from '../container-parts.ts'
import { GREYS, linear, STEPS } from './luminances.ts'
import { chunksOf } from './png-head.ts'

/** What the samples of a picture stand for, by the code points of ITU-T H.273. */
export interface Colours {
  primaries: number
  transfer: number
}

// To the primaries of sRGB, row by row: from those of BT.2020, and from those of P3, whatever its white.
const P3 = [1.22494, -0.22494, 0, -0.04206, 1.04206, 0, -0.01964, -0.07864, 1.09828]
const TO_SRGB: Record<number, number[]> = {
  9: [1.66049, -0.58764, -0.07285, -0.12455, 1.1329, -0.00835, -0.01815, -0.10058, 1.11873],
  11: P3,
  12: P3,
}
const SAME = [1, 0, 0, 0, 1, 0, 0, 0, 1]
const [LINEAR, PQ, HLG] = [8, 16, 18]
// In cd/m²: white in a picture of high dynamic range (ITU-R BT.2408), and the display for which HLG is defined here.
const WHITE = 203
const HLG_PEAK = 1000
const HLG_SHARES = [0.2627, 0.678, 0.0593] as const
// Of a pixel.
const BYTES = 6
// Samples that are converted before other jobs have their turn.
const STRETCH = 3 * 2 ** 19

// What a sample from 0 to 1 stands for (ITU-R BT.2100): multiples of white, but with HLG the light of the scene. Other
// curves differ from that of sRGB by less than screens do.
const LIGHTS: Record<number, (sample: number) => number> = {
  [LINEAR]: (sample) => sample,
  [PQ](sample) {
    const power = sample ** (1 / 78.84375)
    const light = Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)
    return (light ** (1 / 0.1593017578125) * 10_000) / WHITE
  },
  [HLG]: (sample) =>
    sample <= 0.5
      ? sample ** 2 / 3
      : (Math.exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12,
}

/** Returns how many bytes `inSrgb` holds of a picture that is shrunk to a longer side of `size` pixels, or isn't. */
export function heldForSrgb({ width, height }: Metadata, size: number | null): number {
  const scale = size === null ? 1 : Math.min(1, size / Math.max(width, height))
  return width * height * scale ** 2 * BYTES
}

/**
 * Returns a picture of other colours in sRGB, with what is then to be said of it. What is brighter than white becomes
 * white.
 */
export async function inSrgb(
  picture: Sharp,
  metadata: Metadata,
  { primaries, transfer }: Colours,
): Promise<[Sharp, Metadata]> {
  const wide = picture.toColourspace('rgb16').raw({ depth: 'ushort' })
  const { data: pixels, info } = await wide.toBuffer({ resolveWithObject: true })
  // Fewer bits are shifted up.
  const bits = metadata.depth === 'uchar' ? 8 : (metadata.bitsPerSample ?? 16)
  const top = 2 ** 16 - 2 ** (16 - bits)
  const samples = new Uint16Array(pixels.buffer, pixels.byteOffset, pixels.length / 2)
  const light = LIGHTS[transfer] ?? linear
  const lights = Float64Array.from({ length: 2 ** 16 }, (_, sample) =>
    light(Math.min(1, sample / top)),
  )
  const matrix = TO_SRGB[primaries] ?? SAME
  const [reds, greens, blues] = HLG_SHARES
  for (let at = 0; at < samples.length; at += 3) {
    let red = lights[samples[at]!]!
    let green = lights[samples[at + 1]!]!
    let blue = lights[samples[at + 2]!]!
    if (transfer === HLG) {
      const shown = (reds * red + greens * green + blues * blue) ** 0.2 * (HLG_PEAK / WHITE)
      red *= shown
      green *= shown
      blue *= shown
    }
    for (let row = 0; row < 3; row++) {
      const place = 3 * row
      const mixed = matrix[place]! * red + matrix[place + 1]! * green + matrix[place + 2]! * blue
      // The samples that are overwritten have been read.
      pixels[at + row] = GREYS[Math.round(Math.max(0, Math.min(1, mixed)) * STEPS)]!
    }
    if (at % STRETCH === 0) await setImmediate()
  }
  const raw = { width: info.width, height: info.height, channels: 3 } as const
  const small = sharp(pixels.subarray(0, samples.length), { raw })
  return [small, { ...metadata, space: 'srgb', depth: 'uchar', icc: undefined }]
}

// In bytes; what says this is in the first few hundred.
const MAX_READ = 2 ** 20
const [META, PITM, IPRP, IPCO] = ['meta', 'pitm', 'iprp', 'ipco'].map(fourcc) as Four
const [IPMA, COLR, NCLX, NCLC] = ['ipma', 'colr', 'nclx', 'nclc'].map(fourcc) as Four
const PROFILES = ['prof', 'rICC'].map(fourcc)

type Four = [number, number, number, number]

/**
 * Returns the colours of a picture that are to be converted; null when they are those of sRGB or of its profile, and
 * when it doesn't say. Throws when the system refuses to open the file, or can't read it.
 */
export async function readColours(path: string, mime_type: string): Promise<Colours | null> {
  const read = READERS[mime_type]
  if (read === undefined) return null
  return withBoundedFile(
    path,
    async (file) => converted(await read(file).catch(() => null)),
    MAX_READ,
  )
}

const READERS: Record<string, (file: BoundedFile) => Promise<Colours | null>> = {
  'image/png': coloursOfPng,
  'image/avif': coloursOfItem,
  'image/heic': coloursOfItem,
  'image/heif': coloursOfItem,
}

/** Returns the colours of a frame in a QuickTime file that ffmpeg has written, as `readColours` does. */
export function coloursOfFrame(film: Buffer): Colours | null {
  const at = film.indexOf('colrncl')
  return at < 0 ? null : converted(codesIn(film.subarray(at + 4)))
}

function converted(colours: Colours | null): Colours | null {
  return colours && (colours.primaries in TO_SRGB || colours.transfer in LIGHTS) ? colours : null
}

// They overrule a profile (PNG, 4.3).
async function coloursOfPng(file: BoundedFile): Promise<Colours | null> {
  for await (const { name, start } of chunksOf(file)) {
    if (name === 'IDAT') return null
    if (name !== 'cICP') continue
    const data = await file.read(start + 8, start + 10)
    return { primaries: data.readUInt8(0), transfer: data.readUInt8(1) }
  }
  return null
}

// A picture may have others beside it, such as a gain map, with colours of their own.
async function coloursOfItem(file: BoundedFile): Promise<Colours | null> {
  const [meta] = await findParts(boxes, file, [META])
  if (meta === undefined) return null
  const head = inMemory(await file.read(meta.start + 4, meta.end))
  const find = async (...names: number[]) => {
    const [part] = await findParts(boxes, head, names)
    return head.read(part?.start ?? 0, part?.end ?? 0)
  }
  const primary = await find(PITM)
  const item = primary.readUInt8(0) === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4)
  const wanted = propertiesOf(await find(IPRP, IPMA), item)
  const list = inMemory(await find(IPRP, IPCO))
  let colours: Colours | null = null
  let hasProfile = false
  let number = 0
  for await (const part of boxes(list, 0, list.size)) {
    if (!wanted.has(++number) || part.name !== COLR) continue
    const value = await list.read(part.start, part.end)
    colours ??= codesIn(value)
    hasProfile ||= PROFILES.includes(value.readUInt32BE(0))
  }
  return hasProfile && colours && !(colours.transfer in LIGHTS) ? null : colours
}

// Returns the numbers of an item's properties (ISO/IEC 23008-12, 9.3).
function propertiesOf(links: Buffer, item: number): Set<number> {
  const isLong = links.readUInt8(0) > 0
  const isWide = (links.readUInt8(3) & 1) !== 0
  const properties = new Set<number>()
  const [idSize, size] = [isLong ? 4 : 2, isWide ? 2 : 1]
  for (let at = 8, left = links.readUInt32BE(4); left > 0; left--) {
    const id = links.readUIntBE(at, idSize)
    const first = at + idSize + 1
    at = first + links.readUInt8(first - 1) * size
    for (let place = first; id === item && place < at; place += size) {
      // The highest bit says whether a reader must know the property.
      properties.add(links.readUIntBE(place, size) & (isWide ? 0x7fff : 0x7f))
    }
  }
  return properties
}

function codesIn(colr: Buffer): Colours | null {
  if (![NCLX, NCLC].includes(colr.readUInt32BE(0))) return null
  return { primaries: colr.readUInt16BE(4), transfer: colr.readUInt16BE(6) }
}
