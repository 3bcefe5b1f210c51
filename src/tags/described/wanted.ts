import { fold } from '../../db/text.ts'
import { FILE_TEXT, notesText } from '../../http/text-fields.ts'
import type { Description } from '../../media/description.ts'
import { requireFewTags } from '../limits.ts'
import { TagCreate } from '../schema.ts'

/** How descriptions become tags. */
export interface DescribedOptions {
  /** Whether tags and categories that are made are public. */
  is_public: boolean
  /** Whether the top levels of paths of two or more levels are categories instead of tags. */
  top_categories: boolean
  /** Paths that are left out, with all that is below them. */
  leave_out: string[][]
}

/** A tag that a file is to have, and those above it. */
export interface Wanted {
  /** The path under which it is listed, left out and written into the journal. */
  key: string[]
  /** The path that the tag has. */
  path: string[]
  /** The first of the path's levels that is a tag. */
  from: number
  /** The name of the category of tags that are made. */
  category: string | null
}

/** What a file gets from a description. */
export interface WantedOfFile {
  wanted: Wanted[]
  caption: string | null
  /** The paths with a level that no tag may be named. */
  unfit: string[][]
}

const [PEOPLE, RATING, LABEL] = ['People', 'Rating', 'Label']
const Caption = notesText(FILE_TEXT)
const CONTROLS = /(?![\n\t])\p{Cc}/gu

/** Returns the wanted tags of folders, and of a description if there is one, as far as they are not left out. */
export function wantedOf(
  description: Description | null,
  folders: string[],
  options: Pick<DescribedOptions, 'top_categories' | 'leave_out'>,
): WantedOfFile {
  const unfit: string[][] = []
  const found = new Map<string, Wanted>()
  const add = (key: string[], more: Partial<Omit<Wanted, 'key'>> = {}) => {
    const fit = withinLimits(more.path ?? key)
    if (!fit) return unfit.push(key)
    const above = key.slice(0, key.length - fit.length)
    const one = { from: 0, category: null, ...more, key: [...above, ...fit], path: fit }
    const rest = withoutLeftOut(one, options.leave_out)
    if (rest) found.set(keyOf(rest.key), rest)
    return undefined
  }
  for (const folder of folders) add([folder])
  const { paths = [], people = [], rating = null, label = null } = description ?? {}
  for (const path of paths) {
    const isSplit = options.top_categories && path.length > 1
    add(path, isSplit ? { from: 1, category: path[0]! } : {})
  }
  const put = (category: string, name: string) => add([category, name], { path: [name], category })
  for (const person of people) put(PEOPLE!, person)
  if (rating !== null) put(RATING!, '★'.repeat(rating))
  if (label !== null) put(LABEL!, label)
  return { wanted: [...found.values()], caption: captionOf(description), unfit }
}

// Its tag stores the path, which must have room beside what else there is.
function withinLimits(path: string[]): string[] | null {
  const levels = path.map((name) => TagCreate.shape.name.safeParse(name))
  if (levels.length === 0 || !levels.every((level) => level.success)) return null
  const names = levels.map((level) => level.data)
  return TagCreate.shape.metadata.safeParse({ xmp_path: names }).success ? names : null
}

function withoutLeftOut(one: Wanted, leave_out: string[][]): Wanted | null {
  const { key, path, from } = one
  const left = keysOf(leave_out)
  const at = key.findIndex((_, end) => left.has(keyOf(key.slice(0, end + 1))))
  if (at < 0) return one
  const levels = path.length - (key.length - at)
  return levels > from ? { ...one, key: key.slice(0, at), path: path.slice(0, levels) } : null
}

const keyOf = (path: string[]) => JSON.stringify(path)

// A run asks for each keyword of each file, with thousands of paths.
const known = new WeakMap<string[][], Set<string>>()

function keysOf(leave_out: string[][]): Set<string> {
  const keys = known.get(leave_out) ?? new Set(leave_out.map(keyOf))
  known.set(leave_out, keys)
  return keys
}

/**
 * Throws conflict when a file would have too many tags, before one of them is looked for: a small description may have
 * tens of thousands of levels.
 */
export function requireFewLevels(wanted: Wanted[]): void {
  const levels = new Set<string>()
  for (const { path, from } of wanted) {
    for (let end = from + 1; end <= path.length; end++) {
      levels.add(fold(keyOf(path.slice(0, end))))
    }
  }
  requireFewTags(levels.size)
}

function captionOf(description: Description | null): string | null {
  const text = description?.caption?.replace(/\r\n?/g, '\n').replace(CONTROLS, '').trim()
  const parsed = text ? Caption.safeParse(text) : undefined
  return parsed?.success ? parsed.data : null
}
