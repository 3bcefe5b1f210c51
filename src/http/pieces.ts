import type { Context } from 'hono'
import type { Log } from '../log.ts'
import { cutOff } from './cut-off.ts'
import type { AppEnv } from './env.ts'

/** How long a client may take nothing, in milliseconds. */
const STALL_LIMIT = 30_000

/**
 * Returns the body of an answer that is made piece by piece, as the client takes it. `source` is begun
 * at once, and ended when the client hangs up; when it takes nothing for `stallLimit` milliseconds, or
 * the source fails, its connection is cut, and in all three cases `onGone` is called before.
 */
export function pieces(
  c: Context<AppEnv>,
  log: Log,
  source: AsyncGenerator<string> | Generator<string>,
  { stallLimit = STALL_LIMIT, onGone = () => {} } = {},
): ReadableStream<Uint8Array> {
  const { request_id } = c.var
  const encoder = new TextEncoder()
  // Nobody may ever read, and a generator that has not begun lets go of nothing that it was given.
  let begun: Promise<IteratorResult<string>> | undefined = (async () => source.next())()
  begun.catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  const end = () => {
    clearTimeout(timer)
    c.env?.watchIdle?.()
  }
  const abandon = async () => {
    if (isGone) return
    isGone = true
    end()
    onGone()
    try {
      await source.return(undefined)
    } catch (error) {
      log.error('the answer failed', { request_id, error })
    }
  }
  const giveUp = (body: ReadableStreamDefaultController<Uint8Array>) => {
    void abandon()
    cutOff(c, body, new Error('The client takes nothing'))
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
          if (isGone) return
          if (next.done) {
            end()
            body.close()
            return
          }
          body.enqueue(encoder.encode(next.value))
          timer = setTimeout(giveUp, stallLimit, body)
        } catch (error) {
          log.error('the answer failed', { request_id, error })
          isGone = true
          end()
          onGone()
          cutOff(c, body, new Error('The answer failed'))
        }
      },
      cancel: abandon,
    },
    // Nothing is made ahead of the client.
    { highWaterMark: 0 },
  )
}
