import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { cleanText, isReadable } from './caption-text.ts'

/** The texts of XMP's properties by their customary names, such as `dc:subject`. */
export type Properties = Map<string, string[]>
/** Returns the namespace of a prefix. */
type Spaces = (prefix: string) => string | undefined

// Namespaces and the prefixes that they usually have (XMP part 1, 8, and part 2).
const PREFIXES = new Map([
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://ns.adobe.com/xap/1.0/', 'xmp'],
  ['http://ns.adobe.com/photoshop/1.0/', 'photoshop'],
  ['http://ns.adobe.com/exif/1.0/', 'exif'],
  ['http://www.digikam.org/ns/1.0/', 'digiKam'],
  ['http://ns.adobe.com/lightroom/1.0/', 'lr'],
  ['http://ns.microsoft.com/photo/1.0/', 'MicrosoftPhoto'],
  // As ExifTool writes it.
  ['http://ns.microsoft.com/photo/1.0', 'MicrosoftPhoto'],
  ['http://ns.microsoft.com/photo/1.2/', 'MP'],
  ['http://ns.microsoft.com/photo/1.2/t/Region#', 'MPReg'],
  ['http://www.metadataworkinggroup.com/schemas/regions/', 'mwg-rs'],
  ['http://iptc.org/std/Iptc4xmpExt/2008-02-29/', 'Iptc4xmpExt'],
  ['http://ns.google.com/photos/1.0/camera/', 'GCamera'],
  ['http://ns.google.com/photos/1.0/container/', 'Container'],
  ['http://ns.google.com/photos/1.0/container/item/', 'Item'],
])
// What each item of a container says, and what counts where it doesn't.
export const [SEMANTIC, LENGTH, PADDING] = ['Item:Semantic', 'Item:Length', 'Item:Padding'] as const
const ITEM = { [SEMANTIC]: 'none', [LENGTH]: '0', [PADDING]: '0' }
// Parts of a picture, of which those with people count: that is what Microsoft's are, and others unless they say so.
const REGIONS = new Set(['mwg-rs:Regions', 'MP:RegionInfo'])
// From there down to the items of their list.
const MAX_DEPTH = 5
// Below an item of a list; with more, each level would copy the fields of all levels in it.
const MAX_LEVELS = 4

/** Returns the properties of XMP (XMP part 1, 7); none where it is broken or larger than a MiB. */
export function readXmp(bytes: Buffer): Properties {
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
        // A list consists of items, whatever its kind.
        const items = elementsIn(property).flatMap(elementsIn).sort(defaultFirst)
        const found = items.length > 0 ? items : [property]
        const inner = spacesIn(property, spaces)
        const name = customary(property.name, inner)
        if (REGIONS.has(name)) {
          add(name, namesIn(property, spaces, MAX_DEPTH))
          continue
        }
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

// In a list of languages.
function defaultFirst(one: XmlElement, other: XmlElement): number {
  const isOther = ({ attributes }: XmlElement) => Number(attributes['xml:lang'] !== 'x-default')
  return isOther(one) - isOther(other)
}

// Returns the names of the people in a list of regions.
function namesIn(element: XmlElement, outer: Spaces, levels: number): string[] {
  const spaces = spacesIn(element, outer)
  if (customary(element.name, spaces) !== 'rdf:li') {
    return levels === 0
      ? []
      : elementsIn(element).flatMap((one) => namesIn(one, spaces, levels - 1))
  }
  const fields = fieldsOf(element, outer, MAX_LEVELS)
  const isFace = (fields['mwg-rs:Type'] || 'Face') === 'Face'
  return isFace ? [fields['mwg-rs:Name'] || fields['MPReg:PersonDisplayName'] || ''] : []
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
