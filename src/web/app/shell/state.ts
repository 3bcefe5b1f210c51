import { signal } from '@preact/signals'

/** What is open above the screen by the shell itself: all keys, or, on phones, the tags. */
export const sheet = signal<'keys' | 'tags' | null>(null)

/** What the grid shows, in words; undefined before they are there. */
export const heading = signal<string | undefined>(undefined)
