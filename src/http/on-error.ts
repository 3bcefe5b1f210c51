import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { diskFull, isOutOfSpace } from '../base/disk.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { AppEnv } from './env.ts'

export const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_mime: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal_error: 500,
  busy: 503,
  insufficient_storage: 507,
}

/** Returns the handler that answers with the Error shape and logs the server's own errors. */
export function onError(log: Log) {
  return (error: Error, c: Context<AppEnv>): Response => {
    const known = asAppError(error)
    if (known.code === 'internal_error' || isOutOfSpace(error)) {
      log.error('request failed', { request_id: c.var.request_id, error: error.stack })
    }
    const { code, message, details } = known
    return c.json({ code, message, ...(details && { details }) }, STATUS[code], known.headers)
  }
}

function asAppError(error: Error): AppError {
  if (error instanceof AppError) return error
  if (isOutOfSpace(error)) return diskFull()
  // Hono's validators throw this for a body that they can't read.
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError('validation_error', 'The request is not valid')
  }
  return new AppError('internal_error', 'Something went wrong on the server')
}
