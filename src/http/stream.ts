import type { Context } from 'hono'
import type { AppEnv } from './env.ts'

/** How long a client may take nothing or send nothing, in milliseconds. */
export const STALL_LIMIT = 30_000

/** A part of an answer, made when the client has taken the previous one. */
type Piece = string | Uint8Array<ArrayBuffer>

/**
 * Returns the body of an answer that is made piece by piece, as the client takes it. `source` is
 * started at once, and ended when the client hangs up. When the client takes nothing for
 * `stallLimit` milliseconds, or the source fails, the connection is cut. In all three cases,
 * `onGone` is called first.
 */
export function stream(
  c: Context<AppEnv>,
  source: AsyncGenerator<Piece> | Generator<Piece>,
  { stallLimit = STALL_LIMIT, onGone = () => {} } = {},
): ReadableStream<Uint8Array> {
  const { log, request_id } = c.var
  const encoder = new TextEncoder()
  // The body may never be read, and a generator that has not started can't release what it holds.
  let begun: Promise<IteratorResult<Piece>> | undefined = (async () => source.next())()
  begun.catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const end = () => {
    isOver = true
    clearTimeout(timer)
    c.env?.watchIdle?.()
  }
  const tell = (error: unknown) => log.error('the answer failed', { request_id, error })
  const abandon = async () => {
    if (isOver) return
    end()
    onGone()
    try {
      await source.return(undefined)
    } catch (error) {
      tell(error)
    }
  }
  const watch = (body: Body) => {
    timer = setTimeout(() => {
      void abandon()
      cutOff(c, body, new Error('The client takes nothing'))
    }, stallLimit)
  }
  const pull = async (body: Body) => {
    clearTimeout(timer)
    try {
      const { done, value } = await (begun ?? source.next())
      begun = undefined
      if (isOver) return
      if (done) {
        end()
        body.close()
        return
      }
      body.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      watch(body)
    } catch (error) {
      tell(error)
      end()
      onGone()
      cutOff(c, body, new Error('The answer failed'))
    }
  }
  // Nothing is made before the client asks for it.
  return new ReadableStream({ start: watch, pull, cancel: abandon }, { highWaterMark: 0 })
}

type Body = ReadableStreamDefaultController<Uint8Array>

/**
 * Breaks the connection of an answer that can't be completed, so that nobody mistakes what has
 * been sent for the whole.
 */
function cutOff(c: Context<AppEnv>, body: Body, reason: Error): void {
  // Node's adapter would print an error of the stream, with its stack, on the console.
  if (c.env?.outgoing) c.env.outgoing.destroy()
  else body.error(reason)
}

/**
 * Answers with a stream of events, one JSON object per line, each sent as it comes. `events` gets a
 * signal that is aborted when the client hangs up or takes no line for `stallLimit` milliseconds.
 */
export function ndjson(
  c: Context<AppEnv>,
  events: (signal: AbortSignal) => AsyncIterable<object>,
  stallLimit?: number,
): Response {
  c.header('Content-Type', 'application/x-ndjson')
  // A proxy that buffers lines would hide the progress.
  c.header('X-Accel-Buffering', 'no')
  const gone = new AbortController()
  async function* lines() {
    for await (const event of events(gone.signal)) yield `${JSON.stringify(event)}\n`
  }
  return c.body(stream(c, lines(), { stallLimit, onGone: () => gone.abort() }))
}
