import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a ZIP; what is given beside name and bytes is what its directory says instead of the truth. */
export interface Zipped {
  name: string
  bytes: Uint8Array | string
  isEncrypted?: boolean
  isLink?: boolean
  size?: number
  crc?: number
}

// 2024-05-06 07:08:10, as MS-DOS has it.
const DATE = ((2024 - 1980) << 9) | (5 << 5) | 6
const TIME = (7 << 11) | (8 << 5) | 5

/** Returns a ZIP of compressed files, by APPNOTE.TXT of PKWARE. */
export function zipOf(files: Zipped[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const bytes = Buffer.from(file.bytes as string)
    const packed = deflateRawSync(bytes)
    const name = Buffer.from(file.name)
    // Version, flags (names are UTF-8), method, time, date, checksum and sizes are alike in both headers.
    const alike = Buffer.alloc(26)
    alike.writeUInt16LE(20, 0)
    alike.writeUInt16LE(0x800 | Number(file.isEncrypted === true), 2)
    alike.writeUInt16LE(8, 4)
    alike.writeUInt16LE(TIME, 6)
    alike.writeUInt16LE(DATE, 8)
    alike.writeUInt32LE(file.crc ?? crc32(bytes), 10)
    alike.writeUInt32LE(packed.length, 14)
    alike.writeUInt32LE(file.size ?? bytes.length, 18)
    alike.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\x03\x04'), alike, name, packed)
    const rest = Buffer.alloc(14)
    if (file.isLink) rest.writeUInt32LE((0o120777 << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), alike, rest, name)
    offset += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
