import type { Tier } from '../memory.ts'
import type { Failure } from '../outcome.ts'

// What the server and a child tell each other, a line each way at a time.

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

/** Returns what a child says in a line, or null for what isn't said as it should be. */
export function parseSaid(line: string): Said | null {
  try {
    const value: unknown = JSON.parse(line)
    return isSaid(value) ? value : null
  } catch {
    return null
  }
}

function isSaid(value: unknown): value is Said {
  if (typeof value !== 'object' || value === null) return false
  const { cpu, rss, ready, slowness, opened, error } = value as Record<string, unknown>
  if (typeof cpu !== 'number' || typeof rss !== 'number' || error === null) return false
  if (error !== undefined && typeof error !== 'object') return false
  return ready === undefined || (typeof slowness === 'number' && Array.isArray(opened))
}
