import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'

/** Runs before each request goes on; what it throws is the answer. */
export type Step = (c: Context<AppEnv>) => void
/** A step that may also return the answer. */
export type AnsweringStep = (c: Context<AppEnv>) => Promise<Response> | undefined

/**
 * Returns one middleware that takes the steps in order. A middleware for each step would cost a request more than most
 * steps do.
 */
export function before(...steps: (Step | AnsweringStep)[]): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    for (const step of steps) {
      const answer = step(c)
      if (answer) return answer
    }
    return next()
  }
}
