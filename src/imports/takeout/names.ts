import { groupedBy } from '../../base/grouped.ts'
import { nfc } from '../../base/text.ts'
import { EDITED, YEARS } from './words.ts'

// In UTF-16 units: the longest name of a picture, and the longest of a sidecar without `(n).json`. Both were counted
// in real exports: ente/ente#4956, TheLastGimbus/GooglePhotosTakeoutHelper#449.
const LONGEST = 51
const CUT = 46
const SUFFIX = '.supplemental-metadata'
const JSON_END = '.json'

// Films without a sidecar have that of their picture; the one of a Pixel is `NAME.MP` beside `NAME.MP.jpg`.
const FILM = /^(mov|mp4|m4v|mp(~\d+)?)$/i
const PICTURE_ENDINGS = ['HEIC', 'heic', 'jpg', 'JPG', 'jpeg', 'JPEG', 'HEIF', 'heif', 'png', 'dng']

/** A name of Takeout in its parts: `stem(number).ending`. */
interface Parts {
  stem: string
  /** With its brackets, or empty. */
  number: string
  /** With its dot, or empty. */
  ending: string
}

/** Pictures and sidecars of one folder that only the titles in the sidecars tell apart. */
interface Unsure {
  pictures: string[]
  sidecars: string[]
}

/** What the names in a folder say of its sidecars. */
interface Pairs {
  /** The sidecar of each picture or film that has one. */
  sidecars: Map<string, string>
  unsure: Unsure[]
}

/**
 * Returns which `.json` in a folder of Google Takeout belongs to which other name there. An edited copy and the film of
 * a living picture share that of their picture. All rules are by names; the titles of `unsure` sidecars are for
 * `pairByTitle`.
 */
export function pairJson(names: string[]): Pairs {
  const jsons = new Map(
    names.filter(isJson).map((name) => [nfc(name.slice(0, -JSON_END.length)), name]),
  )
  const sidecars = new Map<string, string>()
  if (jsons.size === 0) return { sidecars, unsure: [] }
  const others = names.filter((name) => !isJson(name))
  const cut: string[] = []
  for (const name of others) {
    const found = first(ownTitles(name), jsons)
    if (!found) continue
    sidecars.set(name, found)
    if (titleOf(name).length >= CUT) cut.push(name)
  }
  for (const name of others) {
    if (sidecars.has(name)) continue
    const shared = first(sharedTitles(name), jsons)
    if (shared) sidecars.set(name, shared)
  }
  return { sidecars, unsure: unsureOf(cut, jsons) }
}

function unsureOf(cut: string[], jsons: Map<string, string>): Unsure[] {
  const stems = groupedBy([...jsons.keys()], (stem) => stem.replace(NUMBER, ''))
  const cutAlike = groupedBy(cut, (name) => nfc(titleOf(name).slice(0, CUT)))
  return [...cutAlike].flatMap(([key, pictures]) => {
    const sidecars = (stems.get(key) ?? []).map((stem) => jsons.get(stem)!)
    const areAlike = new Set(pictures.map(titleOf)).size < 2
    return areAlike || sidecars.length < 2 ? [] : [{ pictures, sidecars }]
  })
}

/** Returns the sidecars of unsure pictures by the titles that the sidecars hold; one without a title pairs with none. */
export function pairByTitle(
  { pictures, sidecars }: Unsure,
  titles: Map<string, string>,
): Map<string, string> {
  const inOrder = (names: string[]) =>
    names.toSorted((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1))
  const titled = inOrder(sidecars.filter((name) => titles.has(name)))
  const titleIn = (sidecar: string) => nfc(titles.get(sidecar)!)
  const free = new Set(titled)
  const byCut = new Map<string, Map<string, string[]>>()
  const pairs = new Map<string, string>()
  // A longer one fits fewer titles; those of one length are in the order of their titles.
  const parts = inOrder(pictures).map((name) => ({ name, ...partsOf(nfc(name)) }))
  for (const { name, stem, ending } of parts.sort((a, b) => b.stem.length - a.stem.length)) {
    // A folder has few endings, and few lengths to which names are cut.
    const cut = `${stem.length}${ending}`
    const alike =
      byCut.get(cut) ??
      groupedBy(
        titled.filter((sidecar) => titleIn(sidecar).endsWith(ending)).reverse(),
        (sidecar) => titleIn(sidecar).slice(0, stem.length),
      )
    byCut.set(cut, alike)
    const fit = alike.get(stem) ?? []
    while (fit.length > 0 && !free.has(fit.at(-1)!)) fit.pop()
    const sidecar = fit.pop()
    if (sidecar === undefined) continue
    free.delete(sidecar)
    pairs.set(name, sidecar)
  }
  return pairs
}

const NUMBER = /\(\d+\)$/

function numberOf(name: string): number {
  const stem = isJson(name) ? name.slice(0, -JSON_END.length) : partsOf(name).number
  return Number(NUMBER.exec(stem)?.[0].slice(1, -1) ?? 0)
}

/** Returns whether a name ends as that of a sidecar or of what describes an album. */
export function isJson(name: string): boolean {
  return name.toLowerCase().endsWith(JSON_END)
}

function partsOf(name: string): Parts {
  const dot = name.lastIndexOf('.')
  const [whole, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const number = NUMBER.exec(whole)?.[0] ?? ''
  return { stem: whole.slice(0, whole.length - number.length), number, ending }
}

function titleOf(name: string): string {
  const { stem, ending } = partsOf(name)
  return stem + ending
}

function first(titles: Iterable<Title>, jsons: Map<string, string>): string | undefined {
  for (const title of titles) {
    for (const stem of stemsOf(title)) {
      const found = jsons.get(nfc(stem))
      if (found) return found
    }
  }
  return undefined
}

/** What a picture is called in Google Photos, and the number by which its sidecar differs from others of that title. */
interface Title {
  title: string
  number: string
}

function* stemsOf({ title, number }: Title): Generator<string> {
  for (const form of new Set([title, nfc(title)])) {
    for (const whole of [form, form + SUFFIX]) {
      yield whole.slice(0, CUT) + number
      // Half of a character can't be written.
      if (whole.length > CUT && !whole.slice(0, CUT).isWellFormed()) {
        yield whole.slice(0, CUT - 1) + number
      }
    }
  }
}

function* ownTitles(name: string): Generator<Title> {
  const { stem, number, ending } = partsOf(name)
  if (number) yield { title: stem + ending, number }
  // A title may itself end in a number.
  yield { title: name, number: '' }
  // A title without an extension, which Google adds to the picture alone.
  if (ending) yield { title: stem, number }
}

function* sharedTitles(name: string): Generator<Title> {
  const { stem, number, ending } = partsOf(name)
  for (const original of originals(stem, ending)) {
    yield* ownTitles(original + number + ending)
    // The edited copy may have another format.
    for (const other of PICTURE_ENDINGS) yield { title: `${original}.${other}`, number }
  }
  if (FILM.test(ending.slice(1))) {
    for (const other of PICTURE_ENDINGS) {
      yield* ownTitles(`${stem}${number}.${other}`)
      yield* ownTitles(`${stem}${number}${ending}.${other}`)
    }
  }
  // What made a copy's name differ from the original's was cut off, so that it got a number.
  if (number && (stem + ending).length >= LONGEST) yield { title: stem + ending, number: '' }
}

// A name that was cut has lost the end of the word.
const WORDS = EDITED.map(([word]) => word)
const CUT_WORDS = WORDS.flatMap((word) =>
  Array.from({ length: word.length }, (_, n) => word.slice(0, word.length - n)),
)

function originals(stem: string, ending: string): string[] {
  const isCut = (stem + ending).length >= LONGEST - 1
  const text = nfc(stem)
  const found = (isCut ? CUT_WORDS : WORDS).filter(
    (word) => text.length > word.length && text.endsWith(word),
  )
  return [...new Set(found.map((word) => text.slice(0, text.length - word.length)))]
}

const YEAR = new RegExp(
  `^(${YEARS.map(([name]) => nfc(name).replace('#', '(19|20)\\d\\d')).join('|')}|\\d{4}-\\d\\d-\\d\\d( #\\d+)?)$`,
  'i',
)

/** Returns whether a folder of Takeout, by its name, holds pictures of a time and is no album. */
export function isOfYear(folder: string): boolean {
  return YEAR.test(nfc(folder))
}

const PART = /^(takeout-\d{8}T\d{6}Z)(-\d+)*-(\d{3,})(\(\d+\))?$/i

/** Returns the set to which a ZIP of Takeout, or a folder that was made of one, belongs; null for any other name. */
export function setOf(name: string): string | null {
  return PART.exec(name.replace(/\.zip$/i, ''))?.[1] ?? null
}
