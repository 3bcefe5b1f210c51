import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { AppError, type ErrorDetail, invalid } from '../errors.ts'
import { nextChunk } from './body.ts'
import type { AppEnv } from './env.ts'
import { withPart } from './openapi/operation.ts'
import { createPace, JSON_WAIT, type Pace } from './pace.ts'

const BODY_LIMIT = 1024 * 1024
const DEPTH_LIMIT = 32

/** Validates the path's parameters; a wrong one gets 400. */
export function validPath<Schema extends z.ZodObject>(schema: Schema) {
  return withPart(zValidator('param', schema, refuse), { path: schema })
}

/** Validates the query; a wrong or repeated parameter gets 400, an unknown one is ignored. */
export function validQuery<Schema extends z.ZodObject>(schema: Schema) {
  return withPart(zValidator('query', schema, refuse), { query: schema })
}

/**
 * Validates a JSON body: an object of at most 1 MiB (a larger one gets 413) and 32 levels, sent as
 * application/json. An optional body may be empty. Unknown fields are ignored. A client who is
 * waited for beyond `pace` gets 408.
 */
export function validBody<Schema extends z.ZodType>(
  schema: Schema,
  { isOptional = false, pace = JSON_WAIT } = {},
): MiddlewareHandler<
  AppEnv,
  string,
  { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }
> {
  const validate: ReturnType<typeof validBody<Schema>> = async (c, next) => {
    const type = c.req.header('Content-Type') ?? ''
    const isJson = /^application\/json\s*(;|$)/i.test(type)
    if (!isJson && !isOptional) throw notJson()
    const bytes = await readBody(c, createPace(pace))
    const isEmpty = isOptional && bytes.length === 0
    if (!isJson && !isEmpty) throw notJson()
    const result = await schema.safeParseAsync(isEmpty ? {} : parseObject(decode(bytes)))
    if (!result.success) throw validationError(result.error)
    c.req.addValidatedData('json', result.data as object)
    await next()
  }
  return withPart(validate, { body: { schema, isOptional } })
}

function notJson(): AppError {
  return invalid('body', 'must be JSON, with Content-Type: application/json')
}

/** Returns the validation error of a failed parse, with one entry for each field. */
export function validationError(error: z.core.$ZodError): AppError {
  const details = new Map<string, ErrorDetail>()
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'body'
    if (!details.has(field)) details.set(field, { field, message: issue.message })
  }
  return new AppError('validation_error', 'The request is not valid', {
    details: [...details.values()],
  })
}

function refuse(result: { success: boolean; error?: z.core.$ZodError }): void {
  if (!result.success && result.error) throw validationError(result.error)
}

async function readBody(c: Context<AppEnv>, pace: Pace): Promise<Uint8Array> {
  const tooLarge = () => new AppError('payload_too_large', 'The body is larger than 1 MiB')
  // Until the body has been read to its end, the connection can't carry another request.
  c.header('Connection', 'close')
  if (Number(c.req.header('Content-Length') ?? 0) > BODY_LIMIT) throw tooLarge()
  const reader = c.req.raw.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (reader) {
    const chunk = await nextChunk(reader, pace)
    if (!chunk) break
    size += chunk.byteLength
    if (size > BODY_LIMIT) throw tooLarge()
    chunks.push(chunk)
  }
  c.header('Connection', undefined)
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('body', 'must be UTF-8')
  }
}

/** Returns the object in a JSON text. Throws a validation error otherwise or beyond 32 levels. */
export function parseObject(text: string, field = 'body'): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(field, 'must be JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(field, 'must be a JSON object')
  }
  if (depth(value, DEPTH_LIMIT) > DEPTH_LIMIT) {
    throw invalid(field, `must not be nested deeper than ${DEPTH_LIMIT} levels`)
  }
  return value as Record<string, unknown>
}

/** Returns how deeply a value is nested, or more than `limit` as soon as it is deeper than that. */
function depth(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (limit <= 0) return 1
  let deepest = 0
  for (const item of Object.values(value)) {
    const inner = depth(item, limit - 1)
    if (inner > deepest) deepest = inner
    if (deepest >= limit) break
  }
  return deepest + 1
}
