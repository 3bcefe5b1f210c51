import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { AppError, type ErrorDetail, invalid, invalidFields } from '../base/errors.ts'
import { nextChunk } from './body.ts'
import { createPace, JSON_WAIT, type Pace } from './clients/pace.ts'
import type { AppEnv } from './env.ts'
import { withPart } from './openapi/operation.ts'

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

/** Validates the headers that a schema names; a wrong one gets 400. */
export function validHeaders<Schema extends z.ZodObject>(schema: Schema) {
  return withPart(zValidator('header', schema, refuse), { headers: schema })
}

/**
 * Validates a JSON body: an object of at most 1 MiB or `limit` bytes (a larger one gets 413) and 32 levels, sent as
 * application/json. An optional body may be empty. Unknown fields are ignored. A client slower than `pace` gets 408.
 */
export function validBody<Schema extends z.ZodType>(
  schema: Schema,
  { isOptional = false, pace = JSON_WAIT, limit = BODY_LIMIT } = {},
): MiddlewareHandler<
  AppEnv,
  string,
  { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }
> {
  const validate: ReturnType<typeof validBody<Schema>> = async (c, next) => {
    const isJson = saysJson(c)
    if (!isJson && !isOptional) throw notJson()
    const bytes = await readBody(c, limit, createPace(pace))
    const isEmpty = isOptional && bytes.length === 0
    if (!isJson && !isEmpty) throw notJson()
    const body = isEmpty ? {} : parseObject(decode(bytes))
    const result = await schema.safeParseAsync(body)
    if (!result.success) throw validationError(result.error, body)
    c.req.addValidatedData('json', result.data as object)
    await next()
  }
  return withPart(validate, { body: { schema, isOptional } })
}

/** Throws a validation error for a request that doesn't declare its body as JSON. */
export function requireJson(c: Context<AppEnv>): void {
  if (!saysJson(c)) throw notJson()
}

function saysJson(c: Context<AppEnv>): boolean {
  return /^application\/json\s*(;|$)/i.test(c.req.header('Content-Type') ?? '')
}

function notJson(): AppError {
  return invalid('body', 'must be JSON, with Content-Type: application/json')
}

/**
 * Returns the validation error of a failed parse of `input`, with one entry for each field, as far as the parse got.
 */
export function validationError(error: z.core.$ZodError, input: unknown): AppError {
  const details = new Map<string, ErrorDetail>()
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'body'
    const message = isMissing(issue, input) ? 'is required' : issue.message
    if (!details.has(field)) details.set(field, { field, message })
  }
  return invalidFields([...details.values()])
}

// Returns whether an issue is that a field is missing; our own rules name what is missing themselves.
function isMissing({ code, path }: z.core.$ZodIssue, input: unknown): boolean {
  if (code === 'custom') return false
  let value = input
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value === undefined
}

function refuse(result: { success: boolean; error?: z.core.$ZodError; data: unknown }): void {
  if (!result.success && result.error) throw validationError(result.error, result.data)
}

/**
 * Returns a body of at most `limit` bytes. Throws payload_too_large beyond that, and timeout when the client is slower
 * than `pace`.
 */
export async function readBody(c: Context<AppEnv>, limit: number, pace: Pace): Promise<Uint8Array> {
  const tooLarge = () =>
    new AppError('payload_too_large', `The body is larger than ${limit / 1024} KiB`)
  // Until the body has been read to its end, the connection can't carry another request.
  c.header('Connection', 'close')
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge()
  const reader = c.req.raw.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (reader) {
    const chunk = await nextChunk(reader, pace)
    if (!chunk) break
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  c.header('Connection', undefined)
  return Buffer.concat(chunks)
}

/** Returns the text of a body. Throws a validation error unless it is UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('body', 'must be UTF-8')
  }
}

/** Returns the object in a JSON text. Throws a validation error for anything else or beyond 32 levels. */
export function parseObject(text: string, field = 'body'): Record<string, unknown> {
  if (isTooDeep(text)) {
    throw invalid(field, `must not be nested deeper than ${DEPTH_LIMIT} levels`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(field, 'must be JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(field, 'must be a JSON object')
  }
  return value as Record<string, unknown>
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
// `[` and `{`, and `]` and `}`, differ in this bit alone.
const BRACE_BIT = 0x20

// Scans the text for more than 32 levels, because a parser takes long to make a million lists.
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      i = endOfString(text, i)
    } else if ((code | BRACE_BIT) === 0x7b) {
      if (++depth > DEPTH_LIMIT) return true
    } else if ((code | BRACE_BIT) === 0x7d) depth--
  }
  return false
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== QUOTE) {
    i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  }
  return i
}
