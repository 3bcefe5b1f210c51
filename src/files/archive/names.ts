import { fold } from '../../db/text.ts'
import { sentName } from '../sent-name.ts'

// In bytes of UTF-8.
const LONGEST = 200
/** The longest addition that any archive's last file can get. */
const MOST_ADDED = ' (999999)'

/** Characters that divide a path, or that Windows doesn't allow at the end of a name. */
const DIVIDING = /[/\\:\p{Cc}]|[. ](?=[. ]*$)/gu
/** Device names, which Windows reserves with any extension as well. */
const DEVICE = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?= *(\.|$))/i
const EXTENSION = /(?<=.)\.[a-z\d]{1,5}$/i

/** What a file's name is made from. */
export interface Named {
  id: string
  original_name: string | null
  /** Without a dot. */
  mime_extension: string
  /** The clock where it was taken, in milliseconds as if it were UTC. */
  clock: number
}

/**
 * Returns a function that gives files their names in an archive, each name once, ignoring case, and none of `taken`.
 */
export function createNames(taken: string[]): (file: Named) => string {
  const used = new Set(taken.map(keyOf))
  /**
   * The number to try next for a used name, by the name as cut for the longest number: names that are cut to the same
   * text share their numbers, so none is tried twice.
   */
  const next = new Map<string, number>()
  return (file) => {
    const name = nameOf(file)
    const key = keyOf(name)
    let unique = name
    if (used.has(key)) {
      const cut = keyOf(shortened(name, MOST_ADDED))
      let number = next.get(cut) ?? 2
      do unique = shortened(name, ` (${number++})`)
      while (used.has(keyOf(unique)))
      next.set(cut, number)
    }
    used.add(keyOf(unique))
    return unique
  }
}

/** Some letters share a capital, others a small letter. */
function keyOf(name: string): string {
  return fold(fold(name).toUpperCase())
}

function nameOf({ id, original_name, mime_extension, clock }: Named): string {
  const day = new Date(clock).toISOString().replace(/T.*/, '')
  const given = (original_name ?? `${day} ${id}`).replace(DIVIDING, '_').replace(DEVICE, '$1_')
  return shortened(sentName(given, mime_extension))
}

function shortened(name: string, addition = ''): string {
  const extension = EXTENSION.exec(name)?.[0] ?? ''
  const end = addition + extension
  let room = LONGEST - Buffer.byteLength(end)
  let stem = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    stem += character
  }
  return stem + end
}
