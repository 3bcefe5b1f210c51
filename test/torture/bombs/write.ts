import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const GATHERED = 2 ** 20

/** Writes parts one after the other; many small ones cost no more than a few large ones. */
export async function writeParts(path: string, parts: Iterable<Uint8Array>): Promise<void> {
  await pipeline(Readable.from(gathered(parts)), createWriteStream(path))
}

function* gathered(parts: Iterable<Uint8Array>): Generator<Buffer> {
  let held: Uint8Array[] = []
  let size = 0
  for (const part of parts) {
    held.push(part)
    size += part.length
    if (size < GATHERED) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  yield Buffer.concat(held)
}

/** Yields what is made for each number below a count. */
export function* repeated(count: number, make: (n: number) => Uint8Array): Generator<Uint8Array> {
  for (let n = 0; n < count; n++) yield make(n)
}
