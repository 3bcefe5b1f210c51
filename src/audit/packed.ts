import { withBeginnings } from './long-texts.ts'

/** A list of whole numbers in the details of an entry, such as row numbers; answers show its count. */
export interface Packed {
  count: number
  /**
   * The differences of the numbers, starting from 0, each as zigzag (0, -1, 1, -2 … as 0, 1, 2, 3 …) in seven bits a
   * byte, lowest first, the eighth bit set when more follow; then in base64.
   */
  packed: string
}

// Characters that the lists of one entry may have.
const LIMIT = 65_536
/** No longer list fits: each number takes at least a byte, and three bytes take four characters. */
export const MOST_PACKED = (LIMIT / 4) * 3

/** Packs a list of whole numbers below 2^52. */
export function pack(numbers: number[]): Packed {
  const bytes: number[] = []
  let last = 0
  for (const number of numbers) {
    const difference = number - last
    last = number
    let rest = difference < 0 ? -2 * difference - 1 : 2 * difference
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return { count: numbers.length, packed: Buffer.from(bytes).toString('base64') }
}

/** Returns the numbers of a packed list, in their order. */
export function unpack({ packed }: Packed): number[] {
  const numbers: number[] = []
  let last = 0
  let rest = 0
  let factor = 1
  for (const byte of Buffer.from(packed, 'base64')) {
    rest += (byte % 128) * factor
    factor *= 128
    if (byte >= 128) continue
    last += rest % 2 === 1 ? -(rest + 1) / 2 : rest / 2
    numbers.push(last)
    rest = 0
    factor = 1
  }
  return numbers
}

/** Marks an entry whose lists are too long to store. */
export interface Incomplete {
  incomplete: true
}

/** Returns the lists packed, or the mark when together they are too long. */
export function packAll<Lists extends Record<string, number[]>>(
  lists: Lists,
): { [Name in keyof Lists]: Packed } | Incomplete {
  const count = Object.values(lists).reduce((sum, list) => sum + list.length, 0)
  if (count > MOST_PACKED) return { incomplete: true }
  const packed = Object.entries(lists).map(([name, list]) => [name, pack(list)] as const)
  const size = packed.reduce((sum, [, list]) => sum + list.packed.length, 0)
  if (size > LIMIT) return { incomplete: true }
  return Object.fromEntries(packed) as { [Name in keyof Lists]: Packed }
}

/**
 * Returns details as answers show them: lists as their counts, long texts by their beginnings, and nothing internal.
 */
export function shownDetails(details: Record<string, unknown>): Record<string, unknown> {
  const { internal: _, ...shown } = withBeginnings(details)
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, isPacked(value) ? value.count : value]),
  )
}

function isPacked(value: unknown): value is Packed {
  return typeof value === 'object' && value !== null && 'packed' in value && 'count' in value
}
