import { fold } from '../../db/text.ts'
import { sentName } from '../sent-name.ts'

/** Bytes of UTF-8 that a name has at most. */
const LONGEST = 200
/** As long as the addition of any archive's last file. */
const MOST_ADDED = ' (999999)'

/** What has to become another character: in a path these divide it, or end its name for Windows. */
const DIVIDING = /[/\\:\p{Cc}]|[. ](?=[. ]*$)/gu
/** The names of devices of Windows, which has them with any extension, too. */
const DEVICE = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?= *(\.|$))/i
const EXTENSION = /(?<=.)\.[a-z\d]{1,5}$/i

/** What a file is named after. */
export interface Named {
  id: string
  original_name: string | null
  /** Without a dot. */
  mime_extension: string
  /** The clock where it was taken, in milliseconds as if it were UTC. */
  clock: number
}

/**
 * Returns a function that gives files the names of an archive: each one once, whatever the case of its
 * letters, and none of `taken`.
 */
export function createNames(taken: string[]): (file: Named) => string {
  const used = new Set(taken.map(keyOf))
  /**
   * The number to try next for a name that is used, by the name as cut for the longest number: names that
   * are cut to the same share their numbers, so none is tried twice.
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

/** Some letters have one capital, others one small letter in common. */
function keyOf(name: string): string {
  return fold(fold(name).toUpperCase())
}

function nameOf({ id, original_name, mime_extension, clock }: Named): string {
  const day = new Date(clock).toISOString().replace(/T.*/, '')
  const given = (original_name ?? `${day} ${id}`).replace(DIVIDING, '_').replace(DEVICE, '$1_')
  return shortened(sentName(given, mime_extension))
}

/** Returns the name with an addition before its extension, cut there where it is too long. */
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
