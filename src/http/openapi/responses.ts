import { z } from 'zod'
import type { ErrorCode } from '../../base/errors.ts'
import { STATUS } from '../on-error.ts'
import type { Json, Schemas } from './json-schema.ts'
import type { Operation, OperationPart, Success } from './operation.ts'

const ErrorShape = z
  .object({
    code: z
      .enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]])
      .meta({ description: 'What kind of error it is, for programs' }),
    message: z.string().meta({ description: 'What went wrong, for people' }),
    details: z
      .array(
        z.object({
          field: z.string().meta({
            description:
              'Name of the field in the path, the query or the body, with dots between its parts',
          }),
          message: z.string().meta({ description: 'What is wrong with it' }),
        }),
      )
      .optional()
      .meta({ description: 'What is wrong, field by field' }),
  })
  .meta({ id: 'Error' })

const ERROR_TEXT: Record<ErrorCode, string> = {
  validation_error: 'The path, query or body is not valid; `details` names each field',
  unauthorized: 'There is no valid token, or the name or the password is wrong',
  forbidden: 'The caller has no right to do that',
  not_found: 'There is no such object',
  method_not_allowed: 'The route does not accept the method',
  timeout: 'The body arrived too slowly',
  conflict: 'The state of the library does not allow it',
  precondition_failed: 'What the request asks for first is not so',
  payload_too_large: 'The body is too large',
  unsupported_mime: "The file isn't a picture or video of a known type",
  range_not_satisfiable: 'The range is outside the file',
  rate_limited:
    'Too many failed attempts, passwords sent at once, uploads waiting, archives under way, or bytes of ' +
    'changes in a day; try again later',
  internal_error: 'Something went wrong on the server',
  busy:
    'The client has too many requests under way, what is asked takes too long now, or the server is stopping; ' +
    'try again later',
  insufficient_storage:
    'The disk of the server is nearly full, or a quota is reached; then `details` names the file',
}

const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': 'The required scheme, which is Bearer' },
  rate_limited: { 'Retry-After': 'How many seconds to wait before the next attempt' },
  busy: { 'Retry-After': 'How many seconds to wait before the next attempt' },
  range_not_satisfiable: { 'Content-Range': 'The size of the file, as `bytes */size`' },
}

/** Returns all answers of an operation by status, with the errors of its validators and guards. */
export function describeResponses(
  parts: OperationPart[],
  operation: Operation,
  schemas: Schemas,
): Json {
  return byStatus(parts, operation, {
    success: (success) => describeSuccess(success, schemas, operation.isAudited),
    error: (code) => ({ $ref: `#/components/responses/${code}` }),
  })
}

/** Returns the answers to HEAD for an operation of GET: none has a body, not even an error. */
export function headResponses(parts: OperationPart[], operation: Operation): Json {
  return byStatus(parts, operation, {
    success: (success) => withoutBody(success?.description, success?.headers),
    error: (code) => withoutBody(ERROR_TEXT[code], ERROR_HEADERS[code]),
  })
}

function byStatus(
  parts: OperationPart[],
  operation: Operation,
  describe: { success: (success: Success | null) => Json; error: (code: ErrorCode) => Json },
): Json {
  const successes = Object.entries(operation.responses).map(([status, success]) => [
    status,
    describe.success(success),
  ])
  const errors = errorCodes(parts, operation).map((code) => [STATUS[code], describe.error(code)])
  return {
    ...Object.fromEntries([...successes, ...errors]),
    431: { $ref: '#/components/responses/head_too_large' },
  }
}

function withoutBody(description = 'Done', headers: Record<string, string> = {}): Json {
  return { description, headers: describeHeaders(headers) }
}

function describeSuccess(success: Success | null, schemas: Schemas, isAudited = false): Json {
  const number = isAudited && { Operation: { $ref: '#/components/headers/Operation' } }
  if (!success) return { description: 'Done', headers: { ...describeHeaders({}), ...number } }
  const { description, headers = {}, schema, contentType } = success
  const types = [contentType ?? (schema ? 'application/json' : [])].flat()
  const content = types.map((type) => [
    type,
    { schema: schema ? schemas.output(schema) : binary(type) },
  ])
  return {
    description,
    headers: { ...describeHeaders(headers, types.length > 0), ...number },
    ...(types.length > 0 && { content: Object.fromEntries(content) }),
  }
}

/** Returns the schema of bytes of a type. */
export function binary(type: string): Json {
  const bytes = { type: 'string', format: 'binary' }
  return type.endsWith('/*') ? bytes : { ...bytes, contentMediaType: type }
}

const NUMBERS = new Set(['Content-Length', 'Retry-After'])
// Bun doesn't send it with a stream.
const NOT_OF_STREAMS = new Set(['Content-Length'])

function describeHeaders(headers: Record<string, string>, hasBody = false): Json {
  return {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'Tagstead-Version': { $ref: '#/components/headers/Tagstead-Version' },
    ...Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        {
          description,
          required: !(hasBody && NOT_OF_STREAMS.has(name)),
          schema: { type: NUMBERS.has(name) ? 'integer' : 'string' },
        },
      ]),
    ),
  }
}

const UPLOAD_ERRORS = [
  'validation_error',
  'timeout',
  'payload_too_large',
  'unsupported_mime',
  'rate_limited',
] as const

function errorCodes(parts: OperationPart[], operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors)
  for (const part of parts) {
    if (part.path || part.query || part.headers || part.body) codes.add('validation_error')
    if (part.body) codes.add('payload_too_large').add('timeout')
    // Signing out of the page doesn't require being signed in.
    if (part.security && part.security !== 'cookie') {
      codes.add('unauthorized')
      // A key of another scope.
      if (part.security !== 'archive') codes.add('forbidden')
      if (operation.isAudited && !operation.isDeletion) codes.add('rate_limited')
    }
    for (const code of part.errors ?? []) codes.add(code)
  }
  if (operation.upload || operation.bytes) {
    for (const code of UPLOAD_ERRORS) codes.add(code)
  }
  for (const code of ['internal_error', 'busy', 'insufficient_storage'] as const) codes.add(code)
  return [...codes]
}

/** Returns the error answers that operations refer to, by code. */
export function errorResponses(schemas: Schemas): Json {
  const content = { 'application/json': { schema: schemas.output(ErrorShape) } }
  const { method_not_allowed: _, ...documented } = ERROR_TEXT
  return {
    ...Object.fromEntries(
      Object.entries(documented).map(([code, description]) => [
        code,
        { ...withoutBody(description, ERROR_HEADERS[code as ErrorCode]), content },
      ]),
    ),
    head_too_large: {
      description:
        'The head of the request is too large. The HTTP layer answers this, in a form of its own',
    },
  }
}
