interface Categorized {
  name: string
  category_id: string | null
  category_name: string | null
  category_color: string | null
}

interface Ranked {
  id: string
  name: string
  color: string | null
  metadata: Record<string, unknown> | null
}

/** The tags of a category, or those without one. */
interface Section<T> {
  /** The category's id; '' for none. */
  id: string
  name: string | null
  color: string | null
  tags: T[]
}

/** Heights in pixels, and how many tags are in a row. */
export interface Measures {
  heading: number
  row: number
  gap: number
  columns: number
}

/** A section with the range of it that is drawn. */
export interface Placed<T> {
  section: Section<T>
  top: number
  height: number
  /** The range of drawn tags: from `first`, which begins a row, to before `end`. */
  first: number
  end: number
}

/** Returns the position that a user gave a category; categories without one come last. */
function positionOf({ metadata }: Pick<Ranked, 'metadata'>): number {
  const position = metadata?.position
  return typeof position === 'number' ? position : Number.MAX_VALUE
}

/** Returns categories in the users' order, then the others by name. */
export function inOrder<C extends Ranked>(categories: C[], language: string): C[] {
  const byName = compareIn(language)
  return [...categories].sort(
    (a, b) => Math.sign(positionOf(a) - positionOf(b)) || byName(a.name, b.name),
  )
}

/**
 * Returns the tags by category and name, those without a category last. `categories` are all of them in
 * their order; those without tags are empty sections.
 */
export function sectionsOf<T extends Categorized>(
  tags: T[],
  categories: Ranked[],
  language: string,
): Section<T>[] {
  const sections = new Map<string, Section<T>>(
    categories.map(({ id, name, color }) => [id, { id, name, color, tags: [] }]),
  )
  const none: Section<T> = { id: '', name: null, color: null, tags: [] }
  for (const tag of tags) sectionOf(tag, sections, none).tags.push(tag)
  const byName = compareIn(language)
  const others = [...sections.values()].slice(categories.length)
  others.sort((a, b) => byName(a.name!, b.name!))
  const all = [...sections.values()].slice(0, categories.length).concat(others)
  if (none.tags.length > 0) all.push(none)
  for (const { tags } of all) tags.sort((a, b) => byName(a.name, b.name))
  return all
}

function sectionOf<T extends Categorized>(
  { category_id: id, category_name: name, category_color: color }: T,
  sections: Map<string, Section<T>>,
  none: Section<T>,
): Section<T> {
  // The name of a category that the viewer may not see is null.
  if (id === null || name === null) return none
  const known = sections.get(id)
  if (known) return known
  // The categories load separately, perhaps later than the tags.
  const section = { id, name, color, tags: [] }
  sections.set(id, section)
  return section
}

function compareIn(language: string): (a: string, b: string) => number {
  return new Intl.Collator(language, { numeric: true }).compare
}

/** Returns the total height of the sections. */
export function heightOf(sections: Section<unknown>[], of: Measures): number {
  return sections.reduce((sum, section) => sum + ownHeight(section, of), 0)
}

/** Returns the sections between two heights, each with those of its tags that are between them. */
export function placedBetween<T>(
  sections: Section<T>[],
  of: Measures,
  from: number,
  to: number,
): Placed<T>[] {
  const placed: Placed<T>[] = []
  let top = 0
  for (const section of sections) {
    const height = ownHeight(section, of)
    if (top + height > from && top < to) {
      const { length } = section.tags
      const rowAt = (y: number) => Math.floor((y - top - of.heading) / of.row)
      const first = Math.min(length, Math.max(0, rowAt(from) * of.columns))
      const end = Math.min(length, Math.max(first, (rowAt(to) + 1) * of.columns))
      placed.push({ section, top, height, first, end })
    }
    top += height
  }
  return placed
}

/** Returns where the row of a tag, or a category, with this id begins; null if there is none. */
export function topOf(
  sections: Section<{ id: string }>[],
  of: Measures,
  id: string,
): number | null {
  let top = 0
  for (const section of sections) {
    if (section.id === id) return top
    const at = section.tags.findIndex((tag) => tag.id === id)
    if (at >= 0) return top + of.heading + Math.floor(at / of.columns) * of.row
    top += ownHeight(section, of)
  }
  return null
}

function ownHeight({ tags }: Section<unknown>, { heading, row, gap, columns }: Measures): number {
  // An empty section is one line.
  if (tags.length === 0) return heading
  return heading + Math.ceil(tags.length / columns) * row + gap
}

/**
 * Returns the categories that get another position, with the new one, when the one at `from` moves to
 * `to`; `ordered` are all of them in their current order.
 */
export function positionsAfter<C extends { metadata: Record<string, unknown> | null }>(
  ordered: readonly C[],
  from: number,
  to: number,
): Map<C, number> {
  const after = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from]!)
  return new Map(
    after
      .map((category, position): [C, number] => [category, position])
      .filter(([category, position]) => positionOf(category) !== position),
  )
}
