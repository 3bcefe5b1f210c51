import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { AppEnv, Log } from '../context.ts'

/** How long a client may take no line, in milliseconds. */
const STALL_LIMIT = 30_000

/**
 * Answers a stream of events, one JSON object a line, each sent as it comes. `events` is given a
 * signal that is aborted when the client hangs up or stops reading.
 */
export function ndjson(
  c: Context<AppEnv>,
  log: Log,
  events: (signal: AbortSignal) => AsyncIterable<object>,
): Response {
  c.header('Content-Type', 'application/x-ndjson')
  // A proxy that collects lines would hide the progress.
  c.header('X-Accel-Buffering', 'no')
  const { request_id } = c.var
  return stream(
    c,
    async (output) => {
      const gone = new AbortController()
      const left = new Promise<void>((resolve) => {
        gone.signal.addEventListener('abort', () => resolve())
      })
      output.onAbort(() => gone.abort())
      for await (const event of events(gone.signal)) {
        const timer = setTimeout(() => gone.abort(), STALL_LIMIT)
        await Promise.race([output.write(`${JSON.stringify(event)}\n`), left])
        clearTimeout(timer)
        if (gone.signal.aborted) return
      }
    },
    async (error) => log.error('the stream failed', { request_id, error }),
  )
}
