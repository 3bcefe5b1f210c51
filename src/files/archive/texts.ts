import { deflateSync, inflateSync } from 'node:zlib'
import { invalid } from '../../base/errors.ts'
import type { Bytes } from '../../media/file-bytes.ts'

/** Bytes that are packed together. */
const TOGETHER = 2 ** 18
/** The most bytes that the texts of an archive may take in memory. */
const MOST_BYTES = 64 * 2 ** 20

/** Texts that an archive is to hold, packed in memory until they are sent. */
export interface Texts {
  /** Adds a text, and returns the name by which it is read, which no content has, and its size in bytes. */
  add(text: string): { blob: string; size: number }
  /** Returns the bytes of a text; null for any other name. */
  read(blob: string): Bytes | null
}

/** Returns no texts yet. Adding throws a validation error for more than fits into memory. */
export function createTexts(): Texts {
  const blocks: Buffer[] = []
  const places = /^text (\d+) (\d+) (\d+)$/
  let open: Buffer[] = []
  let [filled, taken] = [0, 0]
  let last: { block: number; bytes: Buffer<ArrayBuffer> } | null = null
  const close = () => {
    const packed = deflateSync(Buffer.concat(open), { level: 1 })
    taken += packed.length
    if (taken > MOST_BYTES)
      throw invalid('sidecars', 'are too large for an archive of so many files')
    blocks.push(packed)
    open = []
    filled = 0
  }
  return {
    add(text) {
      const bytes = Buffer.from(text)
      const blob = `text ${blocks.length} ${filled} ${bytes.length}`
      open.push(bytes)
      filled += bytes.length
      if (filled >= TOGETHER) close()
      return { blob, size: bytes.length }
    },
    read(blob) {
      const [, block, start, size] = (places.exec(blob) ?? []).map(Number)
      if (block === undefined) return null
      if (last?.block !== block) {
        const packed = blocks[block]
        // The last ones stay as they are: what has begun to be sent can't be refused any more.
        last = { block, bytes: packed ? Buffer.from(inflateSync(packed)) : Buffer.concat(open) }
      }
      return one(last.bytes.subarray(start!, start! + size!))
    },
  }
}

async function* one(bytes: Uint8Array<ArrayBuffer>): Bytes {
  yield bytes
}
