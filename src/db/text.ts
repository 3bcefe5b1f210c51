import { nfc } from '../base/text.ts'

/** Returns the form of a name by which it is sorted and searched, regardless of case. */
export function fold(text: string): string {
  // Small letters may compose with a mark where their capitals don't, so NFC comes last. Lower case has two sigmas,
  // depending on the position in a word; a search must not tell them apart.
  return nfc(text.toLowerCase()).replaceAll('ς', 'σ')
}

/** Compares two texts by code point, as SQLite does with their UTF-8. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // A surrogate is part of a code point that is above every other UTF-16 unit.
    const xHigh = x >= 0xd800 && x <= 0xdfff
    const yHigh = y >= 0xd800 && y <= 0xdfff
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1
  }
  return a.length - b.length
}
