import { signal } from '@preact/signals'

/** The id of the file whose past is asked for; null when none is. The shell shows it. */
export const historyOf = signal<string | null>(null)
