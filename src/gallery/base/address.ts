import { type Listing, type Order, readListing, writeListing } from './listing.ts'

/** The screens, by the first word of their path; those of keeping, by two. */
const SCREENS = {
  '': 'photos',
  f: 'photos',
  inbox: 'inbox',
  trash: 'trash',
  pools: 'pools',
  duplicates: 'duplicates',
  tags: 'tags',
  'keep/import': 'import',
  'keep/users': 'users',
  'keep/audit': 'audit',
  settings: 'settings',
  about: 'about',
} as const

/** A screen's name; with a file open, it is the one below. */
export type ScreenName = (typeof SCREENS)[keyof typeof SCREENS]

/** Where to go. What is left out of it stays as it is; null takes it away. */
export interface Destination {
  path?: string
  listing?: { [Key in keyof Listing]?: Listing[Key] | undefined } | null
  /** The id of the file that is in view. */
  at?: string | null
}

type Place = Pick<URL, 'pathname' | 'searchParams'>

/** Returns the screen of an address; undefined where there is none. */
export function screenOf({ pathname, searchParams }: Place): ScreenName | undefined {
  const [, first, second] = pathname.split('/')
  const word = first === 'keep' ? `keep/${second}` : first!
  if (word === 'f' && searchParams.get('trash') === 'true') return 'trash'
  if (word === 'f' && searchParams.get('pool')) return 'pools'
  return Object.hasOwn(SCREENS, word) ? SCREENS[word as keyof typeof SCREENS] : undefined
}

/** Returns the id of the file that is open, at `/f/<id>`; null when none is. */
export function openFileOf({ pathname }: Place): string | null {
  return /^\/f\/([^/]+)$/.exec(pathname)?.[1] ?? null
}

/** Returns the listing of an address. In the trash, and there only, it is one of the trash; so in pools. */
export function listingOf(address: Place, order: Order): Listing {
  const { pathname, searchParams } = address
  const query = new URLSearchParams(searchParams)
  if (!pathname.startsWith('/f/')) query.set('pool', /^\/pools\/([^/]+)$/.exec(pathname)?.[1] ?? '')
  const { trash: _, ...read } = readListing(query, order)
  return screenOf(address) === 'trash' ? { ...read, trash: true } : read
}

/** Returns the address of a destination, as path and query, when one is at another address. */
export function hrefFrom(address: Place, destination: Destination, order: Order): string {
  const path = destination.path ?? address.pathname
  const kept =
    destination.listing === null ? null : { ...listingOf(address, order), ...destination.listing }
  const query = kept ? writeListing({ ...kept, trash: false }, order) : new URLSearchParams()
  // A path of its own says so; a file may be open above either.
  if (!path.startsWith('/f/')) query.delete('pool')
  else if (kept?.trash) query.set('trash', 'true')
  const place = destination.at === undefined ? address.searchParams.get('at') : destination.at
  if (place !== null) query.set('at', place)
  const text = String(query)
  return text === '' ? path : `${path}?${text}`
}
