import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import type { AppEnv } from '../env.ts'

/** What a success answers with. */
export interface Success {
  description: string
  /** Of the JSON body, or of one line of an `application/x-ndjson` stream. */
  schema?: z.ZodType
  /** JSON unless it says otherwise; without a schema a binary body, of one of several types. */
  contentType?: string | string[]
  /**
   * Response headers that are always there, beyond X-Request-Id, by name, with what they say; the length
   * of a body is not always there.
   */
  headers?: Record<string, string>
}

/** What the document says of an operation beyond what its validators and guards say themselves. */
export interface Operation {
  /** The operation's name in generated clients. */
  id: string
  /** One line. */
  summary: string
  description?: string
  tag: string
  /** By status; null for an answer without a body. */
  responses: Record<number, Success | null>
  /** Errors beyond those of the validators and guards. */
  errors?: ErrorCode[]
  /** The text fields of a multipart form whose part `file` is the file. */
  upload?: z.ZodObject
}

/** What a part of a route, such as a validator or a guard, adds to its operation. */
export interface OperationPart {
  operation?: Operation
  path?: z.ZodObject
  query?: z.ZodObject
  body?: { schema: z.ZodType; isOptional: boolean }
  security?: 'bearer' | 'content'
  errors?: ErrorCode[]
}

const PART = Symbol('part of an operation')

/** Returns the handler, carrying what it adds to the operations of its routes. */
export function withPart<Handler extends object>(handler: Handler, part: OperationPart): Handler {
  return Object.assign(handler, { [PART]: part })
}

/** Returns what a handler adds to the operations of its routes. */
export function partOf(handler: object): OperationPart {
  return (handler as { [PART]?: OperationPart })[PART] ?? {}
}

/** Describes the operation of a route; stands first among its handlers. */
export function operation(description: Operation): MiddlewareHandler<AppEnv> {
  return withPart<MiddlewareHandler<AppEnv>>((_, next) => next(), { operation: description })
}
