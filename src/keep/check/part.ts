/** One of several parts of the contents, of about the same size: 1 to `of`. */
export interface Part {
  number: number
  of: number
}

/** Returns the part that "N/M" names, or null for anything else. */
export function parsePart(text: string): Part | null {
  const found = /^(\d{1,4})\/(\d{1,4})$/.exec(text)
  if (!found) return null
  const [number, of] = [Number(found[1]), Number(found[2])]
  return number >= 1 && number <= of ? { number, of } : null
}

/** Returns whether a content is in a part, which its random name decides. */
export function isInPart(blob: string, { number, of }: Part): boolean {
  const place = (Number.parseInt(blob.slice(0, 8), 16) || 0) / 2 ** 32
  return Math.floor(place * of) + 1 === number
}
