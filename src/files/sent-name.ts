import { SPELLINGS } from '../media/endings.ts'

/**
 * Characters that can make text run from right to left, and so disguise an ending: `\u202egpj.hta` is shown as
 * `ath.jpg`.
 */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a name under which a client saves a file: nothing in it changes the text direction, and it ends as its type
 * does, since systems open, and run, a file by its ending. `mime_extension` is without a dot.
 */
export function sentName(name: string, mime_extension: string): string {
  const plain = name.replace(DIRECTIONS, '')
  const ending = /(?<=.)\.([^.]*)$/s.exec(plain)?.[1]?.toLowerCase() ?? ''
  const isOwn = ending === mime_extension || SPELLINGS[mime_extension]?.includes(ending)
  return isOwn ? plain : `${plain}.${mime_extension}`
}
