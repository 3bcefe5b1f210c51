import { PEOPLE } from '../../base/enums.ts'
import { isoTime, MINUTE } from '../../base/time.ts'
import { knownPart } from '../../media/dates.ts'
import type { FileDateColumns } from '../dates/file-date.ts'

/** What the sidecar of a file says. */
export interface SidecarFacts {
  date: FileDateColumns
  /** In degrees. */
  latitude: number | null
  longitude: number | null
  notes: string | null
  /** In the order in which they are written; `path` is the `xmp_path` of its metadata, as it is stored. */
  tags: { name: string; category: string | null; path: unknown }[]
  /** Names. */
  pools: string[]
}

const RATING = /^★{1,5}$/
/** The level above the names of pools. */
const ALBUMS = 'Albums'

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  digiKam: 'http://www.digikam.org/ns/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  lr: 'http://ns.adobe.com/lightroom/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
}

/**
 * Returns the text of a file's XMP sidecar, the same for the same facts. A rating and a label stand in their own fields
 * alone. A level of a tag that holds `/` can't stand in `digiKam:TagsList`, nor one with `|` in
 * `lr:hierarchicalSubject`; `dc:subject` has the last level of every tag.
 */
export function sidecarText({ date, latitude, longitude, notes, ...named }: SidecarFacts): string {
  const rating = named.tags
    .filter(({ category, name }) => category === 'Rating' && RATING.test(name))
    .sort((a, b) => b.name.length - a.name.length)[0]
  const label = named.tags.find(({ category }) => category === 'Label')
  const keywords = named.tags.filter((tag) => tag !== rating && tag !== label)
  const paths = keywords.map(pathOf)
  const all = [...paths, ...named.pools.map((name) => [ALBUMS, name])]
  const people = keywords.filter(({ category }) => category !== null && PEOPLE.test(category))
  const taken = takenAt(date)
  const fields = [
    list('digiKam:TagsList', 'Seq', joined(all, '/')),
    list('lr:hierarchicalSubject', 'Bag', joined(all, '|')),
    list(
      'dc:subject',
      'Bag',
      paths.map((path) => path.at(-1)!),
    ),
    list(
      'Iptc4xmpExt:PersonInImage',
      'Bag',
      people.map((tag) => pathOf(tag).at(-1)!),
    ),
    rating && field('xmp:Rating', String(rating.name.length)),
    label && field('xmp:Label', label.name),
    notes && field('dc:description', alternative(notes), false),
    taken && field('exif:DateTimeOriginal', taken),
    taken && field('photoshop:DateCreated', taken),
    ...(latitude === null || longitude === null
      ? []
      : [
          field('exif:GPSLatitude', coordinate(latitude, 'NS')),
          field('exif:GPSLongitude', coordinate(longitude, 'EW')),
        ]),
  ].filter(Boolean)
  const used = Object.entries(NAMESPACES).filter(([prefix]) =>
    fields.some((text) => (text as string).startsWith(`   <${prefix}:`)),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Tagstead">',
    ' <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    ['  <rdf:Description rdf:about=""', ...used.map(([p, uri]) => `    xmlns:${p}="${uri}"`)].join(
      '\n',
    ) + (fields.length > 0 ? '>' : '/>'),
    ...fields,
    ...(fields.length > 0 ? ['  </rdf:Description>'] : []),
    ' </rdf:RDF>',
    '</x:xmpmeta>',
    '',
  ].join('\n')
}

function pathOf({ name, path }: { name: string; path: unknown }): string[] {
  const isPath =
    Array.isArray(path) && path.length > 0 && path.every((level) => plain(level).trim() !== '')
  return isPath ? path : [name]
}

/** Leaves out the paths that hold the separator. */
function joined(paths: string[][], separator: string): string[] {
  return paths
    .filter((path) => !path.some((level) => level.includes(separator)))
    .map((path) => path.join(separator))
}

/** Nothing is known of when a file was taken that has but the time of its arrival, or that of its last change. */
function takenAt(date: FileDateColumns): string | null {
  const { content_datetime, content_offset, date_precision, date_source } = date
  if (date_source === 'upload' || date_source === 'mtime') return null
  const clock = content_datetime + (content_offset ?? 0) * MINUTE
  if (date_precision !== null) return knownPart(clock, date_precision)
  return isoTime(clock).replace(/(\.000)?Z$/, '') + zoneOf(content_offset)
}

function zoneOf(offset: number | null): string {
  if (offset === null) return ''
  const two = (n: number) => String(n).padStart(2, '0')
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const MILLIONTHS = 1e6

/** Degrees and decimal minutes, rounded together so that no minute is 60. */
function coordinate(degrees: number, [positive, negative]: string): string {
  const whole = Math.round(Math.abs(degrees) * 60 * MILLIONTHS)
  const minutes = (whole % (60 * MILLIONTHS)) / MILLIONTHS
  const side = degrees < 0 ? negative : positive
  return `${Math.floor(whole / (60 * MILLIONTHS))},${minutes.toFixed(6)}${side}`
}

function field(name: string, value: string, isText = true): string {
  return `   <${name}>${isText ? escaped(value) : value}</${name}>`
}

function list(name: string, kind: 'Bag' | 'Seq', items: string[]): string | null {
  if (items.length === 0) return null
  const lines = [...new Set(items)].map((item) => `     <rdf:li>${escaped(item)}</rdf:li>`)
  return field(name, `\n    <rdf:${kind}>\n${lines.join('\n')}\n    </rdf:${kind}>\n   `, false)
}

function alternative(text: string): string {
  return `\n    <rdf:Alt>\n     <rdf:li xml:lang="x-default">${escaped(text)}</rdf:li>\n    </rdf:Alt>\n   `
}

/** XML 1.0 can't hold these characters, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is about
const UNFIT = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu

function plain(level: unknown): string {
  return typeof level === 'string' ? level.replace(UNFIT, '') : ''
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

function escaped(text: string): string {
  return plain(text).replace(/[&<>\r]/g, (character) => ENTITIES[character]!)
}
