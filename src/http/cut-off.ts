import type { Context } from 'hono'
import type { AppEnv } from './env.ts'

/**
 * Ends an answer that does not come to its end, so that nobody takes what there is of it for the
 * whole: the client sees a broken connection.
 */
export function cutOff(
  c: Context<AppEnv>,
  body: ReadableStreamDefaultController<Uint8Array>,
  reason: Error,
): void {
  // Node's adapter writes an error of the stream with its stack on the console.
  if (c.env?.outgoing) c.env.outgoing.destroy()
  else body.error(reason)
}
