import type { Context } from 'hono'
import type { AppEnv, Log } from '../context.ts'
import { cutOff } from './cut-off.ts'

/** How long a client may take no line, in milliseconds. */
const STALL_LIMIT = 30_000

/**
 * Answers a stream of events, one JSON object a line, each sent as it comes. `events` is begun at
 * once, and given a signal that is aborted when the client hangs up or takes no line for `stallLimit`
 * milliseconds; then its connection is cut.
 */
export function ndjson(
  c: Context<AppEnv>,
  log: Log,
  events: (signal: AbortSignal) => AsyncGenerator<object>,
  stallLimit = STALL_LIMIT,
): Response {
  c.header('Content-Type', 'application/x-ndjson')
  // A proxy that collects lines would hide the progress.
  c.header('X-Accel-Buffering', 'no')
  return c.body(lines(c, log, events, stallLimit))
}

function lines(
  c: Context<AppEnv>,
  log: Log,
  events: (signal: AbortSignal) => AsyncGenerator<object>,
  stallLimit: number,
): ReadableStream<Uint8Array> {
  const { request_id } = c.var
  const encoder = new TextEncoder()
  const gone = new AbortController()
  const source = events(gone.signal)
  // Nobody may ever read, and a generator that has not begun lets go of nothing that it was given.
  let begun: ReturnType<typeof source.next> | undefined = source.next()
  begun.catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    c.env?.watchIdle?.()
  }
  const abandon = async () => {
    end()
    gone.abort()
    await source.return(undefined).catch((error) => {
      log.error('the stream failed', { request_id, error })
    })
  }
  return new ReadableStream<Uint8Array>(
    {
      start(body) {
        timer = setTimeout(giveUp, stallLimit, body)
      },
      async pull(body) {
        clearTimeout(timer)
        try {
          const next = await (begun ?? source.next())
          begun = undefined
          if (gone.signal.aborted) return
          if (next.done) {
            end()
            body.close()
            return
          }
          body.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
          timer = setTimeout(giveUp, stallLimit, body)
        } catch (error) {
          log.error('the stream failed', { request_id, error })
          end()
          cutOff(c, body, new Error('The stream failed'))
        }
      },
      cancel: abandon,
    },
    // Nothing is made ahead of the client.
    { highWaterMark: 0 },
  )

  function giveUp(body: ReadableStreamDefaultController<Uint8Array>) {
    void abandon()
    cutOff(c, body, new Error('The client takes nothing'))
  }
}
