import { MAX_CAPTIONS } from './embedded.ts'

/** Returns whether a block is small enough to be read. */
export function isReadable(bytes: Buffer): boolean {
  return bytes.length <= MAX_CAPTIONS
}

/** Returns a text up to its first NUL, as a list, which is empty when nothing is left of it. */
export function cleanText(text: string): string[] {
  const clean = text.split('\0', 1)[0]!.trim()
  return clean === '' ? [] : [clean]
}
