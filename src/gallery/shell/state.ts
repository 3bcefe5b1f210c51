import { signal } from '@preact/signals'

/** The sheet that the shell shows above the screen: all keys or, on phones, tags or order. */
export const sheet = signal<'keys' | 'tags' | 'order' | null>(null)

/** The grid's listing in words; undefined until these are loaded. */
export const heading = signal<string | undefined>(undefined)
