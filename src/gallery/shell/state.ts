import { signal } from '@preact/signals'

/** What is open above the screen by the shell itself: all keys, or, on phones, tags or order. */
export const sheet = signal<'keys' | 'tags' | 'order' | null>(null)

/** Whether the file that is opened next begins a slideshow. */
export const isSlideshowWanted = signal(false)

/** What the grid shows, in words; undefined before they are there. */
export const heading = signal<string | undefined>(undefined)
