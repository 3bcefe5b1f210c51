import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { INFO } from '../../../src/docs/info.ts'
import { buildDocument } from '../../../src/http/openapi/document.ts'
import type { Json } from '../../../src/http/openapi/json-schema.ts'
import {
  type Contract,
  type ContractOperation,
  createContract,
} from '../../support/contract/contract.ts'
import { describedApp } from '../../support/contract/own-document.ts'
import {
  ALSO_PUBLIC,
  CONTENT,
  PUBLIC,
  SPECIFIED,
  SPECIFIED_PARAMETERS,
} from '../../support/contract/specification.ts'
import { type Library, openLibrary } from '../../support/harness.ts'

const ARCHIVE = 'GET /api/v1/files/archive'

describe('the OpenAPI document', () => {
  let library: Library
  let document: Json
  let contract: Contract

  before(async () => {
    library = await openLibrary()
    document = (await library.call('GET', '/openapi.json')).body
    contract = createContract(document)
  })
  after(() => library.close())

  it('is built in turns with other requests', async () => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns++
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const built = await buildDocument(describedApp().routes, INFO)
    isOver = true
    assert.ok(turns > 0)
    assert.deepEqual(JSON.parse(JSON.stringify(built)), document)
  })

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    assert.deepEqual({ valid, errors, version: validator.version }, VALID)
  })

  it('gives the linter nothing to say under its recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    const told = problems.map(({ ruleId, message, location }) => {
      return `${ruleId}: ${message} at ${location[0]?.pointer}`
    })
    assert.deepEqual(told, [])
  })

  it('has the endpoints of the specification, with its bodies, answers and errors', () => {
    const found = SPECIFIED.map(({ method, path, status: specified, errors }) => {
      const operation = contract.operationOf(method, path)
      if (operation?.path !== path) return `${method} ${path} is missing`
      const { responses } = operation.description
      // An upload of what is there already may be answered with 200, too.
      const status = specified in responses ? specified : Object.keys(responses)[0]
      const named = errors.filter((error) => error in responses)
      return [method, path, bodyOf(operation), status, answerOf(operation), ...named].join(' ')
    })
    const wanted = SPECIFIED.map(({ method, path, body, status, answer, errors }) =>
      [method, path, body, status, answer, ...errors].join(' '),
    )
    assert.deepEqual(found, wanted)
  })

  it('has all fields of a tag in a tag that is on a file', () => {
    const { Tag, FileTag } = schemas()
    const { by_rule, ...properties } = (FileTag as Properties).properties
    assert.equal(by_rule!.type, 'boolean')
    assert.deepEqual(properties, (Tag as Properties).properties)
  })

  it('has the parameters of the specification, with their limits and defaults', () => {
    const found = SPECIFIED_PARAMETERS.map(({ path, name }) => {
      const { parameters = [] } = contract.operationOf('GET', path)!.description
      const { schema } = parameters.find((parameter) => parameter.name === name)!
      return [path, name, typeOf(schema), schema.default].join(' ')
    })
    const wanted = SPECIFIED_PARAMETERS.map(({ path, name, type, fallback }) =>
      [path, name, type, fallback].join(' '),
    )
    assert.deepEqual(found, wanted)
  })

  it('says what each operation, parameter and field is for', () => {
    const silent = contract.operations.flatMap(({ id, description }) => [
      ...(/^[A-Z].{5,70}[^.\s]$/.test(description.summary ?? '') ? [] : [id]),
      ...(/^[A-Z].{9,}\.$/s.test(description.description ?? '') ? [] : [id]),
      ...(description.parameters ?? [])
        .filter((parameter) => !parameter.description)
        .map((parameter) => `${id} ${parameter.name}`),
      ...fieldsWithoutWords(description.requestBody ?? {}).map((field) => `${id} ${field}`),
    ])
    for (const [name, schema] of Object.entries(schemas())) {
      silent.push(...fieldsWithoutWords(schema).map((field) => `${name} ${field}`))
    }
    assert.deepEqual(silent, [])
  })

  it('asks for a bearer everywhere but where the specification asks nothing, and for the page', () => {
    for (const { method, path, description } of contract.operations) {
      const name = `${method} ${path}`
      const isPublic = [...PUBLIC, ...ALSO_PUBLIC].includes(name)
      const scheme = path.startsWith('/web/') ? 'cookie' : name === ARCHIVE ? 'archive' : 'bearer'
      const wanted = isPublic
        ? []
        : [{ [scheme]: [] }, ...(name === CONTENT ? [{ content: [] }] : [])]
      assert.deepEqual(description.security, wanted, name)
    }
  })

  it('marks numbers that a double does not hold as int64', () => {
    const { File, AuditLogEntry } = schemas()
    const int64 = { type: 'integer', format: 'int64' }
    const { phash } = (File as Properties).properties
    assert.deepEqual(phash?.anyOf, [int64, { type: 'null' }])
    const { description: _, ...id } = (AuditLogEntry as Properties).properties.id!
    assert.deepEqual(id, int64)
  })

  it('describes bytes, forms and streams', () => {
    const { responses } = contract.operationOf('GET', '/api/v1/files/x/content')!.description
    assert.deepEqual(Object.keys(responses[200]!.content!), [
      'application/octet-stream',
      'image/*',
      'video/*',
    ])
    const { requestBody } = contract.operationOf('POST', '/api/v1/files')!.description
    const { properties, required } = requestBody!.content['multipart/form-data']!
      .schema as unknown as Properties & { required: string[] }
    assert.deepEqual(required, ['file'])
    assert.deepEqual(Object.keys(properties), [
      'file',
      'content_datetime',
      'modified',
      'notes',
      'metadata',
      'is_public',
      'tag_ids',
      'on_duplicate',
      'pair',
      'keyword_tags',
      'public_tags',
    ])
    const { ImportEvent } = schemas()
    const { type } = (ImportEvent as Properties).properties
    assert.deepEqual(type?.enum, ['start', 'file', 'done', 'error'])
  })

  it('has HEAD where an answer may be kept: GET without bodies and without a token in the query', () => {
    const heads = contract.operations.filter(({ method }) => method === 'HEAD')
    assert.deepEqual(
      heads.map(({ id }) => id),
      [
        'headOpenApi',
        'headWebThumbnail',
        'headWebPreview',
        'headWebFull',
        'headWebContent',
        'headSharedThumbnail',
        'headSharedPreview',
        'headSharedFilm',
        'headSharedContent',
        'headFileContent',
        'headFileThumbnail',
        'headFilePreview',
      ],
    )
    for (const { path, description } of heads) {
      const got = contract.operationOf('GET', path)!.description
      const statuses = Object.keys(description.responses)
      assert.deepEqual(statuses, Object.keys(got.responses))
      for (const status of statuses) {
        const response = contract.resolve(description.responses[status]!)
        assert.equal(response.content, undefined, `${path} ${status}`)
      }
      assert.equal(description.requestBody, undefined)
      const names = (got.parameters ?? []).map(({ name }) => name)
      assert.deepEqual(
        (description.parameters ?? []).map(({ name }) => name),
        names.filter((name) => name !== 'access_token'),
      )
    }
  })

  it('names the headers of answers', () => {
    const headersOf = (method: string, path: string, status: number) => {
      const response = contract.operationOf(method, `/api/v1${path}`)!.description.responses[
        status
      ]!
      return Object.keys(contract.resolve(response).headers!).sort()
    }
    const content = [
      'Accept-Ranges',
      'Content-Disposition',
      'Content-Length',
      'ETag',
      'Last-Modified',
      'Tagstead-Version',
      'X-Request-Id',
    ]
    assert.deepEqual(headersOf('GET', '/files/x/content', 200), content)
    const part = [...content, 'Content-Range'].sort()
    assert.deepEqual(headersOf('GET', '/files/x/content', 206), part)
    assert.deepEqual(headersOf('GET', '/files/x/content', 416), [
      'Content-Range',
      'Tagstead-Version',
      'X-Request-Id',
    ])
    for (const name of ['content', 'thumbnail', 'preview']) {
      for (const status of [200, 206, 304, 401, 416]) {
        const [got, head] = ['GET', 'HEAD'].map((method) =>
          headersOf(method, `/files/x/${name}`, status),
        )
        assert.deepEqual(head, got)
      }
    }
    assert.deepEqual(headersOf('POST', '/auth/login', 429), [
      'Retry-After',
      'Tagstead-Version',
      'X-Request-Id',
    ])
  })

  it('gives examples that are valid, of whatever has a form of its own', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const withExamples = partsOf(document).filter((part) => Array.isArray(part.examples))
    for (const { examples, ...schema } of withExamples) {
      for (const example of examples as unknown[]) {
        assert.ok(ajv.validate(schema, example), `${example}: ${ajv.errorsText()}`)
      }
    }
    const formats = new Set(withExamples.map((part) => part.format ?? part.pattern))
    const { pattern } = (schemas().TagCreate as Properties).properties.name!
    const object = '^([tcp]=[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|u=[1-9]\\d{0,14})$'
    const known = ['uuid', 'date-time', '^[A-Fa-f0-9]{6}$', object, pattern, undefined]
    assert.deepEqual(formats, new Set(known))
  })

  function schemas() {
    return (document.components as { schemas: Record<string, unknown> }).schemas
  }
})

interface Properties {
  properties: Record<string, Json>
}

const VALID = { valid: true, errors: undefined, version: '3.1' }

function bodyOf({ description }: ContractOperation): string {
  const [type, media] = Object.entries(description.requestBody?.content ?? {})[0] ?? []
  return type === 'application/json' ? nameOf(media!.schema) : (type ?? '-')
}

/** A component, an array of one, or the type of bytes. */
function answerOf({ description }: ContractOperation): string {
  const success = Object.values(description.responses)[0]!
  const [type, media] = Object.entries(success.content ?? {})[0] ?? []
  if (!type) return '-'
  const { items } = media!.schema as { items?: Json }
  if (items) return `${nameOf(items)}[]`
  return media!.schema.$ref ? nameOf(media!.schema) : type
}

function nameOf(schema: Json): string {
  return String(schema.$ref).replace('#/components/schemas/', '')
}

function typeOf(schema: Json): string {
  if (schema.enum) return (schema.enum as string[]).join('|')
  const { minimum, maximum } = schema
  const most = maximum === Number.MAX_SAFE_INTEGER ? '' : maximum
  if (schema.type === 'integer') return `${minimum}..${most}`
  return String(schema.const ?? schema.format ?? schema.type)
}

/** Fields that nothing describes, neither themselves nor what may stand in them. */
function fieldsWithoutWords(schema: unknown): string[] {
  const isSilent = ({ description, anyOf, $ref }: Json): boolean =>
    !description && !$ref && ((anyOf ?? []) as Json[]).every(isSilent)
  return partsOf(schema)
    .flatMap(({ properties }) => Object.entries((properties ?? {}) as Record<string, Json>))
    .filter(([, field]) => isSilent(field))
    .map(([name]) => name)
}

function partsOf(part: unknown): Json[] {
  if (typeof part !== 'object' || part === null) return []
  return [part as Json, ...Object.values(part).flatMap(partsOf)]
}
