/** A text without accents and upper case, with the mapping to the original. */
export interface Folded {
  text: string
  /**
   * For each unit of `text`, and for its end, its index in the original; absent if all are the same.
   */
  origin?: number[]
}

/** Letters with a stroke or ligatures, which Unicode doesn't decompose. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
}
const MARKS = /\p{M}/gu
/** Most texts are ASCII only, which needs no normalization. */
const ASCII = /^[ -~]*$/

/** Returns where a part of a folded text, [start, end), is in the original, in whole letters. */
export function unfold({ origin }: Folded, [start, end]: [number, number]): [number, number] {
  if (!origin) return [start, end]
  let after = end
  while (origin[after] === origin[after - 1]) after++
  return [origin[start]!, origin[after]!]
}

/** Returns a text as it is compared: in lower case, without accents. */
export function fold(original: string): Folded {
  if (ASCII.test(original)) return { text: original.toLowerCase() }
  let text = ''
  const origin: number[] = []
  let at = 0
  // Letter by letter: a long run of combining marks would take quadratic time.
  for (const letter of original) {
    for (const plain of letter.normalize('NFKD').toLowerCase().replace(MARKS, '')) {
      const folded = PLAIN[plain] ?? plain
      for (let i = 0; i < folded.length; i++) origin.push(at)
      text += folded
    }
    at += letter.length
  }
  origin.push(at)
  return { text, origin }
}
