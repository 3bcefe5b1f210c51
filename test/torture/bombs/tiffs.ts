import { repeated, writeParts } from './write.ts'

const HEAD = Buffer.from('II*\0\x08\0\0\0', 'latin1')
const [BYTE, SHORT, LONG] = [1, 3, 4]
const SIZE = 16

type Entry = [tag: number, type: number, count: number, value: number]

/** Returns a directory that begins at a place, and the pixels of its picture behind it. */
function page(at: number, next: number, more: Entry[] = []): Buffer {
  const count = 8 + more.length
  const pixels = at + 6 + 12 * count
  const entries: Entry[] = [
    [256, LONG, 1, SIZE],
    [257, LONG, 1, SIZE],
    [258, SHORT, 1, 8],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 1],
    [273, LONG, 1, pixels],
    [278, LONG, 1, SIZE],
    [279, LONG, 1, SIZE * SIZE],
    ...more,
  ]
  const bytes = Buffer.alloc(6 + 12 * count + SIZE * SIZE)
  bytes.writeUInt16LE(count)
  for (const [n, [tag, type, length, value]] of entries.sort(([a], [b]) => a - b).entries()) {
    const row = 2 + 12 * n
    bytes.writeUInt16LE(tag, row)
    bytes.writeUInt16LE(type, row + 2)
    bytes.writeUInt32LE(length, row + 4)
    bytes.writeUInt32LE(value, row + 8)
  }
  bytes.writeUInt32LE(next, 2 + 12 * count)
  for (let pixel = 0; pixel < SIZE * SIZE; pixel++) bytes[6 + 12 * count + pixel] = pixel
  return bytes
}

/** Writes a TIFF of so many directories, each with a picture. */
export async function writeChain(path: string, count: number): Promise<void> {
  const { length } = page(0, 0)
  const place = (n: number) => HEAD.length + n * length
  const pages = repeated(count, (n) => page(place(n), n + 1 < count ? place(n + 1) : 0))
  await writeParts(path, [HEAD, ...pages])
}

/** Writes a TIFF whose last directory is followed by its first. */
export async function writeRing(path: string, count: number): Promise<void> {
  const { length } = page(0, 0)
  const place = (n: number) => HEAD.length + (n % count) * length
  await writeParts(path, [HEAD, ...repeated(count, (n) => page(place(n), place(n + 1)))])
}

/** Writes a TIFF, an entry of which claims so many values. */
export async function writeCount(path: string, claimed: number, tag: number): Promise<void> {
  await writeParts(path, [HEAD, page(HEAD.length, 0, [[tag, BYTE, claimed, 8]])])
}

/** Writes a TIFF that claims a strip for each of so many rows. */
export async function writeStrips(path: string, claimed: number): Promise<void> {
  const bytes = page(HEAD.length, 0)
  for (const [tag, value] of [
    [257, claimed],
    [278, 1],
  ] as const) {
    for (let row = 2; row < 2 + 12 * 8; row += 12) {
      if (bytes.readUInt16LE(row) === tag) bytes.writeUInt32LE(value, row + 8)
    }
  }
  for (let row = 2; row < 2 + 12 * 8; row += 12) {
    if ([273, 279].includes(bytes.readUInt16LE(row))) bytes.writeUInt32LE(claimed, row + 4)
  }
  await writeParts(path, [HEAD, bytes])
}
