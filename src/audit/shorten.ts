/** The most bytes of an entry's details in answers. */
export const DETAILS_LIMIT = 8 * 1024

const MARK = { shortened: true }
const MARK_ROOM = 24
// What an element of a list takes besides its value.
const COMMA = 1
// Less than this of a value is not worth showing.
const LEAST_SHARE = 32

/**
 * Returns details as they are when their JSON has at most 8 KiB. Otherwise, texts are cut, and lists and objects lose
 * elements, until it has, and `shortened` says so.
 */
export function shortened(details: Record<string, unknown>): Record<string, unknown> {
  if (bytesOf(details) <= DETAILS_LIMIT) return details
  return { ...cutObject(details, DETAILS_LIMIT - MARK_ROOM), ...MARK }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

// `room` is in bytes of JSON, and enough for an empty value.
function cut(value: unknown, room: number): unknown {
  if (typeof value === 'string') return cutText(value, room)
  if (Array.isArray(value)) return Object.values(cutObject({ ...value }, room, COMMA))
  return cutObject(value as Record<string, unknown>, room)
}

function cutText(text: string, room: number): string {
  let length = Math.min(text.length, room)
  const upTo = () => `${text.slice(0, length).toWellFormed()}…`
  for (let bytes = bytesOf(upTo()); bytes > room; bytes = bytesOf(upTo())) {
    length = Math.floor((length * (room - 5)) / bytes)
  }
  return upTo()
}

// Small values stay whole, the larger ones are cut to equal shares of the rest, and no more members remain than have a
// share.
function cutObject(
  value: Record<string, unknown>,
  room: number,
  keyBytes?: typeof COMMA,
): Record<string, unknown> {
  const members = Object.entries(value)
    .slice(0, Math.floor(room / LEAST_SHARE))
    .map(([key, member]) => ({
      key,
      member,
      own: keyBytes ?? bytesOf(key) + 2,
      bytes: bytesOf(member),
    }))
  const fitting = new Map<string, unknown>()
  let left = room - 2
  const bySize = members.toSorted((a, b) => a.own + a.bytes - b.own - b.bytes)
  for (const [index, { key, member, own, bytes }] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - index))
    const isScalar = typeof member !== 'object' && typeof member !== 'string'
    if (own + bytes > share && (isScalar || share - own < LEAST_SHARE / 2)) continue
    const shown = own + bytes > share ? cut(member, share - own) : member
    fitting.set(key, shown)
    left -= own + bytesOf(shown)
  }
  return Object.fromEntries(
    members.flatMap(({ key }) => (fitting.has(key) ? [[key, fitting.get(key)]] : [])),
  )
}
