import type { Db } from '../../../src/db/client.ts'
import type { Numbers } from './hashes.ts'

/** What is kept of how a file looks in finer detail. */
export interface Finer {
  hash: Uint8Array
  isPlain?: boolean
  /** Stands for a content; each file has one of its own where it isn't given. */
  content?: number
}

/** Returns a random finer hash; `random` gives numbers from 0 to below n. */
export function randomFiner(random: Numbers): Uint8Array {
  return Uint8Array.from({ length: 32 }, () => random(256))
}

/** Returns a finer hash with that many other bits, from one on. */
export function turned(hash: Uint8Array, bits: number, from = 0): Uint8Array {
  const other = hash.slice()
  for (let bit = from; bit < from + bits; bit++) other[(bit >> 3) % 32]! ^= 1 << (bit & 7)
  return other
}

/** Keeps the content of a file and, unless it is null, its finer hash. */
export function keepFiner(db: Db, rid: number, { hash, isPlain, content }: Partial<Finer>): void {
  const sha256 = Buffer.alloc(32, content === undefined ? `own ${rid}` : `content ${content}`)
  db.run('UPDATE file_details SET sha256 = ? WHERE file_rid = ?', sha256, rid)
  if (!hash) return
  db.run(
    'INSERT INTO finer_hashes VALUES (?, ?, ?, ?)',
    rid,
    hash,
    Number(isPlain ?? false),
    sha256,
  )
}
