import { fold } from './fold.ts'

interface Named {
  id: string
  name: string
}

/**
 * Returns a function that finds the id of a tag by its name, by the server's rule for names of imported
 * folders: the tag with exactly this name, else the oldest that differs only in case.
 */
export function tagFinder(tags: readonly Named[]): (name: string) => string | undefined {
  const alike = new Map<string, Named[]>()
  // The ids of tags ascend in the order of creation.
  for (const tag of tags.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = fold(tag.name).text
    const others = alike.get(key)
    if (others) others.push(tag)
    else alike.set(key, [tag])
  }
  return (given) => {
    const name = given.trim()
    const found = alike.get(fold(name).text) ?? []
    const inItsCase = found.find((tag) => isSame(tag.name, name))
    const inAnyCase = () => found.find((tag) => isSame(tag.name.toLowerCase(), name.toLowerCase()))
    return (inItsCase ?? inAnyCase())?.id
  }
}

/** Some systems write é as two characters, which the server treats as the same. */
function isSame(a: string, b: string): boolean {
  return a.localeCompare(b) === 0
}
