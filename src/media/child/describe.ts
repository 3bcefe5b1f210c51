import { cleanLine, showsSomething } from '../../base/text.ts'
import {
  type Description,
  MAX_CAPTION,
  MAX_KEYWORDS,
  MAX_LEVEL,
  MAX_LEVELS,
  nothingSaid,
} from '../description.ts'

/** The texts of fields by the names of the table below: what the blocks of a content say, or a sidecar. */
export type Said = Map<string, string[]>

/** What a sidecar says. */
export type Beside = { said: Said } & Partial<
  Pick<Description, 'date' | 'position' | 'isFavorite' | 'isArchived' | 'isTrashed' | 'isPartners'>
>

/**
 * The table of sources. Each field is looked for in the content and then in its sidecars. Of keywords and people all
 * count, each once; of the rest the first that says something.
 */
const SOURCES = {
  // With what stands between the levels of a path, and whether it repeats the words of paths: programs write the levels
  // of a path also one by one, where they add nothing.
  keywords: [
    ['XMP digiKam:TagsList', '/'],
    ['XMP lr:hierarchicalSubject', '|'],
    ['XMP dc:subject', null, true],
    ['XMP MicrosoftPhoto:LastKeywordXMP', '/', true],
    ['IPTC Keywords', null, true],
  ] as [name: string, separator: string | null, isFlat?: boolean][],
  // A person whom digiKam has also as a tag, `People/Anna`, is a path as well.
  people: [
    'XMP mwg-rs:Regions',
    'XMP MP:RegionInfo',
    'XMP Iptc4xmpExt:PersonInImage',
    'JSON people',
  ],
  label: ['XMP xmp:Label'],
  // What EXIF says is mostly the name of a camera.
  caption: ['XMP dc:description', 'IPTC Caption-Abstract', 'JSON description'],
} as const
const RATING = 'XMP xmp:Rating'
const PERCENT = 'XMP MicrosoftPhoto:Rating'

// What darktable notes about a picture: `darktable|exported`.
const OF_DARKTABLE = 'darktable'
// In UTF-16 units, of all paths and people together: an answer must fit into a line.
const MAX_TEXT = 2 ** 17

/** Returns what a content and the files beside it say. */
export function describe(content: Said, sidecars: Beside[]): Description {
  const all = [content, ...sidecars.map(({ said }) => said)]
  const from: string[] = []
  const texts = (name: string) => all.flatMap((said) => said.get(name) ?? [])
  const note = (name: string) => {
    if (texts(name).length > 0) from.push(name)
  }
  const first = (names: readonly string[]) => {
    for (const name of names) note(name)
    return all.flatMap((said) => names.flatMap((name) => said.get(name) ?? []))[0] ?? null
  }
  const list = createList()
  const known = new Set<string>()
  // Windows writes a path also as a word.
  for (const [name, separator] of SOURCES.keywords) {
    if (separator === null) continue
    for (const text of texts(name)) if (text.includes(separator)) known.add(nameOf(text))
  }
  for (const [name, separator, isFlat = false] of SOURCES.keywords) {
    note(name)
    for (const text of texts(name)) {
      const path = (separator === null ? [text] : text.split(separator)).map(nameOf).filter(Boolean)
      if (isFlat && path.length === 1 && known.has(path[0]!)) continue
      const isLeftOut = separator === '|' && path[0] === OF_DARKTABLE
      if (isLeftOut || list.add(path)) for (const level of path) known.add(level)
    }
  }
  const paths = list.take()
  for (const name of SOURCES.people) {
    note(name)
    for (const text of texts(name)) list.add([nameOf(text)].filter(Boolean))
  }
  const people = list.take().flat()
  const rating = ratingOf(all)
  note(RATING)
  if (texts(RATING).length === 0) note(PERCENT)
  const label = nameOf(first(SOURCES.label) ?? '')
  return {
    ...nothingSaid(),
    paths,
    people,
    rating,
    label: label === '' || isLong(label) ? null : label,
    caption: captionOf(first(SOURCES.caption) ?? ''),
    date: sidecars.find(({ date }) => date)?.date ?? null,
    position: sidecars.find(({ position }) => position)?.position ?? null,
    isFavorite: sidecars.some((one) => one.isFavorite),
    isArchived: sidecars.some((one) => one.isArchived),
    isTrashed: sidecars.some((one) => one.isTrashed),
    isPartners: sidecars.some((one) => one.isPartners),
    leftOut: list.leftOut(),
    from,
  }
}

// Collects paths within the bounds, each once.
function createList() {
  let found = new Map<string, string[]>()
  let left = MAX_TEXT
  let leftOut = 0
  return {
    /** Returns false when it is left out. */
    add(path: string[]): boolean {
      const key = path.join('\0')
      if (path.length === 0 || found.has(key)) return path.length > 0
      const isTooMuch = found.size === MAX_KEYWORDS || key.length > left
      if (isTooMuch || path.length > MAX_LEVELS || path.some(isLong)) {
        leftOut++
        return false
      }
      left -= key.length
      found.set(key, path)
      return true
    },
    /** Returns what was added since the last time. */
    take(): string[][] {
      const paths = [...found.values()]
      found = new Map()
      return paths
    },
    leftOut: () => leftOut,
  }
}

// Returns '' for a name that shows nothing.
function nameOf(text: string): string {
  const name = cleanLine(text.replaceAll(/[\t\r\n]+ */g, ' ')).trim()
  return showsSomething(name) ? name : ''
}

function isLong(name: string): boolean {
  return name.length > MAX_LEVEL && [...name].length > MAX_LEVEL
}

function captionOf(text: string): string | null {
  const lines = text.slice(0, MAX_CAPTION).split(/\r\n?|\n/)
  const clean = lines.map((line) => cleanLine(line.replaceAll('\t', ' ')).trimEnd()).join('\n')
  return showsSomething(clean) ? clean.trim().slice(0, MAX_CAPTION).toWellFormed() : null
}

// Windows writes percent: 1, 25, 50, 75 and 99.
function ratingOf(all: Said[]): number | null {
  const inStars = all.some((said) => said.has(RATING))
  for (const said of all) {
    const [text = ''] = said.get(inStars ? RATING : PERCENT) ?? []
    const number = Math.round(Number(text))
    const stars = inStars ? number : Math.floor((number + 12) / 25) + 1
    if (number > 0 && stars <= 5) return stars
  }
  return null
}
