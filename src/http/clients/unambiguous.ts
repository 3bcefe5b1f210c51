import type { Context } from 'hono'
import { invalid } from '../../base/errors.ts'
import type { Step } from '../before.ts'
import type { AppEnv } from '../env.ts'

// The headers by which a proxy and a server decide whose a request is, and where it ends.
const ONCE = ['Host', 'Content-Length']

/**
 * Refuses a request with two Host or two Content-Length headers, because a proxy in front may have understood it
 * differently. Throws a validation error, and the connection ends with the answer.
 */
export const unambiguous: Step = (c) => {
  const repeated = ONCE.find((name) => isRepeated(c, name))
  if (repeated) {
    c.header('Connection', 'close')
    throw invalid(repeated, 'must be sent only once')
  }
}

// Node drops all but the first; Bun joins them by commas.
function isRepeated(c: Context<AppEnv>, name: string): boolean {
  const sent = c.env?.outgoing?.req.rawHeaders
  if (!sent) return c.req.header(name)?.includes(',') ?? false
  let times = 0
  for (let index = 0; index < sent.length; index += 2) {
    const text = sent[index]!
    if (text.length === name.length && text.toLowerCase() === name.toLowerCase()) times++
  }
  return times > 1
}
