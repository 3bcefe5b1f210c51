import { parseXml, XmlElement } from '@rgrove/parse-xml'
import type { BySource } from '../date-order.ts'
import { readDateText } from './date-text.ts'
import { type Embedded, MAX_CAPTIONS } from './embedded.ts'
import type { KnownDate } from './exif-dates.ts'
import { isPlace, type Place } from './exif-values.ts'
import type { FilmClaim } from './film-behind.ts'

interface Captions {
  dates: BySource<KnownDate>
  keywords: string[]
  caption: string | undefined
  place: Place | undefined
  films: FilmClaim[]
}

// By their numbers.
type Records = Map<number, string[]>
type Properties = Map<string, string[]>
/** Returns the namespace of a prefix. */
type Spaces = (prefix: string) => string | undefined

// Namespaces and the prefixes that they usually have (XMP part 1, 8, and part 2).
const PREFIXES = new Map([
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://ns.adobe.com/xap/1.0/', 'xmp'],
  ['http://ns.adobe.com/photoshop/1.0/', 'photoshop'],
  ['http://ns.adobe.com/exif/1.0/', 'exif'],
  ['http://ns.google.com/photos/1.0/camera/', 'GCamera'],
  ['http://ns.google.com/photos/1.0/container/', 'Container'],
  ['http://ns.google.com/photos/1.0/container/item/', 'Item'],
])
// What each item of a container says, and what counts where it doesn't.
const [SEMANTIC, LENGTH, PADDING] = ['Item:Semantic', 'Item:Length', 'Item:Padding'] as const
const ITEM = { [SEMANTIC]: 'none', [LENGTH]: '0', [PADDING]: '0' }
// Below an item of a list; with more, each level would copy the fields of all levels in it.
const MAX_LEVELS = 4

// The number of IPTC among the resources of Photoshop.
const IPTC_RESOURCE = 0x0404
// Numbers of IPTC's second record (IIM 4.2).
const IPTC = { keywords: 25, date: 55, time: 60, caption: 120 }
/**
 * Returns what XMP, IPTC and the texts of a PNG say; what is broken or larger than a MiB is ignored. Of several blocks,
 * the first one counts that says something.
 */
export function readCaptions(embedded: Embedded[]): Captions {
  const of = (wanted: Embedded['kind']) =>
    embedded.flatMap(({ kind, bytes }) => (kind === wanted ? [bytes] : []))
  const xmp = of('xmp').map(readXmp)
  const iptc = of('iptc').map(readIptc)
  const first = (lists: string[][]) => lists.find(({ length }) => length > 0) ?? []
  const property = (name: string) => xmp.map((properties) => properties.get(name) ?? [])
  const inXmp = (name: string) => dated(...property(name).map(([text]) => xmpDate(text)))
  const record = (number: number) => first(iptc.map((records) => records.get(number) ?? []))
  const keywords = [...record(IPTC.keywords), ...first(property('dc:subject'))]
  return {
    dates: {
      'XMP exif:DateTimeOriginal': inXmp('exif:DateTimeOriginal'),
      'XMP photoshop:DateCreated': inXmp('photoshop:DateCreated'),
      'IPTC DateCreated and TimeCreated': dated(...iptc.map(iptcDate)),
      'PNG Creation Time': dated(...embedded.map(creationTime)),
      'XMP xmp:CreateDate': inXmp('xmp:CreateDate'),
      'XMP exif:DateTimeDigitized': inXmp('exif:DateTimeDigitized'),
    },
    keywords: [...new Set(keywords)],
    caption: [...record(IPTC.caption), ...first(property('dc:description'))][0],
    place: placeOf(xmp),
    films: xmp.flatMap(filmsOf),
  }
}

function dated(...dates: (KnownDate | null)[]): KnownDate[] {
  return dates.filter((date) => date !== null)
}

function isReadable(bytes: Buffer): boolean {
  return bytes.length <= MAX_CAPTIONS
}

// Returns the properties of XMP by their customary names (XMP part 1, 7), each with its texts.
function readXmp(bytes: Buffer): Properties {
  const properties: Properties = new Map()
  const add = (name: string, values: string[]) => {
    const found = properties.get(name) ?? []
    for (const value of values) found.push(...cleanText(value))
    properties.set(name, found)
  }
  try {
    for (const { description, spaces } of descriptions(bytes)) {
      for (const [name, value] of Object.entries(description.attributes)) {
        add(customary(name, spaces), [value])
      }
      for (const property of elementsIn(description)) {
        // A list consists of items, whatever its kind; in a list of languages the first one is the default.
        const items = elementsIn(property).flatMap(elementsIn)
        const found = items.length > 0 ? items : [property]
        const inner = spacesIn(property, spaces)
        const name = customary(property.name, inner)
        add(
          name,
          found.map(({ text }) => text),
        )
        if (name !== 'Container:Directory') continue
        for (const fields of items.map((item) => fieldsOf(item, inner, MAX_LEVELS))) {
          for (const [field, usual] of Object.entries(ITEM)) add(field, [fields[field] || usual])
        }
      }
    }
    return properties
  } catch {
    return new Map()
  }
}

// Returns the fields of a structure, which are attributes, or elements on some level.
function fieldsOf(element: XmlElement, outer: Spaces, levels: number): Record<string, string> {
  const spaces = spacesIn(element, outer)
  const fields = Object.entries(element.attributes)
  const inner = elementsIn(element)
  if (inner.length === 0) fields.push([element.name, element.text])
  const own = fields.map(([name, value]) => [customary(name, spaces), value.trim()])
  if (levels === 0) return Object.fromEntries(own)
  const ofInner = inner.map((one) => fieldsOf(one, spaces, levels - 1))
  return Object.assign(Object.fromEntries(own), ...ofInner)
}

interface Described {
  description: XmlElement
  spaces: Spaces
}

function descriptions(bytes: Buffer): Described[] {
  if (!isReadable(bytes)) return []
  const { root } = parseXml(xmlIn(bytes))
  if (!root) return []
  const find = (element: XmlElement, depth: number, outer: Spaces): Described[] => {
    const spaces = spacesIn(element, outer)
    const name = customary(element.name, spaces)
    if (name === 'rdf:Description') return [{ description: element, spaces }]
    return depth === 0 ? [] : elementsIn(element).flatMap((one) => find(one, depth - 1, spaces))
  }
  // The root is `x:xmpmeta` or `rdf:RDF`.
  return find(root, 2, () => undefined)
}

// UTF-16 is known by the other half of `<`. Some texts end with NULs.
function xmlIn(bytes: Buffer): string {
  const [first, second] = bytes.subarray(bytes[0]! > 0xf0 ? 2 : 0)
  const encoding = first === 0 ? 'utf-16be' : second === 0 ? 'utf-16le' : 'utf-8'
  const text = new TextDecoder(encoding).decode(bytes)
  let end = text.length
  while (text.charCodeAt(end - 1) === 0) end--
  return text.slice(0, end)
}

function spacesIn({ attributes }: XmlElement, outer: Spaces): Spaces {
  return (prefix) => attributes[`xmlns:${prefix}`] ?? outer(prefix)
}

// Returns a name with the prefix that its namespace usually has.
function customary(name: string, spaces: Spaces): string {
  const [prefix = '', local = ''] = name.split(':')
  const usual = PREFIXES.get(spaces(prefix) ?? '')
  // Adobe's programs before 2005 write this prefix.
  return `${usual ?? (prefix === 'xap' ? 'xmp' : prefix)}:${local}`
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => child instanceof XmlElement)
}

// Returns the texts of the second record (IIM 4.2, 1.6); one whose length has a length of its own is no text.
function readIptc(given: Buffer): Records {
  const records: Records = new Map()
  const bytes = (isReadable(given) && iptcIn(given)) || Buffer.alloc(0)
  for (let at = 0; bytes[at] === 0x1c && at + 5 <= bytes.length; ) {
    const number = bytes[at + 2]!
    const start = at + 5
    at = start + bytes.readUInt16BE(start - 2)
    if (bytes[start - 4] !== 2 || at > bytes.length) continue
    const found = records.get(number) ?? []
    found.push(...textIn(bytes.subarray(start, at)))
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

function xmpDate(text: unknown): KnownDate | null {
  const read = readDateText(text)
  return read && { ...read, source: 'xmp' }
}

function creationTime(one: Embedded): KnownDate | null {
  return one.kind === 'text' && /^Creation Time$/i.test(one.keyword) ? xmpDate(one.bytes) : null
}

function iptcDate(records: Records): KnownDate | null {
  const [day] = records.get(IPTC.date) ?? []
  const [time] = records.get(IPTC.time) ?? []
  return xmpDate(`${day}T${time}`) ?? xmpDate(day)
}

// Many programs write UTF-8 whether they declare it or not.
function textIn(bytes: Buffer): string[] {
  const isUtf8 = bytes.equals(Buffer.from(bytes.toString()))
  return cleanText(bytes.toString(isUtf8 ? 'utf8' : 'latin1'))
}

function cleanText(text: string): string[] {
  const clean = text.split('\0', 1)[0]!.trim()
  return clean === '' ? [] : [clean]
}

// In XMP, a place is written like `26,34.951N`, or like `26,34,57N`.
function placeOf(xmp: Properties[]): Place | undefined {
  for (const properties of xmp) {
    const latitude = degrees(properties.get('exif:GPSLatitude'), 'NS')
    const longitude = degrees(properties.get('exif:GPSLongitude'), 'EW')
    if (isPlace({ latitude, longitude })) return { latitude, longitude }
  }
  return undefined
}

// By "Motion Photo format 1.0" of Android, and Google's format before it: what the container lists lies one behind the
// other at the end of the file.
function filmsOf(properties: Properties): FilmClaim[] {
  const numbers = (name: string) =>
    (properties.get(name) ?? []).map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
  const films: FilmClaim[] = []
  const [isMotion, isMicro] = ['GCamera:MotionPhoto', 'GCamera:MicroVideo'].map(numbers)
  const at = properties.get(SEMANTIC)?.indexOf('MotionPhoto') ?? -1
  if (isMotion?.[0] === 1 && at >= 0) {
    const [lengths, paddings] = [numbers(LENGTH), numbers(PADDING)]
    const rest = [...lengths.slice(at), ...paddings.slice(at)]
    films.push({ fromEnd: rest.reduce((sum, size) => sum + size, 0), length: lengths[at]! })
  }
  const [offset = 0] = numbers('GCamera:MicroVideoOffset')
  if (isMicro?.[0] === 1) films.push({ fromEnd: offset, length: offset })
  return films
}

// Returns NaN for what is malformed.
function degrees([text = '']: string[] = [], letters: string): number {
  const [, whole, minutes, seconds = 0, letter = ''] =
    /^(\d+),([\d.]+)(?:,([\d.]+))?([NSEW])$/.exec(text) ?? []
  const size = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
  if (letter === '' || !letters.includes(letter)) return Number.NaN
  return letter === letters[1] ? 0 - size : size
}
