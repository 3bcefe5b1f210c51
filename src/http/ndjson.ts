import type { Context } from 'hono'
import type { Log } from '../log.ts'
import type { AppEnv } from './env.ts'
import { pieces } from './pieces.ts'

/**
 * Answers a stream of events, one JSON object a line, each sent as it comes. `events` is given a
 * signal that is aborted when the client hangs up or, for `stallLimit` milliseconds, takes no line.
 */
export function ndjson(
  c: Context<AppEnv>,
  log: Log,
  events: (signal: AbortSignal) => AsyncIterable<object>,
  stallLimit?: number,
): Response {
  c.header('Content-Type', 'application/x-ndjson')
  // A proxy that collects lines would hide the progress.
  c.header('X-Accel-Buffering', 'no')
  const gone = new AbortController()
  async function* lines() {
    for await (const event of events(gone.signal)) yield `${JSON.stringify(event)}\n`
  }
  return c.body(pieces(c, log, lines(), { stallLimit, onGone: () => gone.abort() }))
}
