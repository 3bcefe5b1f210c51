import { computed, signal } from '@preact/signals'
import { type Listing, readListing, writeListing } from './base/listing.ts'
import { order } from './base/preferences.ts'

/** The screens, by the first word of their path. */
const SCREENS = {
  '': 'photos',
  f: 'photos',
  inbox: 'inbox',
  trash: 'trash',
  pools: 'pools',
  duplicates: 'duplicates',
  tags: 'tags',
  keep: 'keep',
  settings: 'settings',
  about: 'about',
} as const

/** A screen's name; with a file open, the photos are below it. */
export type ScreenName = (typeof SCREENS)[keyof typeof SCREENS]

/** Where to go. What is left out of it stays as it is; null takes it away. */
interface Target {
  path?: string
  listing?: Partial<Listing> | null
  /** The id of the file that is in view. */
  at?: string | null
}

const address = signal(new URL(globalThis.location?.href ?? 'http://localhost/'))

/** The path of the address. */
const path = computed(() => address.value.pathname)

/** The screen of the address; undefined where there is none. */
export const screen = computed<ScreenName | undefined>(() => {
  const word = path.value.split('/')[1]!
  return Object.hasOwn(SCREENS, word) ? SCREENS[word as keyof typeof SCREENS] : undefined
})

/** The id of the file that is open, at `/f/<id>`; null when none is. */
export const openFile = computed(() => /^\/f\/([^/]+)$/.exec(path.value)?.[1] ?? null)

// As text first: a listing that says the same is the same object, and loads nothing anew.
const listingText = computed(() =>
  String(writeListing(readListing(address.value.searchParams, order.value), order.value)),
)

/** The listing of the address. In the trash, it is one of the trash. */
export const listing = computed<Listing>(() => {
  const read = readListing(new URLSearchParams(listingText.value), order.value)
  return screen.value === 'trash' ? { ...read, trash: true } : read
})

/** The id of the file that the grid shows, or is to go to; null at its beginning. */
export const at = computed(() => address.value.searchParams.get('at'))

/** Returns the address of a target, for `href`. */
export function hrefOf(target: Target): string {
  const next = new URL(address.value)
  if (target.path !== undefined) next.pathname = target.path
  const kept = target.listing === null ? undefined : { ...listing.value, ...target.listing }
  const query = kept ? writeListing(kept, order.value) : new URLSearchParams()
  if (next.pathname === '/trash') query.delete('trash')
  const place = target.at === undefined ? at.value : target.at
  if (place !== null) query.set('at', place)
  next.search = String(query)
  return next.pathname + next.search
}

/** Goes to a target, or to an address of ours; the browser's back returns from there. */
export function go(target: Target | string): void {
  move('pushState', target)
}

/** Goes to a target without leaving a trace of where it was. */
export function replace(target: Target | string): void {
  move('replaceState', target)
}

function move(how: 'pushState' | 'replaceState', target: Target | string): void {
  const href = typeof target === 'string' ? target : hrefOf(target)
  if (href === address.peek().pathname + address.peek().search) return
  history[how](null, '', href)
  address.value = new URL(location.href)
}

/** Follows the browser's back and forward, and clicks on links to screens. */
export function watchAddress(): void {
  addEventListener('popstate', () => {
    address.value = new URL(location.href)
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    if (!link || !isOurs(event, link)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}

/** Whether a click is to open a screen in this tab. */
function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain = event.button === 0 && !event.defaultPrevented
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  const isElsewhere = link.target !== '' || link.hasAttribute('download')
  return (
    isPlain &&
    !hasModifier &&
    !isElsewhere &&
    link.origin === location.origin &&
    Object.hasOwn(SCREENS, link.pathname.split('/')[1]!)
  )
}
