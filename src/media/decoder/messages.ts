import { z } from 'zod'
import type { Tier } from '../memory.ts'
import type { Failure } from '../outcome.ts'

// What the server and a child send each other, one line each way at a time.

// Characters of an error message.
const MAX_WORDS = 2000

/**
 * The tier of the child, and milliseconds of processor time: what earlier jobs for the same file have taken, and what
 * it may take in all, if that doesn't depend on the file.
 */
export interface Allowed {
  tier: Tier
  spent: number
  limit: number | undefined
}

/**
 * What the child says about a job. `waiting` and the milliseconds of processor time that its file may take, as far as
 * it can say by now, leave the job under way; anything else ends it, and may say how many milliseconds its programs
 * took.
 */
export type Message =
  | { id: number; waiting: boolean }
  | { id: number; limit: number }
  | Ended
  | { id: number; error: { message: string; code?: string } }

/** What the child says at the end of a job that was done, or could not be. */
export type Ended = { id: number; programs?: number } & ({ result: unknown } | Failure)

/**
 * What a child says of itself: `slowness` is the factor by which it takes longer than the machine where the limits were
 * chosen, `opened` what it could open although it must not.
 */
export type Signal = { ready: true; slowness: number; opened: string[] } | { pong: true }

/** What the child has taken by this message: milliseconds of processor time, and bytes of memory now. */
export interface Taken {
  cpu: number
  rss: number
}

type Said = (Message | Signal) & Taken

const amount = z.number().min(0)
// Goes into the log, and no further.
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
  // The shape of the result depends on the request, and is checked later.
  z.object({ ...ended, result: z.unknown().refine((result) => result !== undefined) }),
])

/** Returns what a child says in a line, or null when the line is not valid. */
export function parseSaid(line: string): Said | null {
  try {
    return Said.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
