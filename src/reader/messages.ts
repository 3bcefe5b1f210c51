import type { AppError } from '../base/errors.ts'

// The messages between a server and its readers: a line of JSON each.

/** The name of a question, and its input. */
export interface Asked {
  name: string
  given: unknown
}

/** The first line of a reader: it is ready, or says why it can't read the library. */
export type Begun = { ready: true } | { ready: false; why: string }

/** An answer, an AppError for the caller, or a description of what went wrong. */
export type Answer =
  | { answer: unknown }
  | { error: Pick<AppError, 'code' | 'message' | 'details' | 'headers'> }
  | { failed: string }
