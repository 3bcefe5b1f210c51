import type { BoundedFile } from '../../bounded-file.ts'
import type { ReadDate } from '../../dates.ts'
import { readDateText } from '../date-text.ts'

// Bytes of a film in which its first picture begins, and of that picture what comes before its pixels.
const MAX_HEAD = 524_288
const MAX_PICTURE = 65_536
const PACKET = 188
const SYNC = 0x47
// What camcorders write beside a picture, as user data of H.264 (ITU-T H.264, D.2.7).
const MDPM = Buffer.from('17ee8c60f84d11d98cd60800200c9a664d44504d', 'hex')
// Numbers of the packs with zone, year and month, and with day and time (ExifTool's H264 tags).
const MONTH_PACK = 0x18
const TIME_PACK = 0x19
const HOUR = 60

/** Returns when a camcorder's transport stream says it was taken, by the camcorder's clock. */
export async function readAvchdDates(file: BoundedFile): Promise<ReadDate[]> {
  const picture = firstPicture(await file.read(0, MAX_HEAD))
  const at = picture.indexOf(MDPM)
  if (at < 0) return []
  const date = parsePacks(unescaped(picture.subarray(at + MDPM.length)))
  return date === null ? [] : [date]
}

/** Returns whether camcorders' notes, which may say where they were, are beside a picture in these bytes. */
export function hasCamcorderNotes(bytes: Buffer): boolean {
  return bytes.includes(MDPM)
}

// Returns the beginning of the stream of pictures in the packets of a transport stream (ISO 13818-1).
function firstPicture(head: Buffer): Buffer {
  // On discs and cards, a time precedes each packet.
  const [first, length] = head[0] === SYNC ? [0, PACKET] : [4, PACKET + 4]
  const payloads: Buffer[] = []
  let [stream, size] = [-1, 0]
  for (let at = first; at + PACKET <= head.length && size < MAX_PICTURE; at += length) {
    const packet = head.subarray(at, at + PACKET)
    if (packet[0] !== SYNC) break
    const begins = (packet[1]! & 0x40) !== 0
    const of = packet.readUInt16BE(1) & 0x1fff
    const hasPayload = (packet[3]! & 0x10) !== 0
    const hasField = (packet[3]! & 0x20) !== 0
    if (!hasPayload || (stream >= 0 && of !== stream)) continue
    let payload = packet.subarray(hasField ? 5 + packet[4]! : 4)
    if (begins && payload.length >= 9) {
      const isVideo = payload.readUInt32BE(0) >>> 4 === 0x1e
      if (isVideo) stream = of
      payload = payload.subarray(9 + payload[8]!)
    }
    if (stream < 0) continue
    payloads.push(payload)
    size += payload.length
  }
  return Buffer.concat(payloads)
}

// Returns the data without the bytes that keep it from looking like the start of a unit (H.264, 7.4.1).
function unescaped(data: Buffer): Buffer {
  const bytes: number[] = []
  let zeros = 0
  for (const byte of data.subarray(0, 2048)) {
    const isEscape = zeros === 2 && byte === 3
    zeros = byte === 0 ? zeros + 1 : 0
    if (!isEscape) bytes.push(byte)
  }
  return Buffer.from(bytes)
}

// The number of packs comes first, then each has a number and four bytes.
function parsePacks(data: Buffer): ReadDate | null {
  const packs = new Map<number, Buffer>()
  for (let n = 0, at = 1; n < (data[0] ?? 0) && at + 5 <= data.length; n++, at += 5) {
    packs.set(data[at]!, data.subarray(at + 1, at + 5))
  }
  const [month, time] = [packs.get(MONTH_PACK), packs.get(TIME_PACK)]
  if (!month || !time) return null
  // The numbers are binary-coded decimals.
  const digits = `${month.toString('hex', 1)}${time.toString('hex')}`
  const read = readDateText(digits)
  return read && { clock: read.clock, offset: offsetOf(month[0]!), source: 'video' }
}

// Returns minutes, or null for none: a zone is a sign, hours and a half, and whether summer adds an hour.
function offsetOf(zone: number): number | null {
  const hours = (zone >> 1) & 0x0f
  if ((zone & 0x80) !== 0 || hours > 14) return null
  const size = hours * HOUR + (zone & 1) * 30
  return ((zone & 0x20) === 0 ? size : 0 - size) + (zone & 0x40 ? HOUR : 0)
}
