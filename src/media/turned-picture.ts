import type { Rotation } from '../base/enums.ts'
import type { Bytes } from './file-bytes.ts'
import type { StoredPicture } from './stored-picture.ts'

// The EXIF orientations of a picture that is to be turned clockwise: TIFF 6.0, section 8, Orientation.
const ORIENTATIONS: Record<Exclude<Rotation, 0>, number> = { 90: 6, 180: 3, 270: 8 }
// What a JPEG begins with: ITU T.81, B.1.1.3, start of image.
const START = 2
// In bytes, of the segment that says an orientation.
const EXIF_LENGTH = 36

/**
 * Returns a JPEG without EXIF as it looks when it is turned clockwise. It says so in an EXIF orientation, which all
 * that show pictures respect, so that nothing on the disk depends on how a file is turned. Each time, all of it is read.
 */
export function turnedPicture(picture: StoredPicture, rotation: Rotation): StoredPicture {
  if (rotation === 0) return picture
  const orientation = ORIENTATIONS[rotation]
  const { whole } = picture
  const size = picture.size + EXIF_LENGTH
  const read = async () => withOrientation(await picture.read(), orientation)
  return {
    async stream({ start = 0, end = size, buffer } = {}) {
      const bytes = (await read()).subarray(start, end)
      if (bytes.length !== end - start) throw new Error('A picture is being written anew')
      buffer?.set(bytes)
      return onePiece(buffer ?? bytes)
    },
    read,
    size,
    ...(whole && {
      async whole() {
        const bytes = await whole()
        return bytes && withOrientation(bytes, orientation)
      },
    }),
  }
}

async function* onePiece(bytes: Uint8Array<ArrayBuffer>): Bytes {
  yield bytes
}

// CIPA DC-008, 4.5.4 and 4.6: an APP1 segment with one field, a SHORT.
function exifOf(orientation: number): Uint8Array<ArrayBuffer> {
  const exif = Buffer.alloc(EXIF_LENGTH)
  exif.writeUInt16BE(0xffe1, 0)
  exif.writeUInt16BE(exif.length - 2, 2)
  exif.write('Exif\0\0MM\0*', 4, 'latin1')
  exif.writeUInt32BE(8, 14)
  exif.writeUInt16BE(1, 18)
  exif.writeUInt16BE(0x0112, 20)
  exif.writeUInt16BE(3, 22)
  exif.writeUInt32BE(1, 24)
  exif.writeUInt16BE(orientation, 28)
  return exif
}

/** Returns a JPEG that has no orientation with this one, as EXIF numbers it. */
export function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array<ArrayBuffer> {
  const exif = exifOf(orientation)
  const turned = new Uint8Array(jpeg.length + exif.length)
  turned.set(jpeg.subarray(0, START))
  turned.set(exif, START)
  turned.set(jpeg.subarray(START), START + exif.length)
  return turned
}
