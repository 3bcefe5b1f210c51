import { RAW_TYPES } from '../../../media/endings.ts'
import { PHRASES } from '../../text/phrases.ts'
import { daysIn } from './days.ts'
import { anyOf, folded, rowsOf, wordsIn } from './list.ts'

/** Something that a condition may name. */
export interface Named {
  name: string
  /** What a filter says of it. */
  token: string
}

/** What the viewer sees that has a name. Cameras and places are in the order of their files, most first. */
export interface Names {
  tags: readonly Named[]
  categories: readonly Named[]
  albums: readonly Named[]
  people: readonly Named[]
  cameras: readonly Named[]
  places: readonly Named[]
}

/** What is needed to understand a text. */
export interface Known {
  find(kind: keyof Names, name: string): string | undefined
  cameras: readonly Named[]
  /** The viewer's id. */
  me: number
  /** Such as `2026-11-29`, by the clock of this device. */
  today: string
}

/** Prepares names for `conditionIn`. */
export function knownFrom(names: Names, me: number, today: string): Known {
  const maps = new Map<string, Map<string, string>>()
  for (const [kind, list] of Object.entries(names) as [keyof Names, readonly Named[]][]) {
    // The first of several with one name is the one that is meant.
    maps.set(kind, new Map(list.toReversed().map(({ name, token }) => [folded(name), token])))
  }
  const find = (kind: keyof Names, name: string) => maps.get(kind)!.get(name)
  return { find, cameras: names.cameras, me, today }
}

const COUNTRY = /^l=([A-Z]{2})$/

/** Returns the names of a place: a country has those of all languages, a town its own. */
export function placesOf({ name, token }: Named): Named[] {
  const code = COUNTRY.exec(token)?.[1]
  if (!code) return [{ name, token }]
  const called = Object.keys(PHRASES).flatMap((language) =>
    (['long', 'short'] as const).map((style) =>
      new Intl.DisplayNames(language, { type: 'region', style }).of(code),
    ),
  )
  return [...new Set(called)].map((name) => ({ name: name ?? code, token }))
}

/**
 * Returns what a text of one or several words means as a condition, in tokens of the filter language; null if it
 * means none. A tag's name wins over all other meanings.
 */
export function conditionIn(text: string, known: Known): string | null {
  const plain = folded(text)
  return known.find('tags', plain) ?? phraseIn(plain, text, known) ?? afterFiller(plain, known)
}

function phraseIn(plain: string, text: string, known: Known): string | null {
  return (
    fixed(plain, known) ??
    daysIn(plain, known.today) ??
    amountIn(plain) ??
    ofPerson(plain, known) ??
    afterWord(plain, text, known) ??
    typeIn(plain) ??
    nameIn(plain, known)
  )
}

const words = (key: Parameters<typeof wordsIn>[0]) => anyOf(wordsIn(key))
const FIXED = new Map(
  rowsOf('conditions')
    .flatMap(([token, ...names]) => names.map((name): [string, string] => [folded(name), token]))
    .toReversed(),
)
const NOBODY = new Set(wordsIn('nobody'))
const PEOPLE = wordsIn('people')

function fixed(plain: string, known: Known): string | null {
  if (!NOBODY.has(plain)) return FIXED.get(plain) ?? null
  const people = PEOPLE.map((name) => known.find('categories', name)).find(Boolean)
  return people === undefined ? null : `!,${people}`
}

const UNITS = rowsOf('units').flatMap(([letter, size, ...names]) =>
  names.map((name) => ({ letter, size, name: folded(name) })),
)
const AMOUNT = new RegExp(
  `^(?:(${words('more')})|${words('less')}) ?(\\d{1,9}(?:[.,]\\d{1,3})?) ?(${anyOf(UNITS.map(({ name }) => name))})$`,
)

function amountIn(plain: string): string | null {
  const [, more, number = '', unit] = AMOUNT.exec(plain) ?? []
  const { letter, size } = UNITS.find(({ name }) => name === unit) ?? {}
  if (!letter || !size) return null
  const amount = Number(number.replace(',', '.')) * size
  return `${letter}${more ? '>' : '<'}${Number(amount.toFixed(letter === 'e' ? 3 : 0))}`
}

const BY = new RegExp(`^${words('by')} (.+)$`)
const ME = new RegExp(`^(?:${words('by')} ${words('me')}|mine)$`)

function ofPerson(plain: string, known: Known): string | null {
  if (ME.test(plain)) return `u=${known.me}`
  const name = BY.exec(plain)?.[1]
  return (name && known.find('people', name)) ?? null
}

const after = (key: Parameters<typeof wordsIn>[0]) => new RegExp(`^${words(key)}(?:: ?| )(.+)$`)
const ALBUM = after('album')
const CATEGORY = after('category')
const NO_CATEGORY = after('noCategory')
const CAMERA = after('camera')
const NEAR = after('near')
/** What may stand before a name, and of what that name is then. */
export const LEADS: readonly (readonly [RegExp, readonly (keyof Names)[]])[] = [
  [NEAR, ['places']],
  [ALBUM, ['albums']],
  [CATEGORY, ['categories']],
  [CAMERA, ['cameras']],
  [BY, ['people', 'tags']],
  [
    new RegExp(`^${words('before')} (.+)$`),
    ['tags', 'albums', 'places', 'cameras', 'categories', 'people'],
  ],
]
/** The tokens of work that isn't done yet. */
export const OF_WORK = ['r=1', 'r=0', FIXED.get('untagged')!]

const NOTES = new RegExp(`^${words('notes')}(?:: ?.+| [“„"«].+[”“"»])$`)
/** The text itself, with or without quotation marks. */
const NOTED = /^[^:“„"«]*:?\s*(?:[“„"«](.+)[”“"»]|(.+))$/

function afterWord(plain: string, text: string, known: Known): string | null {
  const read = (pattern: RegExp) => pattern.exec(plain)?.[1] ?? ''
  if (NOTES.test(plain)) {
    const [, quoted, rest = ''] = NOTED.exec(text) ?? []
    return notesToken(quoted ?? rest)
  }
  const camera = read(CAMERA)
  const none = known.find('categories', read(NO_CATEGORY))
  if (none !== undefined) return `!,${none}`
  return (
    known.find('albums', read(ALBUM)) ??
    known.find('categories', read(CATEGORY)) ??
    known.find('places', read(NEAR)) ??
    (camera === '' ? null : cameraIn(camera, known))
  )
}

/** Returns the token of files with a text in their notes. */
export function notesToken(text: string): string {
  return `n~%${patternOf(text.trim())}%`
}

/** Returns a text as a pattern of LIKE, with `_` for what a token can't hold. */
function patternOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}.-]/gu, '_')
}

/** Returns the token of a camera, or of all whose names have these words. */
function cameraIn(plain: string, { cameras }: Known): string | null {
  const isIn = (name: string) => ` ${name} `.includes(` ${plain} `)
  const found = cameras.filter(({ name }) => isIn(folded(name)))
  const [first, ...others] = found
  if (!first || others.length === 0) return first?.token ?? null
  const starts = found.every(({ name }) => folded(name).startsWith(plain))
  return `k~${starts ? '' : '%'}${patternOf(plain)}%`
}

const TYPES: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif' },
  ...{ webp: 'image/webp', avif: 'image/avif', heic: 'image/heic', heif: 'image/heif' },
  ...{ tif: 'image/tiff', tiff: 'image/tiff', jxl: 'image/jxl', mp4: 'video/mp4' },
  ...{ mov: 'video/quicktime', m4v: 'video/x-m4v', '3gp': 'video/3gpp', webm: 'video/webm' },
  ...{ mkv: 'video/x-matroska', avi: 'video/x-msvideo', mpg: 'video/mpeg', mpeg: 'video/mpeg' },
  ...{ mts: 'video/mp2t' },
  ...Object.fromEntries([...RAW_TYPES].map(([type, ending]) => [ending, type])),
}
const MIME = /^(?:\p{L}+:)?([a-z]+\/[a-z0-9.+-]+)$/u

function typeIn(plain: string): string | null {
  const type = TYPES[plain] ?? TYPES[plain.replace(/s$/, '')] ?? MIME.exec(plain)?.[1]
  return type ? `m=${type}` : null
}

function nameIn(plain: string, known: Known): string | null {
  return (
    known.find('albums', plain) ??
    known.find('places', plain) ??
    cameraIn(plain, known) ??
    known.find('categories', plain) ??
    known.find('people', plain) ??
    null
  )
}

const FILLER = new RegExp(`^${words('before')} (.+)$`)

/** "photos with Anna" means Anna. */
function afterFiller(plain: string, known: Known): string | null {
  const rest = FILLER.exec(plain)?.[1]
  if (rest === undefined) return null
  return known.find('tags', rest) ?? phraseIn(rest, rest, known) ?? afterFiller(rest, known)
}
