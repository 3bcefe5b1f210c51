/** The film of each picture that has one, and the other way round, as the server named them last. */
const films = new Map<unknown, string>()
const pictures = new Map<string, string>()

/** Remembers which pictures have a film, and which have none; `found` has the film of the nth id, or null. */
export function noteFilms(ids: readonly string[], found: readonly (string | null)[] = []): void {
  ids.forEach((id, at) => {
    const film = found[at]
    if (film === undefined || film === filmOf(id)) return
    pictures.delete(filmOf(id)!)
    films.delete(id)
    if (film === null) return
    films.delete(pictures.get(film))
    films.set(id, film)
    pictures.set(film, id)
  })
}

/** Returns the film that is one with a picture to the eye; undefined for a file without. */
export function filmOf(id: unknown): string | undefined {
  return films.get(id)
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
