import { open } from 'node:fs/promises'

/** An entry of a TIFF directory: its number, its type (2 text, 4 LONG, 5 RATIONAL, …) and its value. */
export type TiffEntry = [tag: number, type: number, value: string | number[]]

/** How a TIFF is written, and where in it things stand. */
export interface TiffLayout {
  isLittle?: boolean
  isBig?: boolean
  /** Where the directories begin, one behind the other. */
  directories?: number
  /** Where the values begin that don't fit into their entry; by default behind the directories. */
  values?: number
}

const SIZES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 13: 4 }
const EXIF = 0x8769
const GPS = 0x8825

/** Returns the pieces of a TIFF, each with its place, as TIFF 6.0 and BigTIFF describe them. */
function piecesOf(
  { ifd0, exif = [], gps = [] }: { ifd0: TiffEntry[]; exif?: TiffEntry[]; gps?: TiffEntry[] },
  { isLittle = true, isBig = false, directories = 16, values }: TiffLayout,
): [at: number, bytes: Buffer][] {
  const number = (value: number, size: number) => {
    const bytes = Buffer.alloc(size)
    if (size !== 8) bytes[isLittle ? 'writeUIntLE' : 'writeUIntBE'](value, 0, size)
    else bytes[isLittle ? 'writeBigUInt64LE' : 'writeBigUInt64BE'](BigInt(value))
    return bytes
  }
  const [countSize, placeSize] = isBig ? [8, 8] : [2, 4]
  const lengthOf = (count: number) => countSize + count * (4 + 2 * placeSize) + placeSize
  const exifAt = directories + lengthOf(ifd0.length + 2)
  const gpsAt = exifAt + lengthOf(exif.length)
  let end = values ?? gpsAt + lengthOf(gps.length)
  const pieces: [number, Buffer][] = [
    [
      0,
      Buffer.concat([
        Buffer.from(isLittle ? 'II' : 'MM'),
        number(isBig ? 43 : 42, 2),
        ...(isBig ? [number(8, 2), number(0, 2)] : []),
        number(directories, placeSize),
      ]),
    ],
  ]
  const bytesOf = (type: number, value: string | number[]) => {
    if (typeof value === 'string') return Buffer.from(`${value}\0`)
    const size = SIZES[type]!
    return Buffer.concat(value.map((one) => number(one, size === 8 ? 4 : size)))
  }
  const directory = (at: number, entries: TiffEntry[]) => {
    const rows = entries.map(([tag, type, value]) => {
      const bytes = bytesOf(type, value)
      const head = [number(tag, 2), number(type, 2)]
      const count = number(bytes.length / SIZES[type]!, placeSize)
      if (bytes.length <= placeSize) {
        return Buffer.concat([...head, count, bytes, Buffer.alloc(placeSize - bytes.length)])
      }
      pieces.push([end, bytes])
      end += bytes.length
      return Buffer.concat([...head, count, number(end - bytes.length, placeSize)])
    })
    const whole = [number(entries.length, countSize), ...rows, Buffer.alloc(placeSize)]
    pieces.push([at, Buffer.concat(whole)])
  }
  directory(directories, [...ifd0, [EXIF, 4, [exifAt]], [GPS, 4, [gpsAt]]])
  directory(exifAt, exif)
  directory(gpsAt, gps)
  return pieces
}

/** Writes a TIFF of a size in bytes, whose gaps take no room on the disk. */
export async function writeTiff(
  path: string,
  directories: Parameters<typeof piecesOf>[0],
  layout: TiffLayout & { size?: number } = {},
): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (const [at, bytes] of piecesOf(directories, layout))
      await file.write(bytes, 0, bytes.length, at)
    if (layout.size !== undefined) await file.truncate(layout.size)
  } finally {
    await file.close()
  }
}

/** Returns a TIFF without gaps as bytes, for EXIF that is embedded. */
export function tiffBytes(directories: Parameters<typeof piecesOf>[0]): Buffer {
  const pieces = piecesOf(directories, { directories: 8 })
  const bytes = Buffer.alloc(Math.max(...pieces.map(([at, piece]) => at + piece.length)))
  for (const [at, piece] of pieces) piece.copy(bytes, at)
  return bytes
}
