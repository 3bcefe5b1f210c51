import { type Listing, type Order, readListing, writeListing } from './listing.ts'

const SCREENS = {
  '': 'photos',
  f: 'photos',
  inbox: 'inbox',
  trash: 'trash',
  albums: 'pools',
  map: 'map',
  duplicates: 'duplicates',
  tags: 'tags',
  'keep/import': 'import',
  'keep/users': 'users',
  'keep/audit': 'audit',
  settings: 'settings',
  about: 'about',
} as const

/** The name of a screen; while a file is open, of the one behind it. */
export type ScreenName = (typeof SCREENS)[keyof typeof SCREENS]

/** What to change in the address. An absent property stays as it is; null removes it. */
export interface Destination {
  path?: string
  listing?: { [Key in keyof Listing]?: Listing[Key] | undefined } | null
  /** The id of the file that is in view. */
  at?: string | null
}

type Place = Pick<URL, 'pathname' | 'searchParams'>

/** Returns the screen of an address; undefined if there is none. */
export function screenOf({ pathname, searchParams }: Place): ScreenName | undefined {
  const [, first, second, ...more] = pathname.split('/')
  const isDeep = second !== undefined && !['f', 'albums', 'keep'].includes(first!)
  if (isDeep || more.length > 0 || (first === 'f' && !second)) return undefined
  const word = first === 'keep' ? `keep/${second}` : first!
  if (word === 'f' && searchParams.get('trash') === 'true') return 'trash'
  if (word === 'f' && searchParams.get('pool')) return 'pools'
  return Object.hasOwn(SCREENS, word) ? SCREENS[word as keyof typeof SCREENS] : undefined
}

/** Returns the id of the file that is open, at `/f/<id>`; null if none is. */
export function openFileOf({ pathname }: Place): string | null {
  return /^\/f\/([^/]+)$/.exec(pathname)?.[1] ?? null
}

/**
 * Returns the listing of an address. Only the trash's screen lists the trash, and only the screen
 * of an album its pool.
 */
export function listingOf(address: Place, order: Order): Listing {
  const { pathname, searchParams } = address
  const query = new URLSearchParams(searchParams)
  if (!pathname.startsWith('/f/'))
    query.set('pool', /^\/albums\/([^/]+)$/.exec(pathname)?.[1] ?? '')
  const { trash: _, ...read } = readListing(query, order)
  return screenOf(address) === 'trash' ? { ...read, trash: true } : read
}

/** Returns the path and query of a destination, starting from an address. */
export function hrefFrom(address: Place, destination: Destination, order: Order): string {
  const path = destination.path ?? address.pathname
  const listing =
    destination.listing === null ? null : { ...listingOf(address, order), ...destination.listing }
  const query = listing ? writeListing({ ...listing, trash: false }, order) : new URLSearchParams()
  // The path says which screen it is, except for an open file, which may be above any of them.
  if (!path.startsWith('/f/')) query.delete('pool')
  else if (listing?.trash) query.set('trash', 'true')
  const place = destination.at === undefined ? address.searchParams.get('at') : destination.at
  if (place !== null) query.set('at', place)
  const text = String(query)
  return text === '' ? path : `${path}?${text}`
}
