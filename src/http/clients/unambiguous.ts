import type { Context, MiddlewareHandler } from 'hono'
import { invalid } from '../../errors.ts'
import type { AppEnv } from '../env.ts'

/** The headers by which a proxy and a server tell whose a request is, and where it ends. */
const ONCE = ['Host', 'Content-Length']

/**
 * Refuses a request whose head a proxy in front may have understood in another way, because a header
 * is in it twice. Throws a validation error, and the connection ends with the answer.
 */
export const unambiguous: MiddlewareHandler<AppEnv> = async (c, next) => {
  const repeated = ONCE.find((name) => isRepeated(c, name))
  if (repeated) {
    c.header('Connection', 'close')
    throw invalid(repeated, 'must be sent only once')
  }
  await next()
}

/** Node forgets all but the first; Bun joins them by commas. */
function isRepeated(c: Context<AppEnv>, name: string): boolean {
  const sent = c.env?.outgoing?.req.rawHeaders
  if (!sent) return (c.req.header(name) ?? '').includes(',')
  const isName = (text: string, index: number) =>
    index % 2 === 0 && text.toLowerCase() === name.toLowerCase()
  return sent.filter(isName).length > 1
}
