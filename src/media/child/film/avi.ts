import type { BoundedFile } from '../../bounded-file.ts'
import { fourcc, type Part } from '../../container-parts.ts'
import type { KnownDate } from '../exif-dates.ts'
import { noted } from './maker.ts'

// No AVI has more chunks than this, apart from its frames.
const MAX_CHUNKS = 200
// In bytes, of a chunk in which a camera writes what it likes.
const MAX_CHUNK = 16_384
const IDIT = fourcc('IDIT')
const STRD = fourcc('strd')
const ICRD = fourcc('ICRD')
const LISTS = ['hdrl', 'strl', 'INFO'].map(fourcc)

/**
 * Returns when an AVI says it was taken, by its camera's clock: from its IDIT chunks, the outer first, then from what
 * programs write.
 */
export async function readAviDates(file: BoundedFile): Promise<KnownDate[]> {
  const left = { chunks: MAX_CHUNKS, created: [] }
  const texts = await textsWithin(file, { start: 12, end: file.size }, left)
  return [...texts, ...left.created].flatMap((taken) => noted({ taken }))
}

type Within = Pick<Part, 'start' | 'end'>

interface Left {
  chunks: number
  /** The dates that programs have written, so far. */
  created: string[]
}

async function textsWithin(file: BoundedFile, within: Within, left: Left): Promise<string[]> {
  const own: string[] = []
  const inner: string[] = []
  for await (const chunk of chunks(file, within, left)) {
    const read = () => file.read(chunk.start, Math.min(chunk.end, chunk.start + MAX_CHUNK))
    if (chunk.name === IDIT) own.push((await read()).toString('latin1'))
    if (chunk.name === ICRD) left.created.push((await read()).toString('latin1'))
    // Some cameras hide one in the data of their stream.
    if (chunk.name === STRD) inner.push(...hiddenIn(await read()))
    if (LISTS.includes(chunk.name)) inner.push(...(await textsWithin(file, chunk, left)))
  }
  return [...own, ...inner]
}

// A list has the name of what it lists.
async function* chunks(
  file: BoundedFile,
  { start, end }: Within,
  left: Left,
): AsyncGenerator<Pick<Part, 'name' | 'start' | 'end'>> {
  for (let at = start; at + 12 <= end && left.chunks > 0; ) {
    // Counted before its inside is looked at, since lists may be nested without end.
    left.chunks--
    const head = await file.read(at, at + 12)
    const size = head.readUInt32LE(4)
    const isList = head.toString('latin1', 0, 4) === 'LIST'
    const next = at + 8 + size
    yield {
      name: head.readUInt32BE(isList ? 8 : 0),
      start: at + (isList ? 12 : 8),
      end: Math.min(end, next),
    }
    at = next + (size & 1)
  }
}

function hiddenIn(data: Buffer): string[] {
  const at = data.indexOf('IDIT', 0, 'latin1')
  if (at < 0 || at + 8 > data.length) return []
  const start = at + 8
  return [data.toString('latin1', start, start + data.readUInt32LE(at + 4))]
}
