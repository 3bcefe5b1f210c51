import { z } from 'zod'
import type { Tier } from '../memory.ts'
import type { Failure } from '../outcome.ts'

// What the server and a child tell each other, a line each way at a time.

/** Characters of what goes wrong. */
const MAX_WORDS = 2000

/**
 * The kind of the child, and milliseconds of processor time: what earlier jobs for the same file have taken,
 * and what it may take in all, if that doesn't depend on the file.
 */
export interface Allowed {
  tier: Tier
  spent: number
  limit: number | undefined
}

/**
 * What the child says about a job. `waiting` and the milliseconds of processor time that its file may take,
 * as far as is known by now, leave it under way; anything else ends it, and may tell how many of them its
 * programs took.
 */
export type Message =
  | { id: number; waiting: boolean }
  | { id: number; limit: number }
  | Ended
  | { id: number; error: { message: string; code?: string } }

/** What the child says at the end of a job that was done, or could not be. */
export type Ended = { id: number; programs?: number } & ({ result: unknown } | Failure)

/**
 * What it says of itself; `slowness` is how many times as long as where limits were chosen it needs, `opened`
 * what it could open that is not for it.
 */
export type Signal = { ready: true; slowness: number; opened: string[] } | { pong: true }

/** What it has taken when it says something: milliseconds of processor time, and bytes of memory now. */
export interface Taken {
  cpu: number
  rss: number
}

/** All that a child says. */
type Said = (Message | Signal) & Taken

const amount = z.number().min(0)
/** It goes into the log, and no further. */
const words = z.string().transform((text) => text.slice(0, MAX_WORDS))
const taken = { cpu: amount, rss: amount }
const ended = { ...taken, id: z.int(), programs: amount.optional() }

const Said: z.ZodType<Said> = z.union([
  z.object({ ...taken, ready: z.literal(true), slowness: amount, opened: z.array(words).max(100) }),
  z.object({ ...taken, pong: z.literal(true) }),
  z.object({ ...taken, id: z.int(), waiting: z.boolean() }),
  z.object({ ...taken, id: z.int(), limit: amount }),
  z.object({ ...taken, id: z.int(), error: z.object({ message: words, code: words.optional() }) }),
  z.object({ ...ended, failed: words }),
  z.object({ ...ended, exceeded: words }),
  z.object({ ...ended, starved: words }),
  z.object({ ...ended, refused: words }),
  // What is asked for tells what it has to be.
  z.object({ ...ended, result: z.unknown().refine((result) => result !== undefined) }),
])

/** Returns what a child says in a line, or null for what isn't said as it should be. */
export function parseSaid(line: string): Said | null {
  try {
    return Said.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
