import type { Picked } from './pick.ts'

// Browsers know no type for HEIC and RAW files on some systems.
const PICTURE = /\.(jpe?g|hei[cf]|hif|avif|jxl|png|webp|dng|cr[23]|nef|arw|orf|raf|rw2|pef)$/i
const FILM = /\.(mov|mp4|m4v|3gp)$/i

type Kind = 'picture' | 'film'

/** Pictures and films of the batch that may be the halves of living pictures. */
interface Halves {
  /** Records files that the user chose. */
  note(files: readonly Picked[]): void
  /** Whether a file of the other kind, with the same name up to its extension, was chosen from the same folder. */
  hasOther(file: Picked): boolean
  clear(): void
}

/** Creates halves without any files. */
export function createHalves(): Halves {
  const kinds = new Map<string, Set<Kind>>()
  return {
    note(files) {
      for (const one of files) {
        const kind = kindOf(one.file)
        if (kind === null) continue
        const place = placeOf(one)
        const there = kinds.get(place)
        if (there) there.add(kind)
        else kinds.set(place, new Set([kind]))
      }
    },
    hasOther(one) {
      const kind = kindOf(one.file)
      if (kind === null) return false
      return kinds.get(placeOf(one))?.has(kind === 'film' ? 'picture' : 'film') ?? false
    },
    clear: () => kinds.clear(),
  }
}

function kindOf({ type, name }: File): Kind | null {
  if (type.startsWith('image/') || PICTURE.test(name)) return 'picture'
  return type.startsWith('video/') || FILM.test(name) ? 'film' : null
}

function placeOf({ file, folders }: Picked): string {
  const stem = file.name.replace(/\.[^.]*$/, '')
  return [...folders, stem.toLowerCase()].join('/')
}
