import { signal } from '@preact/signals'

/** The id of the file whose history the shell shows; null for none. */
export const historyOf = signal<string | null>(null)
