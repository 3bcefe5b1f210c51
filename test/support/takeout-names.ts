// How Google names what it exports, written forwards: from titles to names. The program goes the other way.

/** A picture in Google Photos. */
export interface Item {
  title: string
  /** What stands behind the name of its edited copy, if it has one. */
  edited?: string | undefined
  /** The extension of its film, if it is a living picture. */
  film?: string | undefined
}

/** The names of an item in a folder of an export. */
export interface Named {
  sidecar: string
  /** The picture, then its edited copy and its film. */
  pictures: string[]
}

const wellFormed = (text: string) => (text.isWellFormed() ? text : text.slice(0, -1))

function split(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.')
  return [name.slice(0, dot), name.slice(dot)]
}

/** Returns the names of items in their order; `isOld` is how it was before 2024. */
export function namesOf(items: Item[], isOld: boolean): Named[] {
  const taken = new Set<string>()
  const free = (stem: string, ending: string) => {
    for (let number = 0; ; number++) {
      const name = `${stem}${number === 0 ? '' : `(${number})`}${ending}`
      if (taken.has(name)) continue
      taken.add(name)
      return name
    }
  }
  const pictureOf = (stem: string, ending: string) =>
    free(wellFormed(stem.slice(0, 51 - ending.length)), ending)
  const named = items.map(({ title }) => {
    const base = isOld ? title : `${title}.supplemental-metadata`
    return {
      sidecar: free(wellFormed(base.slice(0, 46)), '.json'),
      pictures: [pictureOf(...split(title))],
    }
  })
  for (const [at, { edited, film }] of items.entries()) {
    const { pictures } = named[at]!
    const [stem, ending] = split(pictures[0]!)
    const [, number = ''] = /(\(\d+\))$/.exec(stem) ?? []
    const bare = stem.slice(0, stem.length - number.length)
    if (edited) {
      const cut = wellFormed((bare + edited).slice(0, 51 - ending.length))
      pictures.push(cut === bare ? free(cut, ending) : free(`${cut}${number}`, ending))
    }
    if (film) pictures.push(free(stem, film))
  }
  return named
}
