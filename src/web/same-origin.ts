import type { MiddlewareHandler } from 'hono'
import { AppError } from '../base/errors.ts'
import type { AppEnv } from '../http/env.ts'
import { type OperationPart, withPart } from '../http/openapi/operation.ts'
import { requireJson } from '../http/validate.ts'

/**
 * Returns the middleware that admits only requests by script from a page of this very origin: no form can send this
 * content type, and no page of another origin the header. Throws a validation error for another type, and AppError
 * forbidden for requests from elsewhere.
 */
export function sameOrigin(part: Pick<OperationPart, 'security'> = {}): MiddlewareHandler<AppEnv> {
  return withPart<MiddlewareHandler<AppEnv>>(
    async (c, next) => {
      const site = c.req.header('Sec-Fetch-Site')
      // Over plain HTTP, browsers don't send it.
      const isElsewhere = site !== undefined && site !== 'same-origin'
      if (isElsewhere || c.req.header('X-Tagstead') !== '1') {
        throw new AppError('forbidden', 'Only the page of this server may ask for this')
      }
      requireJson(c)
      await next()
    },
    { ...part, errors: ['forbidden', 'validation_error'] },
  )
}
