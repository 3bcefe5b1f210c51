import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'

/** What is done with each request before it goes on; what it throws is the answer. */
export type Step = (c: Context<AppEnv>) => void

/**
 * Returns the middleware that takes the steps in their order. A middleware of its own for each would
 * cost a request more than most steps do.
 */
export function before(...steps: Step[]): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    for (const step of steps) step(c)
    return next()
  }
}
