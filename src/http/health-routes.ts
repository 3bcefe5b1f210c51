import { Hono } from 'hono'
import { z } from 'zod'
import type { AppEnv } from './env.ts'
import { operation } from './openapi/operation.ts'

const Health = z.object({ status: z.string().meta({ description: '`ok`' }) }).meta({ id: 'Health' })

/** Returns the liveness endpoint, which asks nothing of the database. */
export function healthRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get(
    '/health',
    operation({
      id: 'getHealth',
      tag: 'System',
      summary: 'Tell whether the server is serving',
      responses: { 200: { description: 'It is', schema: Health } },
    }),
    (c) => c.json({ status: 'ok' }),
  )
}
