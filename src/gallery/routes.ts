import { computed, signal } from '@preact/signals'
import { type Destination, hrefFrom, listingOf, openFileOf, screenOf } from './base/address.ts'
import { FAVOURITES, type Listing } from './base/listing.ts'
import { order } from './base/preferences.ts'

const address = signal(new URL(globalThis.location?.href ?? 'http://localhost/'))

/** Whether the page was opened for what another app shares; the address then forgets it. */
export const isForShared = address.peek().search === '?shared'

/** The screen of the address; undefined if there is none. */
export const screen = computed(() => screenOf(address.value))

/** The id of the file that is open, at `/f/<id>`; null if none is. */
export const openFile = computed(() => openFileOf(address.value))

// As text first: an equal listing stays the same object, and loads nothing again.
const listingText = computed(() => JSON.stringify(listingOf(address.value, order.value)))

/** The listing of the address; on the trash's screen, that of the trash. */
export const listing = computed<Listing>(() => JSON.parse(listingText.value))

/** Whether the favourites are shown, which are photos with a filter. */
export const areFavourites = computed(
  () => screen.value === 'photos' && listing.value.filter === FAVOURITES,
)

/** The query of the address, on screens without files. */
export const query = computed(() => address.value.searchParams)

/** The id of the file that the grid shows or scrolls to; null at its beginning. */
export const at = computed(() => address.value.searchParams.get('at'))

/** Returns the address of a destination, for `href`. */
export function hrefOf(destination: Destination): string {
  return hrefFrom(address.value, destination, order.value)
}

/** Goes to a destination, or to an address of the page; the browser's back returns from there. */
export function go(destination: Destination | string): void {
  move('pushState', destination)
}

/** Goes to a destination, and replaces the current entry of the browser's history. */
export function replace(destination: Destination | string): void {
  move('replaceState', destination)
}

/** The state of an entry of the history with a file that was opened from the entry before. */
export const ABOVE = 'above'
/** The same, if the file is shown among other files than those of the entry before. */
export const APART = 'apart'

function move(how: 'pushState' | 'replaceState', destination: Destination | string): void {
  const href = typeof destination === 'string' ? destination : hrefOf(destination)
  if (href === address.peek().pathname + address.peek().search) return
  const next = new URL(href, location.href)
  history[how](how === 'pushState' ? stateOf(next) : history.state, '', href)
  address.value = next
}

/** Says whether a file is opened from its screen, and from its listing. */
function stateOf(next: URL): string | null {
  const isOpened = openFile.peek() === null && openFileOf(next) !== null
  if (!isOpened || screenOf(next) !== screen.peek()) return null
  const isListed = JSON.stringify(listingOf(next, order.peek())) === listingText.peek()
  return isListed ? ABOVE : APART
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

/** Whether a click opens a screen in this tab. */
function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain = event.button === 0 && !event.defaultPrevented
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  const isElsewhere = link.target !== '' || link.hasAttribute('download')
  return (
    isPlain &&
    !hasModifier &&
    !isElsewhere &&
    link.origin === location.origin &&
    screenOf(new URL(link.href)) !== undefined
  )
}
