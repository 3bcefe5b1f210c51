const BOX_HEAD = 16

/**
 * Returns whether exifr finds the entries of what it takes for a HEIF in the beginning of a file: behind a box without
 * a length, it would search for ever (7.1).
 */
export function hasEntries(head: Buffer): boolean {
  for (let at = head.readUInt32BE(0); at + BOX_HEAD <= head.length; ) {
    if (head.toString('latin1', at + 4, at + 8) === 'meta') return true
    const told = head.readUInt32BE(at)
    const size = told === 1 ? Number(head.readBigUInt64BE(at + 8)) : told
    if (size === 0) return false
    at += size
  }
  return false
}

/** Returns whether exifr takes a file with this beginning for a HEIF. */
export function isTakenForHeif(head: Buffer): boolean {
  return head.length >= BOX_HEAD && head.readUInt16BE(0) === 0
}
