import { effect, type Signal, signal } from '@preact/signals'
import type { Order } from './listing.ts'

/**
 * Creates a signal whose value this browser stores under a key. `read` parses the stored text, and gets
 * null if nothing is stored.
 */
export function stored<Value extends string>(
  key: string,
  read: (text: string | null) => Value,
): Signal<Value> {
  const chosen = signal(read(recall(key)))
  const first = chosen.peek()
  effect(() => {
    // Nothing is stored until the user chooses, so that defaults may follow the system's.
    if (chosen.value !== first || recall(key) !== null) store(key, chosen.value)
  })
  return chosen
}

function recall(key: string): string | null {
  // A browser that may store nothing throws.
  try {
    return globalThis.localStorage?.getItem(`tagstead-${key}`) ?? null
  } catch {
    return null
  }
}

function store(key: string, text: string): void {
  try {
    globalThis.localStorage?.setItem(`tagstead-${key}`, text)
  } catch {
    // The value is lost with the tab.
  }
}

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
/** From many small pictures to few large ones. */
export const DENSITIES = ['dense', 'medium', 'airy'] as const
export type Density = (typeof DENSITIES)[number]

export const ORDERS: readonly Order[] = ['desc', 'asc']
export const SWITCH = ['on', 'off'] as const

function oneOf<Value extends string>(values: readonly Value[], otherwise: Value) {
  return (text: string | null) => values.find((value) => value === text) ?? otherwise
}

/** Light, dark, or the system's. */
export const theme = stored<Theme>('theme', oneOf(THEMES, 'system'))
/** How large the pictures of the grid are. */
export const density = stored<Density>('density', oneOf(DENSITIES, 'medium'))
/** The order of the library where the address has none: the newest first, or last. */
export const order = stored<Order>('order', oneOf(ORDERS, 'desc'))
/** Whether Photos shows a series as one tile. */
export const stacks = stored<(typeof SWITCH)[number]>('series', oneOf(SWITCH, 'on'))
/** Whether keys without Ctrl have a function. */
export const singleKeys = stored<(typeof SWITCH)[number]>('keys', oneOf(SWITCH, 'on'))
/** The id of the tag that a single key adds and removes; '' before it is chosen. */
export const keyTag = stored<string>('key-tag', (text) => text ?? '')

export const SEERS = ['everybody', 'me'] as const
type Seers = (typeof SEERS)[number]
/** Who may see the tags and categories that the user creates. */
export const newTags = stored<Seers>('new-tags', oneOf(SEERS, 'everybody'))
/** `done` once the user has been asked whether to open their older tags to everybody. */
export const tagsOffered = stored<string>('tags-offered', (text) => text ?? '')

/** The day on which the user has closed what was taken on this day, such as 2026-07-14. */
export const dayClosed = stored<string>('day-closed', (text) => text ?? '')

/** The state of the introduction: '' before it, `open` and the steps that were skipped, `done`. */
export const firstHour = stored<string>('first-hour', (text) => text ?? '')

/** Sets the attribute that the styles read the theme from. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })
}
