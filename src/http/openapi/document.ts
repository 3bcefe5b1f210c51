import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import { createPause } from '../../base/pause.ts'
import { createSchemas, type Json, type Schemas } from './json-schema.ts'
import { type Operation, type OperationPart, partOf } from './operation.ts'
import { binary, describeResponses, errorResponses, headResponses } from './responses.ts'

/** What the document says about the API as a whole. */
export interface DocumentInfo {
  title: string
  version: string
  description: string
  license: { name: string; identifier: string }
  tags: { name: string; description: string }[]
}

/**
 * Returns the OpenAPI 3.1 document of the routes that carry an operation, built from the schemas that validate requests
 * and shape answers. Yields to other requests in between.
 */
export async function buildDocument(routes: RouterRoute[], info: DocumentInfo): Promise<Json> {
  const { tags, ...about } = info
  const schemas = createSchemas()
  const paths: Record<string, Json> = {}
  const pause = createPause()
  for (const { path, method, parts } of describedRoutes(routes)) {
    const place = path.replaceAll(/:(\w+)/g, '{$1}')
    const described = describeOperation(parts, schemas)
    paths[place] = { ...paths[place], [method.toLowerCase()]: described }
    const head = method === 'GET' && describeHead(parts, described)
    if (head) paths[place].head = head
    await pause()
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
          description: "Identifies the request in the server's log",
          required: true,
          schema: { type: 'string', format: 'uuid' },
        },
        'Tagstead-Version': {
          description: 'The version of the server',
          required: true,
          schema: { type: 'string' },
        },
        Operation: {
          description: 'The number of the operation, for undoing it; absent when nothing changed',
          schema: { type: 'integer', format: 'int64', minimum: 1 },
        },
      },
      securitySchemes: SECURITY_SCHEMES,
      schemas: schemas.named(),
    },
  }
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token that signing in returns, or a key where `x-key-scope` names a scope: `any` is each of them',
  },
  content: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'An access token or the content token of this very file; for GET only',
  },
  archive: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The token of the archive, which `POST /files/archive` returns; for GET only',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tagstead-0123abcd-s',
    description:
      'The cookies that signing in to the page sets: `tagstead-0123abcd-s` for its session, ' +
      '`tagstead-0123abcd-m` for pictures, with eight other hex digits for each server, and ' +
      '`__Secure-` before them over https. Nothing under `/api` reads them',
  },
}

const FILE_PART = z.string().meta({
  description:
    'The content of a picture or video, with its name, of a type listed under "Types of files"',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
})

const FORM =
  'Fields that are not named here are ignored. A file in any other part than `file` is refused, and so ' +
  'is a field or file that comes twice'

interface Described extends Json {
  security: Json[]
  parameters?: Json[]
}

interface DescribedRoute {
  method: string
  path: string
  parts: OperationPart[]
}

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

function operationIn(parts: OperationPart[]): Operation {
  return parts.find((part) => part.operation)!.operation!
}

function describeOperation(parts: OperationPart[], schemas: Schemas): Described {
  const operation = operationIn(parts)
  const body = parts.find((part) => part.body)?.body
  const security = parts.find((part) => part.security)?.security
  const isForKeys = security === 'bearer' || security === 'content'
  const form =
    operation.upload &&
    z.object({ file: FILE_PART, ...operation.upload.shape }).meta({ description: FORM })
  const requestBody = form
    ? { required: true, content: { 'multipart/form-data': { schema: schemas.input(form) } } }
    : operation.bytes
      ? { required: true, content: { [operation.bytes]: { schema: binary(operation.bytes) } } }
      : body && {
          required: !body.isOptional,
          content: { 'application/json': { schema: schemas.input(body.schema) } },
        }
  const parameters = [
    ...parameterList('path', parts.find((part) => part.path)?.path, schemas),
    ...parameterList('query', parts.find((part) => part.query)?.query, schemas),
    ...parameterList('header', parts.find((part) => part.headers)?.headers, schemas),
  ]
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: securityOf(security),
    ...(isForKeys && operation.scope && { 'x-key-scope': operation.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(parts, operation, schemas),
  }
}

// HEAD has no bodies and accepts no token in the query, which is for GET only. Returns undefined for a GET whose
// answers can't be cached.
function describeHead(parts: OperationPart[], got: Described): Json | undefined {
  const operation = operationIn(parts)
  if (!operation.responses[200]?.headers?.ETag) return undefined
  const { parameters, ...described } = got
  const others = parameters?.filter(({ name }) => name !== SECURITY_SCHEMES.content.name) ?? []
  return {
    ...described,
    operationId: operation.id.replace(/^get/, 'head'),
    summary: `${operation.summary}: headers only`,
    security: described.security.slice(0, 1),
    ...(others.length > 0 && { parameters: others }),
    responses: headResponses(parts, operation),
  }
}

function securityOf(security: OperationPart['security']): Json[] {
  if (security === undefined) return []
  return security === 'content' ? [{ bearer: [] }, { content: [] }] : [{ [security]: [] }]
}

function parameterList(
  place: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
  schemas: Schemas,
): Json[] {
  if (!schema) return []
  const { properties, required } = schemas.input(schema) as {
    properties: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, named_examples, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || (required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    schema: property,
    ...(named_examples !== undefined && { examples: namedExamples(named_examples as object) }),
  }))
}

function namedExamples(values: object): Json {
  const examples = Object.entries(values).map(([summary, value]) => {
    return [summary.toLowerCase().replaceAll(/\W+/g, '-'), { summary, value }]
  })
  return Object.fromEntries(examples)
}
