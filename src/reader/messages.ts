import type { AppError } from '../base/errors.ts'

// What a server and its readers write to each other: a line of JSON each.

/** What is asked, by its name, and what it is given. */
export interface Asked {
  name: string
  given: unknown
}

/** The first line of a reader: it is ready, or says why it can't read the library. */
export type Begun = { ready: true } | { ready: false; why: string }

/** An answer; what a caller is answered with instead; or what went wrong. */
export type Told =
  | { answer: unknown }
  | { error: Pick<AppError, 'code' | 'message' | 'details' | 'headers'> }
  | { failed: string }
