import { fold } from './fold.ts'

interface Named {
  id: string
  name: string
}

/**
 * Returns what finds the id of the tag of a name, by the server's rule for names of folders that it imports:
 * the one that is written so, else the oldest that differs only in upper and lower case.
 */
export function tagFinder(tags: readonly Named[]): (name: string) => string | undefined {
  const alike = new Map<string, Named[]>()
  // The ids of tags ascend as they are made.
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

/** Some systems write é as two characters, which is the same to the server. */
function isSame(a: string, b: string): boolean {
  return a.localeCompare(b) === 0
}
