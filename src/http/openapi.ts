import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { createSchemas, type Json, type Schemas } from './json-schema.ts'
import { STATUS } from './on-error.ts'
import { type Operation, type OperationPart, partOf, type Success } from './operation.ts'

/** The Error of the specification. */
export const ErrorShape = z
  .object({
    code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' })

/** What the document says of the API as a whole. */
export interface DocumentInfo {
  title: string
  version: string
  description: string
  license: { name: string; identifier: string }
  tags: { name: string; description: string }[]
}

const ERROR_TEXT: Record<ErrorCode, string> = {
  validation_error: 'The path, query or body is not valid; `details` names each field',
  unauthorized: 'No valid token',
  forbidden: 'The caller has no right to do that',
  not_found: 'There is no such object',
  method_not_allowed: 'The route does not take the method',
  conflict: 'The state of the library does not allow it',
  payload_too_large: 'The body is too large',
  unsupported_mime: 'The file is no picture or video of a known type',
  range_not_satisfiable: 'The range lies outside the file',
  rate_limited: 'Too many failed attempts; try again later',
  internal_error: 'Something went wrong in the server',
  insufficient_storage: 'The disk of the server is full',
}

const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': 'The scheme that is asked for: Bearer' },
  rate_limited: { 'Retry-After': 'Seconds until the next attempt makes sense' },
  range_not_satisfiable: { 'Content-Range': 'The size of the file, as `bytes */size`' },
}

/**
 * Returns the OpenAPI 3.1 document of the routes that carry an operation, built from the schemas that
 * validate and present.
 */
export function buildDocument(routes: RouterRoute[], info: DocumentInfo): Json {
  const { tags, ...about } = info
  const schemas = createSchemas()
  const paths: Record<string, Json> = {}
  for (const route of describedRoutes(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const described = describeOperation(route.parts, schemas)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.1',
    info: about,
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      responses: errorResponses(schemas),
      headers: {
        'X-Request-Id': {
          description: 'Names the request in the log of the server',
          required: true,
          schema: { type: 'string', format: 'uuid' },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        content: {
          type: 'apiKey',
          in: 'query',
          name: 'access_token',
          description: 'An access token, or the content token of this very file; for GET only',
        },
      },
      schemas: schemas.named(),
    },
  }
}

interface DescribedRoute {
  method: string
  path: string
  parts: OperationPart[]
}

/** The routes with what their guards and validators say, in the order of their registration. */
function describedRoutes(routes: RouterRoute[]): DescribedRoute[] {
  const described = new Map<string, DescribedRoute>()
  const guards: { prefix: string; part: OperationPart }[] = []
  for (const { method, path, handler } of routes) {
    const part = partOf(handler)
    if (method === 'ALL') {
      if (part.security) guards.push({ prefix: path.replace(/\*$/, ''), part })
      continue
    }
    const key = `${method} ${path}`
    let route = described.get(key)
    if (!route) {
      const above = guards.filter((guard) => path.startsWith(guard.prefix))
      route = { method, path, parts: above.map((guard) => guard.part) }
      described.set(key, route)
    }
    route.parts.push(part)
  }
  return [...described.values()].filter((route) => route.parts.some((part) => part.operation))
}

function describeOperation(parts: OperationPart[], schemas: Schemas): Json {
  const operation = parts.find((part) => part.operation)!.operation!
  const body = parts.find((part) => part.body)?.body
  const security = parts.find((part) => part.security)?.security
  const form = operation.upload && formSchema(operation.upload, schemas)
  const requestBody = form
    ? { required: true, content: { 'multipart/form-data': { schema: form } } }
    : body && {
        required: !body.isOptional,
        content: { 'application/json': { schema: schemas.input(body.schema) } },
      }
  const parameters = [
    ...parameterList('path', parts.find((part) => part.path)?.path, schemas),
    ...parameterList('query', parts.find((part) => part.query)?.query, schemas),
  ]
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [operation.tag],
    security: securityOf(security),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successes(operation, schemas), ...errors(operation, parts) },
  }
}

function securityOf(security: OperationPart['security']): Json[] {
  if (security === undefined) return []
  return security === 'bearer' ? [{ bearer: [] }] : [{ bearer: [] }, { content: [] }]
}

function parameterList(
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
  schemas: Schemas,
): Json[] {
  if (!schema) return []
  const { properties, required } = schemas.input(schema) as {
    properties: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || (required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    schema: property,
  }))
}

function formSchema(upload: z.ZodObject, schemas: Schemas): Json {
  const fields = schemas.input(upload) as { properties: Json; required?: string[] }
  return {
    type: 'object',
    properties: {
      file: { type: 'string', contentMediaType: 'application/octet-stream' },
      ...fields.properties,
    },
    required: ['file', ...(fields.required ?? [])],
  }
}

function successes(operation: Operation, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, success]) => [
      status,
      describeSuccess(success, schemas),
    ]),
  )
}

function describeSuccess(success: Success | null, schemas: Schemas): Json {
  const headers = describeHeaders(success?.headers ?? {})
  if (!success) return { description: 'Done', headers }
  const { description, schema, contentType } = success
  const types = [contentType ?? (schema ? 'application/json' : [])].flat()
  const content = types.map((type) => [
    type,
    { schema: schema ? schemas.output(schema) : binary(type) },
  ])
  return { description, headers, ...(types.length > 0 && { content: Object.fromEntries(content) }) }
}

function binary(type: string): Json {
  return type.endsWith('/*') ? { type: 'string' } : { type: 'string', contentMediaType: type }
}

function describeHeaders(headers: Record<string, string>): Json {
  return {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    ...Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, required: true, schema: { type: 'string' } },
      ]),
    ),
  }
}

function errors(operation: Operation, parts: OperationPart[]): Json {
  const codes = new Set<ErrorCode>(operation.errors)
  for (const part of parts) {
    if (part.path || part.query || part.body) codes.add('validation_error')
    if (part.body) codes.add('payload_too_large')
    if (part.security) codes.add('unauthorized')
    for (const code of part.errors ?? []) codes.add(code)
  }
  if (operation.upload) {
    for (const code of ['validation_error', 'payload_too_large', 'unsupported_mime'] as const) {
      codes.add(code)
    }
  }
  codes.add('internal_error')
  codes.add('insufficient_storage')
  return {
    ...Object.fromEntries(
      [...codes].map((code) => [STATUS[code], { $ref: `#/components/responses/${code}` }]),
    ),
    431: { $ref: '#/components/responses/head_too_large' },
  }
}

function errorResponses(schemas: Schemas): Json {
  const content = { 'application/json': { schema: schemas.output(ErrorShape) } }
  const { method_not_allowed: _, ...documented } = ERROR_TEXT
  return {
    ...Object.fromEntries(
      Object.entries(documented).map(([code, description]) => [
        code,
        { description, headers: describeHeaders(ERROR_HEADERS[code as ErrorCode] ?? {}), content },
      ]),
    ),
    head_too_large: {
      description:
        'The head of the request is too large; said by the HTTP layer, in words of its own',
    },
  }
}
