/** The film of each file, null for one without, as the server named them last, and the picture of each film. */
const films = new Map<unknown, string | null>()
const pictures = new Map<string, string>()

/** Remembers which pictures have a film, and which have none; `found` has the film of the nth id, or null. */
export function noteFilms(ids: readonly string[], found: readonly (string | null)[] = []): void {
  ids.forEach((id, at) => {
    const film = found[at]
    const before = films.get(id)
    if (film === undefined || film === before) return
    if (before) pictures.delete(before)
    films.set(id, film)
    if (film === null) return
    const other = pictures.get(film)
    if (other !== undefined) films.delete(other)
    pictures.set(film, id)
  })
}

/** Returns the film that is one with a picture to the eye; undefined for a file without. */
export function filmOf(id: unknown): string | undefined {
  return films.get(id) ?? undefined
}

/** Returns whether the server has said of a file which film it has, or that it has none. */
export function isNoted(id: string): boolean {
  return films.has(id)
}

/** Returns the ids with those of the films that are one with them: what changes a picture, changes its film. */
export function withFilms(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => [id, filmOf(id) ?? id]))]
}

/** Returns the picture that is one with a film; undefined for other files. */
export function pictureOf(id: string): string | undefined {
  return pictures.get(id)
}

/** Returns the ids, each once, with its picture in the place of each film whose picture is among others. */
export function folded(ids: readonly string[], among: ReadonlySet<string>): string[] {
  const shown = ids.map((id) => {
    const picture = pictures.get(id)
    return picture !== undefined && among.has(picture) ? picture : id
  })
  return [...new Set(shown)]
}
