import { cleanText, isReadable } from './caption-text.ts'

/** The texts of IPTC's second record by their numbers. */
export type Records = Map<number, string[]>

// The number of IPTC among the resources of Photoshop.
const IPTC_RESOURCE = 0x0404

// Where the character set is told, and how that begins: with another letter than UTF-8's (IIM 4.2, 1:90, ISO 2022).
const [ENVELOPE, CHARACTER_SET] = [1, 90]
const [ESCAPE, UTF_8] = [0x1b, 0x25]

/** Returns the texts of the second record (IIM 4.2, 1.6); one whose length has a length of its own is no text. */
export function readIptc(given: Buffer): Records {
  const records: Records = new Map()
  const bytes = (isReadable(given) && iptcIn(given)) || Buffer.alloc(0)
  let isLatin = false
  for (let at = 0; bytes[at] === 0x1c && at + 5 <= bytes.length; ) {
    const number = bytes[at + 2]!
    const start = at + 5
    at = start + bytes.readUInt16BE(start - 2)
    if (bytes[start - 4] === ENVELOPE && number === CHARACTER_SET) {
      isLatin = bytes[start] === ESCAPE && bytes[start + 1] !== UTF_8
    }
    if (bytes[start - 4] !== 2 || at > bytes.length) continue
    const found = records.get(number) ?? []
    found.push(...textIn(bytes.subarray(start, at), isLatin))
    records.set(number, found)
  }
  return records
}

/**
 * Returns IPTC without the other resources of Photoshop that surround it in a JPEG, or null when there are none
 * (Photoshop file formats, "Image resource blocks": a name with its length before it, padded to an even number of
 * bytes, then the length of the data, which is padded as well). In a PNG, they have no head.
 */
function iptcIn(bytes: Buffer): Buffer | null {
  const head = 'Photoshop 3.0\0'
  const isHeaded = bytes.toString('latin1', 0, head.length) === head
  if (!isHeaded && bytes.toString('latin1', 0, 4) !== '8BIM') return bytes
  for (let at = isHeaded ? head.length : 0; at + 12 <= bytes.length; ) {
    if (bytes.toString('latin1', at, at + 4) !== '8BIM') return null
    const name = (bytes[at + 6]! + 2) & ~1
    const start = at + 10 + name
    if (start > bytes.length) return null
    const end = start + bytes.readUInt32BE(start - 4)
    if (bytes.readUInt16BE(at + 4) === IPTC_RESOURCE) return bytes.subarray(start, end)
    at = end + (end % 2)
  }
  return null
}

// Many programs write UTF-8 without saying so, and some say so of Latin-1.
function textIn(bytes: Buffer, isLatin: boolean): string[] {
  const isUtf8 = !isLatin && bytes.equals(Buffer.from(bytes.toString()))
  return cleanText(bytes.toString(isUtf8 ? 'utf8' : 'latin1'))
}
