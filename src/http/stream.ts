import type { Context } from 'hono'
import type { AppEnv } from './env.ts'

/** How long a client may take nothing, or send nothing, in milliseconds. */
export const STALL_LIMIT = 30_000

/** A part of an answer, made when the client has taken the one before. */
type Piece = string | Uint8Array<ArrayBuffer>

/**
 * Returns the body of an answer that is made piece by piece, as the client takes it. `source` is begun
 * at once, and ended when the client hangs up; when it takes nothing for `stallLimit` milliseconds, or
 * the source fails, its connection is cut, and in all three cases `onGone` is called before.
 */
export function stream(
  c: Context<AppEnv>,
  source: AsyncGenerator<Piece> | Generator<Piece>,
  { stallLimit = STALL_LIMIT, onGone = () => {} } = {},
): ReadableStream<Uint8Array> {
  const { log, request_id } = c.var
  const encoder = new TextEncoder()
  // Nobody may ever read, and a generator that has not begun lets go of nothing that it was given.
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
  // Nothing is made ahead of the client.
  return new ReadableStream({ start: watch, pull, cancel: abandon }, { highWaterMark: 0 })
}

type Body = ReadableStreamDefaultController<Uint8Array>

/**
 * Ends an answer that does not come to its end, so that nobody takes what there is of it for the
 * whole: the client sees a broken connection.
 */
function cutOff(c: Context<AppEnv>, body: Body, reason: Error): void {
  // Node's adapter writes an error of the stream with its stack on the console.
  if (c.env?.outgoing) c.env.outgoing.destroy()
  else body.error(reason)
}

/**
 * Answers a stream of events, one JSON object a line, each sent as it comes. `events` is given a
 * signal that is aborted when the client hangs up or, for `stallLimit` milliseconds, takes no line.
 */
export function ndjson(
  c: Context<AppEnv>,
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
  return c.body(stream(c, lines(), { stallLimit, onGone: () => gone.abort() }))
}
