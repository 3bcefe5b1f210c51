import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json } from '../../../src/http/openapi/json-schema.ts'

/** What a request was answered with. */
export interface Answered {
  method: string
  /** With its prefix; a query is ignored. */
  path: string
  status: number
  headers: Headers
  /** The body; null when nobody has read it. */
  text: string | null
}

/** An operation of the document with its place. */
export interface ContractOperation {
  id: string
  method: string
  /** As in the document, with names in braces. */
  path: string
  description: OperationObject
}

export interface OperationObject {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  security: Json[]
  'x-key-scope'?: string
  parameters?: ParameterObject[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, ResponseObject>
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Json
}

interface ResponseObject {
  headers?: Record<string, { required?: boolean; schema: Json }>
  content?: Record<string, { schema: Json }>
}

export interface Contract {
  document: Json
  operations: ContractOperation[]
  /** Returns the component that the part refers to, or the part itself when it refers to none. */
  resolve<Part extends object>(part: Part): Part
  /** Returns the operation of a request, or undefined when it has none. */
  operationOf(method: string, path: string): ContractOperation | undefined
  /** Throws when the document does not allow the answer. */
  check(answered: Answered): void
}

const METHODS = ['get', 'head', 'put', 'post', 'delete', 'patch']
/** Of a path that is not in the document. */
const NOWHERE = [404, 405, 503]

/** Returns a judge of answers by an OpenAPI document; an undeclared field counts as a mistake. */
export function createContract(document: Json): Contract {
  const strict = forbidOthers(document) as Json
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...strict, $id: 'document' })
  const operations = listOperations(strict)
  const routes = operations
    .map((operation) => ({ operation, pattern: patternOf(operation.path) }))
    // A path with fewer names comes before one with a name in the same place.
    .sort((a, b) => names(a.operation.path) - names(b.operation.path))
  const compiled = new Map<string, ValidateFunction>()

  function resolve<Part extends object>(part: Part): Part {
    const { $ref } = part as { $ref?: string }
    if ($ref === undefined) return part
    return $ref
      .slice(2)
      .split('/')
      .reduce((place: unknown, key) => (place as Json)[key], strict) as Part
  }

  function validate(schema: Json, value: unknown): void {
    const key = JSON.stringify(schema)
    let validator = compiled.get(key)
    if (!validator) {
      validator = ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')))
      compiled.set(key, validator)
    }
    if (!validator(value)) assert.fail(ajv.errorsText(validator.errors))
  }

  function operationOf(method: string, path: string): ContractOperation | undefined {
    const bare = new URL(path, 'http://localhost').pathname
    const isFixed = routes.some(({ operation }) => operation.path === bare)
    const found = routes.find(({ operation, pattern }) => {
      const isHere = isFixed ? operation.path === bare : pattern.test(bare)
      return operation.method === method && isHere
    })?.operation
    // Where the document doesn't describe HEAD, it is answered as GET is.
    return method === 'HEAD' ? (found ?? operationOf('GET', path)) : found
  }

  function judge(answered: Answered): void {
    const operation = operationOf(answered.method, answered.path)
    if (operation) {
      const response = operation.description.responses[answered.status]
      assert.ok(response, `the status is not in the document of ${operation.id}`)
      judgeAnswer(answered, resolve(response))
      // It has the type that the answer to GET would have.
      const got = answered.method === 'HEAD' && operationOf('GET', answered.path)
      if (got) judgeType(answered, resolve(got.description.responses[answered.status]!))
      return
    }
    if (answered.method === 'OPTIONS') return
    assert.ok(NOWHERE.includes(answered.status), 'the document has no such operation')
    if (answered.method === 'HEAD' || answered.text === null) return
    // Outside of the API, an unknown address is answered by a page.
    const isPage = answered.headers.get('Content-Type')?.startsWith('text/html')
    if (isPage && !answered.path.startsWith('/api/')) return
    validate({ $ref: '#/components/schemas/Error' }, JSON.parse(answered.text))
  }

  function judgeAnswer(answered: Answered, response: ResponseObject): void {
    const { method, headers, text } = answered
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const { required, schema } = resolve(header)
      const value = headers.get(name)
      if (required) assert.ok(value !== null, `there is no ${name}`)
      if (value !== null) validate(schema, schema.type === 'integer' ? Number(value) : value)
    }
    const declared = method === 'HEAD' ? undefined : judgeType(answered, response)
    if (!declared) assert.equal(text ?? '', '')
    if (!declared || text === null) return
    const { schema } = response.content![declared]!
    if (declared === 'application/json') validate(schema, JSON.parse(text))
    if (declared !== 'application/x-ndjson') return
    assert.ok(text.endsWith('\n'), 'the last line is not whole')
    for (const line of text.trimEnd().split('\n')) validate(schema, JSON.parse(line))
  }

  /** Returns the type that the answer claims to have, as the document names it. */
  function judgeType({ headers }: Answered, { content }: ResponseObject): string | undefined {
    const sent = headers.get('Content-Type')?.replace(/\s*;.*/, '')
    const declared = Object.keys(content ?? {}).find((type) => isOfType(sent, type))
    assert.ok(declared || (!content && !sent), `${sent} is no content type of the answer`)
    return declared
  }

  return {
    document: strict,
    operations,
    resolve,
    operationOf,
    check(answered) {
      try {
        judge(answered)
      } catch (error) {
        const { method, path, status, text } = answered
        const about = `${method} ${path} answered ${status} ${text?.slice(0, 500) ?? ''}`
        // An AssertionError, so that nobody takes it for a connection that broke.
        const message = `${(error as Error).message}: ${about}`
        throw Object.assign(new assert.AssertionError({ message }), { cause: error })
      }
    },
  }
}

function listOperations(document: Json): ContractOperation[] {
  return Object.entries(document.paths as Record<string, Record<string, OperationObject>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, description]) => ({
          id: description.operationId,
          method: method.toUpperCase(),
          path,
          description,
        })),
  )
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function names(path: string): number {
  return path.split('{').length
}

function isOfType(sent: string | undefined, declared: string): boolean {
  return declared.endsWith('/*') ? !!sent?.startsWith(declared.slice(0, -1)) : sent === declared
}

/** Returns the schemas, with objects that have only the properties that are named. */
function forbidOthers(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(forbidOthers)
  if (typeof part !== 'object' || part === null) return part
  const copy = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, forbidOthers(value)]),
  )
  const isClosed = copy.type === 'object' && copy.properties && !('additionalProperties' in copy)
  return isClosed ? { ...copy, additionalProperties: false } : copy
}
