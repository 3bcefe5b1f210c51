import type { operations } from '../../client/index.ts'

type Query = NonNullable<operations['listFiles']['parameters']['query']>
export type Sort = NonNullable<Query['sort']>
export type Order = NonNullable<Query['order']>

/** Which files are shown, in which order. Times are RFC 3339; `filter` is in the API's language. */
export interface Listing {
  filter?: string
  search?: string
  /** Inclusive. */
  from?: string
  /** Exclusive. */
  to?: string
  trash?: boolean
  pool?: string
  /** Absent for a pool's own order; then `order` is absent as well. */
  sort?: Sort
  order?: Order
}

/** The data of a file in the grid. */
export interface Cell {
  id: string
  /** Seconds of the local clock. */
  t: number
  /** Width divided by height; 0 if unknown. */
  ratio: number
  /** A picture or a film. */
  kind: 'j' | 'v'
  /** A thumbhash in base64. */
  hash: string | null
  flags: number
  /** Seconds; null for pictures. */
  duration: number | null
  version: string
  /** The time of the first file of its series, in seconds of the local clock; null for a file in none. */
  series?: number | null
  /** The id of the film that is one with this picture; null for a file without. */
  film?: string | null
}

/** Bits of a cell's `flags`, as the server sends them. */
export const FLAGS = {
  review: 1,
  shared: 2,
  editable: 4,
  placeholder: 8,
  own: 16,
  favourite: 32,
} as const

/** What is known of its time, by the two bits above these. */
const KNOWN = [null, 'day', 'month', 'year'] as const

/** Returns how much is known of the time of a cell; null for a moment. */
export function precisionOf({ flags }: Pick<Cell, 'flags'>): (typeof KNOWN)[number] {
  return KNOWN[partOf(flags)]!
}

/** Returns how much is known by the flags of a cell: 1 for a day, 2 for a month, 3 for a year, 0 for a moment. */
export function partOf(flags: number): number {
  return (flags >> 6) & 3
}

/** The filter of the listing of one's favourites. */
export const FAVOURITES = '{f=1}'

/** Whether a file belongs to another user, who hasn't granted the caller the right to change it. */
export function isLocked({ flags }: Cell): boolean {
  return (flags & FLAGS.editable) === 0
}

/** The most files that one request of the API changes, or returns the ids of. */
export const MOST_FILES = 10_000
/** The most cells that one request returns. */
export const MOST_CELLS = 1000

const TEXTS = ['filter', 'search', 'from', 'to', 'pool'] as const
const SORTS: readonly string[] = [
  'content_datetime',
  'created',
  'original_name',
  'mime',
] satisfies Sort[]

const TIMES: readonly string[] = ['from', 'to']
/** The times that the API accepts and `new Date` can parse. */
const TIME =
  /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Parses a query into a listing, and ignores what is invalid. */
export function readListing(query: URLSearchParams, order: Order = 'desc'): Listing {
  const sort = query.get('sort') ?? ''
  const isKnown = SORTS.includes(sort)
  const listing: Listing = {}
  if (isKnown || !query.get('pool')) {
    listing.sort = isKnown ? (sort as Sort) : 'content_datetime'
    listing.order =
      query.get('order') === 'asc' ? 'asc' : query.get('order') === 'desc' ? 'desc' : order
  }
  for (const name of TEXTS) {
    const text = query.get(name)
    if (text && (!TIMES.includes(name) || TIME.test(text))) listing[name] = text
  }
  if (query.get('trash') === 'true') listing.trash = true
  return listing
}

/** Returns the shortest query that `readListing` parses into the listing. */
export function writeListing(listing: Listing, order: Order = 'desc'): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of TEXTS) if (listing[name]) query.set(name, listing[name])
  if (listing.trash) query.set('trash', 'true')
  const { sort, order: own } = listing
  if (sort && (listing.pool || sort !== 'content_datetime')) query.set('sort', sort)
  if (own && own !== order) query.set('order', own)
  return query
}
