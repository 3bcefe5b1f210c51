import type { Context } from 'hono'
import { createPace, type PaceLimit, SLOWEST } from './clients/pace.ts'
import type { AppEnv } from './env.ts'

type Piece = string | Uint8Array<ArrayBuffer>

// The most bytes that a possibly slow client gets at once: its progress shows only when the connection has taken all
// that it was given.
const FIRST_PART = 16 * 1024
const LARGEST_PART = 512 * 1024
// A client that takes a part within this many milliseconds gets up to twice as much next.
const QUICK = 250
const ENCODER = new TextEncoder()

/**
 * Returns the body of an answer that is made piece by piece, as the client takes it. `source` is started at once, and
 * ended when the client hangs up. When the client is slower than `pace`, or the source fails, the connection is cut. In
 * all three cases, `onGone` is called first.
 */
export function stream(
  c: Context<AppEnv>,
  source: AsyncGenerator<Piece> | Generator<Piece>,
  { pace: limit = SLOWEST, onGone = () => {} } = {},
): ReadableStream<Uint8Array> {
  const { log, request_id } = c.var
  const tellSent = promiseSent(c)
  const parts = createParts(limit)
  const next = startAtOnce(source)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const end = () => {
    isOver = true
    clearTimeout(timer)
    c.env?.watchIdle?.()
    tellSent()
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
      cutOff(c, body, new Error('The client takes too little'))
    }, parts.patience())
  }
  const give = (body: Body, bytes: Uint8Array) => {
    body.enqueue(parts.next(bytes))
    watch(body)
  }
  const pull = async (body: Body) => {
    clearTimeout(timer)
    const rest = parts.taken()
    if (rest) return give(body, rest)
    try {
      const { done, value } = await next()
      if (isOver) return
      if (done) {
        end()
        return body.close()
      }
      give(body, typeof value === 'string' ? ENCODER.encode(value) : value)
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

// The body may never be read, and a generator that has not started can't release what it holds.
function startAtOnce(source: AsyncGenerator<Piece> | Generator<Piece>) {
  let begun: Promise<IteratorResult<Piece>> | undefined = (async () => source.next())()
  begun.catch(() => {})
  return () => {
    const next = begun ?? source.next()
    begun = undefined
    return next
  }
}

// Lets others wait until the answer is sent; returns what says that it is.
function promiseSent(c: Context<AppEnv>): () => void {
  let tellSent = () => {}
  const sent = new Promise<void>((resolve) => {
    tellSent = resolve
  })
  c.set('sent', sent)
  return tellSent
}

// Divides what is sent into parts that suit the client.
function createParts(limit: PaceLimit) {
  const pace = createPace(limit)
  let rest: Uint8Array | undefined
  let given = { at: performance.now(), bytes: 0 }
  let most = FIRST_PART
  return {
    /** Milliseconds that the client has for the part that it was given. */
    patience: () => pace.left(),
    /** Returns the beginning of the bytes. */
    next(bytes: Uint8Array): Uint8Array {
      const part = bytes.subarray(0, most)
      rest = part.length < bytes.length ? bytes.subarray(most) : undefined
      given = { at: performance.now(), bytes: part.length }
      return part
    },
    /** Notes that the client has taken the part; returns what is left of the bytes. */
    taken(): Uint8Array | undefined {
      const waited = performance.now() - given.at
      pace.moved(waited, given.bytes)
      most = waited < QUICK ? Math.min(most * 2, LARGEST_PART) : FIRST_PART
      return rest
    },
  }
}

// Breaks the connection, so that a client doesn't mistake an incomplete answer for the whole.
function cutOff(c: Context<AppEnv>, body: Body, reason: Error): void {
  // Node's adapter would print an error of the stream, with its stack, on the console.
  if (c.env?.outgoing) c.env.outgoing.destroy()
  else body.error(reason)
}

/**
 * Answers with a stream of events, one JSON object per line, each sent as it comes. `events` gets a signal that is
 * aborted when the client hangs up or is slower than `pace`.
 */
export function ndjson(
  c: Context<AppEnv>,
  events: (signal: AbortSignal) => AsyncIterable<object>,
  pace?: PaceLimit,
): Response {
  c.header('Content-Type', 'application/x-ndjson')
  // A proxy that buffers lines would hide the progress.
  c.header('X-Accel-Buffering', 'no')
  const gone = new AbortController()
  async function* lines() {
    for await (const event of events(gone.signal)) yield `${JSON.stringify(event)}\n`
  }
  return c.body(stream(c, lines(), { pace, onGone: () => gone.abort() }))
}
