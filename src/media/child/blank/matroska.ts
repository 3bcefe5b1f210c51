import { readInBlocks } from '../../bounded-file.ts'
import { elements, type Part, SEGMENT, TRACK_ENTRY } from '../../container-parts.ts'
import type { Extent } from '../../raw.ts'
import { hasCamcorderNotes } from '../film/avchd.ts'
import { put, type Sheet, understand, zero } from './sheet.ts'

const EBML = 0x1a45dfa3
const [INFO, TRACKS, CLUSTER, GROUP, VIDEO, AUDIO] = [
  ...[0x1549a966, 0x1654ae6b, 0x1f43b675],
  ...[0xa0, 0xe0, 0xe1],
] as [number, number, number, number, number, number]
// What is kept in elements (RFC 9559); all others go.
const KEPT = new Map<number, number[]>([
  [0, [EBML, SEGMENT]],
  [EBML, [0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4282, 0x4287, 0x4285]],
  // Places of the others, and of times.
  [SEGMENT, [0x114d9b74, 0x1c53bb6b, INFO, TRACKS, CLUSTER]],
  [INFO, [0x2ad7b1, 0x4489, 0x4461, 0x4d80, 0x5741]],
  [TRACKS, [TRACK_ENTRY]],
  [
    TRACK_ENTRY,
    [
      ...[0xd7, 0x73c5, 0x83, 0xb9, 0x88, 0x55aa, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x234e7a],
      ...[0x22b59c, 0x22b59d, 0x86, 0x63a2, 0x56aa, 0x56bb, 0x6d80, 0x55ee, VIDEO, AUDIO],
    ],
  ],
  [CLUSTER, [0xe7, 0xa7, 0xab, 0xa3, 0xbf, GROUP]],
  [GROUP, [0xa1, 0x9b, 0xfb, 0xfa, 0x75a2, 0x75a1]],
])
const TYPE = 0x83
const CODEC = 0x86
// Pictures of others may each be a file of its own, such as a JPEG, that says all it likes.
const CODED = /^(A_|V_(MPEG|VP|AV1|THEORA|PRORES))/
// Video and sound.
const SHOWN = [1, 2]
const VOID = 0xec
// Bytes in which the first picture is.
const FIRST = 524_288
const MAX_ELEMENTS = 2_000_000
const BLOCK = 512

/** Notes what must go of a film in Matroska or WebM; throws when it isn't understood. */
export async function blankMatroska(sheet: Sheet): Promise<void> {
  const file = readInBlocks(sheet.file, BLOCK)
  let left = MAX_ELEMENTS
  understand(!hasCamcorderNotes(await sheet.file.read(0, FIRST)))
  const walk = async (name: number, { start, end }: Extent) => {
    const kept = KEPT.get(name)!
    let last = start
    const found = new Set<number>()
    for await (const part of elements(file, start, end, left)) {
      understand(part.isWhole && left-- > 0)
      last = part.end
      found.add(part.name)
      if (!kept.includes(part.name)) putVoid(sheet, part)
      else if (KEPT.has(part.name)) await walk(part.name, part)
      else if (part.name === TYPE) {
        const type = await file.read(part.start, part.end)
        understand(type.length === 1 && SHOWN.includes(type[0]!))
      } else if (part.name === CODEC) {
        understand(CODED.test((await file.read(part.start, part.end)).toString('latin1')))
      }
    }
    understand(last === end)
    understand(name !== TRACK_ENTRY || (found.has(TYPE) && found.has(CODEC)))
  }
  understand(file.size > 0)
  await walk(0, { start: 0, end: file.size })
}

// The length of its length is chosen so that it is as long as before.
function putVoid(sheet: Sheet, { at, start, end }: Part): void {
  const [length, isLong] = [end - at, end - at > 127]
  understand(length >= 2)
  const head = Buffer.alloc(isLong ? 9 : 2)
  head[0] = VOID
  if (isLong) {
    head.writeUIntBE(length - head.length, 3, 6)
    head[1] = 0x01
  } else head[1] = 0x80 | (length - 2)
  zero(sheet, Math.min(start, at + head.length), end)
  put(sheet, at, head)
}
