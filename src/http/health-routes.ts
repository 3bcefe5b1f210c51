import { Hono } from 'hono'
import { z } from 'zod'
import type { AppEnv } from './env.ts'
import { operation } from './openapi/operation.ts'

const Health = z
  .object({ status: z.string().meta({ description: 'Always `ok`' }) })
  .meta({ id: 'Health' })

/** Returns the liveness endpoint, which doesn't touch the database. */
export function healthRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get(
    '/health',
    operation({
      id: 'getHealth',
      tag: 'System',
      summary: 'Check whether the server is running',
      description: 'Needs no token. The answer is the same for as long as the server runs.',
      responses: { 200: { description: 'The server is running', schema: Health } },
    }),
    (c) => c.json({ status: 'ok' }),
  )
}
