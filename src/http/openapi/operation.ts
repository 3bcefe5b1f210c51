import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { KeyScope } from '../../base/enums.ts'
import type { ErrorCode } from '../../base/errors.ts'
import type { AppEnv } from '../env.ts'

export interface Success {
  description: string
  /** The schema of the JSON body, or of one line of an `application/x-ndjson` stream. */
  schema?: z.ZodType
  /** JSON by default; without a schema, the type or types of a binary body. */
  contentType?: string | string[]
  /**
   * Descriptions, by name, of the response headers that are always sent in addition to X-Request-Id; only
   * Content-Length may be missing.
   */
  headers?: Record<string, string>
}

/** What the document says about an operation in addition to what its validators and guards say. */
export interface Operation {
  /** The operation's name in generated clients. */
  id: string
  /** One line. */
  summary: string
  description: string
  tag: string
  /** The least scope of a key that opens it, or `any` for each of them. Without one, no key does. */
  scope?: KeyScope | 'any'
  /** The answers by status, except errors; null for one without a body. */
  responses: Record<number, Success | null>
  /** Whether a change has an audit entry, so that its answer carries the number of the operation. */
  isAudited?: boolean
  /** Allowed even when its user's changes have no room left: see `writeAs`. */
  isDeletion?: boolean
  /** Errors in addition to those of the validators and guards. */
  errors?: ErrorCode[]
  /** The text fields of a multipart form whose part `file` is the file. */
  upload?: z.ZodObject
  /** The type of a body of bytes, which is read as an upload's. */
  bytes?: string
}

/** What a part of a route, such as a validator or a guard, adds to its operation. */
export interface OperationPart {
  operation?: Operation
  path?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: { schema: z.ZodType; isOptional: boolean }
  security?: 'bearer' | 'content' | 'archive' | 'cookie'
  errors?: ErrorCode[]
}

const PART = Symbol('part of an operation')

/** Returns the handler, marked with what it adds to the operations of its routes. */
export function withPart<Handler extends object>(handler: Handler, part: OperationPart): Handler {
  return Object.assign(handler, { [PART]: part })
}

/** Returns what a handler adds to the operations of its routes. */
export function partOf(handler: object): OperationPart {
  return (handler as { [PART]?: OperationPart })[PART] ?? {}
}

/** Returns a handler that describes the operation of a route; it comes first in the route. */
export function operation(description: Operation): MiddlewareHandler<AppEnv> {
  return withPart<MiddlewareHandler<AppEnv>>((_, next) => next(), { operation: description })
}
