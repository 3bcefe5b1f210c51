import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { madeOnce } from '../run-folder.ts'
import { writePhoneHeic } from './phone-heic.ts'

/** How a picture stores its colours. */
export interface Stored {
  primaries: 'sRGB' | 'P3' | 'BT.2020'
  transfer: 'sRGB' | 'linear' | 'PQ' | 'HLG'
}

/** The code points of ITU-T H.273. */
const CODES = {
  primaries: { sRGB: 1, P3: 12, 'BT.2020': 9 },
  transfer: { sRGB: 13, linear: 8, PQ: 16, HLG: 18 },
} as const

function codesOf({ primaries, transfer }: Stored): [primaries: number, transfer: number] {
  return [CODES.primaries[primaries], CODES.transfer[transfer]]
}

/** Side of a field of the chart, in pixels, and its fields row by row, in sRGB. */
const FIELD = 40
const FIELDS = [
  ['#ffffff', '#c0c0c0', '#808080', '#404040', '#101010', '#000000'],
  ['#e02020', '#20d020', '#2030e0', '#e0d020', '#d020c0', '#20c0d0'],
  ['#c68863', '#5e7aa2', '#5a6d41', '#8580b1', '#63bdae', '#d97b2e'],
  ['#202040', '#402020', '#f0e8d8', '#d8e8f0', '#903010', '#105030'],
]
export const CHART = { width: FIELD * FIELDS[0]!.length, height: FIELD * FIELDS.length }

// From sRGB, row by row.
const MATRICES = {
  sRGB: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  P3: [0.8225, 0.1775, 0, 0.0332, 0.9668, 0, 0.0171, 0.0724, 0.9105],
  'BT.2020': [0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.088, 0.8956],
}

/** Returns red, green and blue of each pixel of the chart, in sRGB. */
export function chart(): Buffer {
  const bytes = Buffer.alloc(CHART.width * CHART.height * 3)
  for (let at = 0, pixel = 0; at < bytes.length; at += 3, pixel++) {
    const row = FIELDS[Math.floor(pixel / CHART.width / FIELD)]!
    bytes.writeUIntBE(
      Number.parseInt(row[Math.floor((pixel % CHART.width) / FIELD)]!.slice(1), 16),
      at,
      3,
    )
  }
  return bytes
}

/** Returns the chart as other colours store it, in 16 bits. */
function samplesOf({ primaries, transfer }: Stored): Uint16Array {
  const bytes = chart()
  const matrix = MATRICES[primaries]
  const samples = new Uint16Array(bytes.length)
  for (let at = 0; at < bytes.length; at += 3) {
    const light = [...bytes.subarray(at, at + 3)].map((value) => linear(value / 255))
    const wide = [0, 3, 6].map((row) =>
      light.reduce((sum, part, n) => sum + part * matrix[row + n]!, 0),
    )
    for (const [n, value] of encoded(wide, transfer).entries()) {
      samples[at + n] = Math.round(65535 * Math.max(0, Math.min(1, value)))
    }
  }
  return samples
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Light, of which 1 is the chart's white, as samples: white has 203 cd/m² (ITU-R BT.2408, BT.2100). */
function encoded(light: number[], transfer: Stored['transfer']): number[] {
  if (transfer === 'linear') return light
  if (transfer === 'sRGB') {
    return light.map((part) =>
      part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055,
    )
  }
  if (transfer === 'PQ') {
    return light.map((part) => {
      const power = ((part * 203) / 10_000) ** (2610 / 16384)
      return ((3424 / 4096 + (2413 / 128) * power) / (1 + (2392 / 128) * power)) ** (2523 / 32)
    })
  }
  // The display has 1000 cd/m², so the gamma of the system is 1.2.
  const [red, green, blue] = light.map((part) => part * 0.203) as [number, number, number]
  const shown = 0.2627 * red + 0.678 * green + 0.0593 * blue
  const gain = shown > 0 ? shown ** (1 / 1.2 - 1) : 0
  return [red, green, blue].map((part) => {
    const scene = part * gain
    if (scene <= 1 / 12) return Math.sqrt(3 * scene)
    return 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073
  })
}

/** Returns the path of the chart as a PNG, which names its colours or doesn't. */
export function chartPng(stored: Stored, isNamed = true): Promise<string> {
  return madeOnce('chart.png', [stored, isNamed], async (path) => {
    const raw = { ...CHART, channels: 3 as const }
    const png = await sharp(samplesOf(stored), { raw }).toColourspace('rgb16').png().toBuffer()
    await writeFile(path, isNamed ? withCicp(png, stored) : png)
  })
}

/** Returns a PNG with a chunk that names its colours. */
export function withCicp(png: Buffer, stored: Stored): Buffer {
  const afterHead = 33
  const body = Buffer.concat([Buffer.from('cICP'), Buffer.of(...codesOf(stored), 0, 1)])
  const chunk = Buffer.alloc(16)
  chunk.writeUInt32BE(4, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), 12)
  return Buffer.concat([png.subarray(0, afterHead), chunk, png.subarray(afterHead)])
}

/** Returns the path of the chart as an AVIF, which names its colours in the place of a profile. */
export function chartAvif(stored: Stored, bitdepth: 8 | 10 | 12): Promise<string> {
  return madeOnce('chart.avif', [stored, bitdepth], async (path) => {
    const plain = sharp(await chartPng(stored, false)).withIccProfile('p3')
    const how = { quality: 90, chromaSubsampling: '4:4:4', bitdepth } as const
    const avif = await plain.toColourspace('rgb16').avif(how).toBuffer()
    const colours = avif.indexOf('colrrICC') + 4
    avif.write('nclx', colours)
    // Of YCbCr all values are used.
    for (const [n, code] of [...codesOf(stored), 6, 0x8000].entries()) {
      avif.writeUInt16BE(code, colours + 4 + 2 * n)
    }
    await writeFile(path, avif)
  })
}

/** Returns the path of the chart as a HEIC of tiles. It needs an ffmpeg with libx265. */
export function chartHeic(stored: Stored, bits: 8 | 10): Promise<string> {
  return madeOnce('chart.heic', [stored, bits], async (path) => {
    const { exif } = await sharp(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
        .withExif({ IFD0: { Model: 'A phone' } })
        .jpeg()
        .toBuffer(),
    ).metadata()
    const how = { ...CHART, tile: 64, bits, exif: exif!, thumbnail: 64, colours: codesOf(stored) }
    await writePhoneHeic(path, await chartPng(stored, false), how)
  })
}

const NAMES = {
  primaries: { sRGB: 'bt709', P3: 'smpte432', 'BT.2020': 'bt2020' },
  transfer: { sRGB: 'iec61966-2-1', linear: 'linear', PQ: 'smpte2084', HLG: 'arib-std-b67' },
}

/** Returns the path of the chart as ffmpeg writes it with these options, in the container that the name says. */
export function chartByFfmpeg(name: string, stored: Stored, options: string[]): Promise<string> {
  return madeOnce(name, ['chart', stored, options], async (path) => {
    const [primaries, transfer] = [
      NAMES.primaries[stored.primaries],
      NAMES.transfer[stored.transfer],
    ]
    const colours = ['-color_primaries', primaries, '-color_trc', transfer, '-colorspace']
    const form = 'scale=out_color_matrix=bt2020:out_range=tv,setparams=color_primaries='
    const filter = `${form}${primaries}:color_trc=${transfer}:colorspace=bt2020nc`
    const input = [
      '-v',
      'error',
      '-loop',
      '1',
      '-r',
      '5',
      '-t',
      '1',
      '-i',
      await chartPng(stored, false),
    ]
    const all = [
      ...input,
      '-vf',
      filter,
      ...colours,
      'bt2020nc',
      '-color_range',
      'tv',
      ...options,
      path,
    ]
    execFileSync('ffmpeg', all, { stdio: 'ignore' })
  })
}
