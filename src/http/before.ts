import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'

/** Runs before each request goes on; what it throws is the answer. */
export type Step = (c: Context<AppEnv>) => void

/**
 * Returns one middleware that takes the steps in order. A middleware for each step would cost a request more than most
 * steps do.
 */
export function before(...steps: Step[]): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    for (const step of steps) step(c)
    return next()
  }
}
