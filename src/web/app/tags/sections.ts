/** What is needed of a tag to put it into its section. */
interface Categorized {
  name: string
  category_id: string | null
  category_name: string | null
  category_color: string | null
}

/** The tags of a category, or of none. */
export interface Section<T> {
  /** The category's id; '' for none. */
  id: string
  name: string | null
  color: string | null
  tags: T[]
}

/** Heights in pixels. */
export interface Heights {
  heading: number
  row: number
  gap: number
}

/** A section as far as it is to be drawn. */
export interface Placed<T> {
  section: Section<T>
  top: number
  height: number
  /** The tags drawn, from `first` to before `end`. */
  first: number
  end: number
}

/** Returns the tags by category: both by name, and last of all those without one. */
export function sectionsOf<T extends Categorized>(tags: T[], language: string): Section<T>[] {
  const byName = new Intl.Collator(language, { numeric: true }).compare
  const sections = new Map<string, Section<T>>()
  for (const tag of tags) {
    // The name of a category that the viewer may not see is null.
    const id = tag.category_name === null ? '' : tag.category_id!
    const section = sections.get(id)
    if (section) section.tags.push(tag)
    else {
      const { category_name: name, category_color: color } = tag
      sections.set(id, { id, name, color: id === '' ? null : color, tags: [tag] })
    }
  }
  for (const { tags } of sections.values()) tags.sort((a, b) => byName(a.name, b.name))
  return [...sections.values()].sort(
    (a, b) => Number(a.id === '') - Number(b.id === '') || byName(a.name ?? '', b.name ?? ''),
  )
}

/** Returns how high all sections are, one below the other. */
export function heightOf(sections: Section<unknown>[], of: Heights): number {
  return sections.reduce((sum, section) => sum + ownHeight(section, of), 0)
}

/** Returns the sections between two heights, each with those of its tags that are between them. */
export function placedBetween<T>(
  sections: Section<T>[],
  of: Heights,
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
      const first = Math.min(length, Math.max(0, rowAt(from)))
      const end = Math.min(length, Math.max(first, rowAt(to) + 1))
      placed.push({ section, top, height, first, end })
    }
    top += height
  }
  return placed
}

function ownHeight({ tags }: Section<unknown>, { heading, row, gap }: Heights): number {
  return heading + tags.length * row + gap
}
