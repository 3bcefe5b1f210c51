import { parseXml, XmlElement } from '@rgrove/parse-xml'
import exifr from 'exifr'
import { readDateText } from './date-text.ts'
import type { CaptionDates, KnownDate } from './exif-dates.ts'
import { AS_STORED } from './exif-tags.ts'

interface Captions extends CaptionDates {
  keywords: string[]
  caption: string | undefined
}

interface CaptionBytes {
  xmp?: Buffer | undefined
  iptc?: Buffer | undefined
}

type Records = Record<number, unknown>

const MAX_BYTES = 2 ** 20
// The number of IPTC among the entries of a TIFF.
const IPTC_ENTRY = 33723
// The number of IPTC among the resources of Photoshop.
const IPTC_RESOURCE = 0x0404
// Numbers of IPTC's second record (IIM 4.2).
const IPTC = { keywords: 25, date: 55, time: 60, caption: 120 }
const OPTIONS = {
  ...AS_STORED,
  exif: false,
  gps: false,
  xmp: false,
  iptc: true,
} as const

/** Returns what XMP and IPTC say; what is broken or larger than a MiB is ignored. */
export async function readCaptions({ xmp, iptc }: CaptionBytes): Promise<Captions> {
  const properties = readXmp(xmp)
  const records = await readIptc(iptc)
  const property = (name: string) => properties.get(name) ?? []
  const keywords = [...texts(records[IPTC.keywords]), ...property('dc:subject')]
  return {
    taken: dated(xmpDate(property('exif:DateTimeOriginal')[0])),
    created: dated(xmpDate(property('photoshop:DateCreated')[0]), iptcDate(records)),
    digitized: dated(xmpDate(property('xmp:CreateDate')[0])),
    keywords: [...new Set(keywords)],
    caption: [...texts(records[IPTC.caption]), ...property('dc:description')][0],
  }
}

function dated(...dates: (KnownDate | null)[]): KnownDate[] {
  return dates.filter((date) => date !== null)
}

function isReadable(bytes: Buffer | undefined): bytes is Buffer {
  return bytes !== undefined && bytes.length <= MAX_BYTES
}

/**
 * Returns the properties of XMP by their customary names (XMP part 1, 7), each with its texts. exifr's own reader takes
 * minutes for a MiB of lists that never end.
 */
function readXmp(bytes: Buffer | undefined): Map<string, string[]> {
  const properties = new Map<string, string[]>()
  const add = (given: string, values: string[]) => {
    // Adobe's programs before 2005 write this prefix.
    const name = given.replace(/^xap:/, 'xmp:')
    const found = properties.get(name) ?? []
    for (const value of values) found.push(...cleanText(value))
    properties.set(name, found)
  }
  try {
    for (const description of descriptions(bytes)) {
      for (const [name, value] of Object.entries(description.attributes)) add(name, [value])
      for (const property of elementsIn(description)) {
        // A list consists of items, whatever its kind; in a list of languages the first one is the default.
        const items = elementsIn(property).flatMap(elementsIn)
        const found = items.length > 0 ? items : [property]
        add(
          property.name,
          found.map(({ text }) => text),
        )
      }
    }
    return properties
  } catch {
    return new Map()
  }
}

function descriptions(bytes: Buffer | undefined): XmlElement[] {
  if (!isReadable(bytes)) return []
  // Some texts end with NULs.
  let end = bytes.length
  while (bytes[end - 1] === 0) end--
  const { root } = parseXml(bytes.toString('utf8', 0, end))
  const rdf = root?.name === 'rdf:RDF' ? [root] : root ? elementsIn(root) : []
  return rdf.flatMap(elementsIn).filter(({ name }) => name === 'rdf:Description')
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => child instanceof XmlElement)
}

// Returns what exifr reads of IPTC, by numbers, in a TIFF that holds nothing else.
async function readIptc(given: Buffer | undefined): Promise<Records> {
  const bytes = isReadable(given) ? iptcIn(given) : null
  if (bytes === null) return {}
  const head = Buffer.alloc(26)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(8, 4)
  head.writeUInt16LE(1, 8)
  head.writeUInt16LE(IPTC_ENTRY, 10)
  // Type 7: bytes without a meaning of their own.
  head.writeUInt16LE(7, 12)
  head.writeUInt32LE(bytes.length, 14)
  head.writeUInt32LE(head.length, 18)
  try {
    return (await exifr.parse(Buffer.concat([head, bytes]), OPTIONS))?.iptc ?? {}
  } catch {
    return {}
  }
}

/**
 * Returns IPTC without the other resources of Photoshop that surround it in a JPEG, or null when there are none
 * (Photoshop file formats, "Image resource blocks": a name with its length before it, padded to an even number of
 * bytes, then the length of the data, which is padded as well).
 */
function iptcIn(bytes: Buffer): Buffer | null {
  const head = 'Photoshop 3.0\0'
  if (bytes.toString('latin1', 0, head.length) !== head) return bytes
  for (let at = head.length; at + 12 <= bytes.length; ) {
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

function xmpDate(text: unknown): KnownDate | null {
  const read = readDateText(text)
  return read && { ...read, source: 'xmp' }
}

function iptcDate(records: Records): KnownDate | null {
  const [day = ''] = texts(records[IPTC.date])
  const [time = ''] = texts(records[IPTC.time])
  return xmpDate(`${day}T${time}`) ?? xmpDate(day)
}

// Many programs write UTF-8 whether they declare it or not.
function texts(value: unknown): string[] {
  return [value].flat().flatMap((text) => {
    if (typeof text !== 'string') return []
    const bytes = Buffer.from(text, 'latin1')
    const isUtf8 = bytes.equals(Buffer.from(bytes.toString()))
    return cleanText(isUtf8 ? bytes.toString() : text)
  })
}

function cleanText(text: string): string[] {
  const clean = text.split('\0', 1)[0]!.trim()
  return clean === '' ? [] : [clean]
}
