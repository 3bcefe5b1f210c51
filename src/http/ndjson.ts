import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { AppEnv } from '../context.ts'

/**
 * Answers a stream of events, one JSON object a line, each sent as it comes. `events` is given a
 * signal that is aborted when the client hangs up.
 */
export function ndjson(
  c: Context<AppEnv>,
  events: (signal: AbortSignal) => AsyncIterable<object>,
): Response {
  c.header('Content-Type', 'application/x-ndjson')
  // A proxy that collects lines would hide the progress.
  c.header('X-Accel-Buffering', 'no')
  return stream(c, async (output) => {
    const gone = new AbortController()
    output.onAbort(() => gone.abort())
    for await (const event of events(gone.signal)) await output.write(`${JSON.stringify(event)}\n`)
  })
}
