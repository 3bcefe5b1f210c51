import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'

type Page = Schemas['SharedPage']
/** A file as the link shows it. */
export type Shared = Page['items'][number]

/** How many files are asked for at first, so that they come quickly, and later. */
const LIMITS = { first: 200, next: 1000 }

/** The address of the link, below which everything is that it shows. */
const LINK = globalThis.location?.pathname ?? ''

/** What is known of the link: nothing yet, that it asks for a password, shows nothing, or can't be reached. */
export const state = signal<'loading' | 'password' | 'gone' | 'lost' | 'open'>('loading')
/** What the link says of itself; null until it is open. */
export const about = signal<Omit<Page, 'items'> | null>(null)
/** The files that are loaded. */
export const files = signal<Shared[]>([])
/** Whether the next files were asked for in vain. */
export const isStuck = signal(false)

/** Returns the address of a part of the link, such as `archive`. */
export function addressOf(part: string): string {
  return `${LINK}/${part}`
}

/** Returns the address of a picture, a film, or what may be saved of a file. */
export function mediaOf(
  id: string,
  kind: 'thumbnail' | 'thumbnail?size=640' | 'preview' | 'film' | 'content',
): string {
  return addressOf(`f/${id}/${kind}`)
}

/** Reads the first files, or notes why they can't be read. */
export async function open(): Promise<void> {
  state.value = 'loading'
  const page = await read(`limit=${LIMITS.first}`)
  if (page) add(page, [])
}

let loading: Promise<void> | undefined

/** Reads the next files, if there are more. */
export function more(): Promise<void> {
  loading ??= readMore().finally(() => {
    loading = undefined
  })
  return loading
}

async function readMore(): Promise<void> {
  const cursor = about.peek()?.next_cursor
  if (!cursor) return
  const page = await read(`limit=${LIMITS.next}&cursor=${encodeURIComponent(cursor)}`)
  isStuck.value = page === null
  if (page) add(page, files.peek())
}

function add({ items, ...page }: Page, before: Shared[]): void {
  const known = new Set(before.map(({ id }) => id))
  about.value = page
  files.value = [...before, ...items.filter(({ id }) => !known.has(id))]
  state.value = 'open'
}

async function read(query: string): Promise<Page | null> {
  const answer = await fetch(addressOf(`list?${query}`)).catch(() => null)
  // The connection may break in the middle.
  const page = answer?.ok ? await answer.json().catch(() => null) : null
  if (page) return page
  const states = { 401: 'password', 404: 'gone' } as const
  // What is there stays.
  const otherwise = about.peek() ? 'open' : 'lost'
  state.value = states[answer?.status as keyof typeof states] ?? otherwise
  return null
}

/** What has to be said with each request that changes something. */
export const HEADERS = { 'X-Tagstead': '1' }

/** Sends the password of the link; returns the status of the answer, 0 if there was none. */
export async function sendPassword(password: string): Promise<number> {
  const headers = { ...HEADERS, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ password })
  const answer = await fetch(addressOf('password'), { method: 'POST', headers, body }).catch(
    () => null,
  )
  return answer?.status ?? 0
}

/** The id of the file that is looked at, which the address names; null for none. */
export const looked = signal<string | null>(named())

function named(): string | null {
  return globalThis.location?.hash.slice(1) || null
}

/** Whether the browser's back leads from the file to all files. */
let isOpenedHere = false

/** Follows the browser's back and forward, and clicks on files. */
export function watchAddress(): void {
  addEventListener('hashchange', () => {
    isOpenedHere = looked.peek() === null
    looked.value = named()
  })
}

/** Looks at a file instead of the one before, or at all of them. */
export function look(id: string | null): void {
  if (id === null && isOpenedHere) {
    history.back()
    return
  }
  const { pathname } = location
  const href = id === null ? pathname : `${pathname}#${id}`
  if (id !== null && looked.peek() === null) {
    isOpenedHere = true
    history.pushState(null, '', href)
  } else {
    history.replaceState(null, '', href)
  }
  looked.value = id
}
