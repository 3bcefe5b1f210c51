import type { Json } from '../../../src/http/openapi/json-schema.ts'
import { fc } from '../property.ts'
import type { Contract, ContractOperation } from './contract.ts'
import { values } from './values.ts'

/**
 * A made-up request. Where it names something that is in the library it says `@kind:number`, which
 * whoever sends it fills in.
 */
export interface MadeRequest {
  operation: ContractOperation
  path: string
  /** With its question mark, or empty. */
  query: string
  headers: Record<string, string>
  body: string | Uint8Array | MadeForm | null
}

export interface MadeForm {
  files: { bytes: Uint8Array; name: string }[]
  fields: [name: string, value: string][]
}

/** Returns requests to the operation that follow its schemas. */
export function soundRequests(
  operation: ContractOperation,
  contract: Contract,
  pictures: Uint8Array[],
): fc.Arbitrary<MadeRequest> {
  const parameters = operation.description.parameters ?? []
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const inHead = parameters.filter((parameter) => parameter.in === 'header')
  const bytesType = Object.keys(operation.description.requestBody?.content ?? {}).find(isBytes)
  const headers = fc
    .record(Object.fromEntries(inHead.map(({ name, schema }) => [name, ofHeader(name, schema)])))
    .map((given) => ({ ...given, ...(bytesType && { 'Content-Type': bytesType }) }))
  const path = fc
    .record(Object.fromEntries(inPath.map(({ name, schema }) => [name, plain(name, schema)])))
    .map((values) => operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] as string))
  const query = fc
    .record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, plain(name, schema)])), {
      requiredKeys: [],
    })
    .map((given) => queryText(withoutQuarrels(given)))
  return fc.record({
    operation: fc.constant(operation),
    path,
    query,
    headers,
    body: bodies(),
  })

  /** Returns texts for a header: those of tus, of which few would fit by chance. */
  function ofHeader(name: string, schema: Json): fc.Arbitrary<string> {
    if (name === 'Tus-Resumable') return fc.constant('1.0.0')
    if (name === 'Upload-Metadata') return fc.constantFrom('', 'filename YS5qcGc=', 'notes eA==,x')
    if (name === 'Upload-Length') return fc.constantFrom(...pictures.map((one) => `${one.length}`))
    if (name === 'Upload-Offset') return fc.constantFrom('0', '1')
    return plain(name, schema)
  }

  /** Returns texts for a parameter. */
  function plain(name: string, schema: Json): fc.Arbitrary<string> {
    if (name === 'filter') return filters
    if (name === 'media') return fc.constant('@media:0')
    if (name === 'token') return fc.constant('@link:0')
    if (name === 'cursor') return fc.nat(99).map((n) => `@cursor:${n}`)
    return values(name, schema, contract).map((value) => String(value))
  }

  function bodies(): fc.Arbitrary<MadeRequest['body']> {
    const content = Object.entries(operation.description.requestBody?.content ?? {})[0]
    if (!content) return fc.constant(null)
    const [type, { schema }] = content
    if (type === 'application/json') {
      return values('body', schema, contract).map((value) => JSON.stringify(value))
    }
    if (isBytes(type)) return fc.constantFrom(...pictures)
    const { file: _, ...fields } = (schema.properties ?? {}) as Record<string, Json>
    return fc.record({
      files: fc.tuple(
        fc.record({ bytes: fc.constantFrom(...pictures), name: fc.string({ unit: 'grapheme' }) }),
      ),
      fields: fc
        .record(
          Object.fromEntries(
            Object.entries(fields).map(([name, field]) => [name, formField(name, field)]),
          ),
          { requiredKeys: [] },
        )
        .map((record) => Object.entries(record) as [string, string][]),
    })
  }

  function formField(name: string, schema: Json): fc.Arbitrary<string> {
    if (name === 'metadata')
      return fc.dictionary(fc.string(), fc.jsonValue()).map((v) => JSON.stringify(v))
    if (name === 'tag_ids') return fc.nat(9).map((n) => `@tag:${n}`)
    return values(name, schema, contract).map((value) => String(value))
  }
}

const isBytes = (type: string) => type === 'application/offset+octet-stream'

const conditions = fc.oneof(
  fc.nat(9).map((n) => `t=@tag:${n}`),
  fc.constantFrom(
    'r=1',
    'r=0',
    'm=image/jpeg',
    'm~image/%',
    'm~%',
    't=00000000-0000-0000-0000-000000000000',
  ),
)
const filters = fc
  .letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      conditions,
      tie('expression').map((inner) => `!,${inner}`),
      fc
        .tuple(tie('expression'), fc.constantFrom('&', '|'), tie('expression'))
        .map((parts) => parts.join()),
      tie('expression').map((inner) => `(,${inner},)`),
    ),
  }))
  .expression.map((expression) => `{${expression}}`)

/**
 * Returns parameters that go together: a cursor excludes an anchor and another sort, and few
 * filtered lists have the anchor in them.
 */
function withoutQuarrels(given: Record<string, string | undefined>): typeof given {
  const { cursor, anchor, ...others } = given
  if (cursor !== undefined && given.search === undefined) {
    const { sort: _sort, order: _order, ...rest } = others
    return { cursor, ...rest }
  }
  const isAround = anchor !== undefined && given.filter === undefined
  return isAround ? { anchor, ...others } : others
}

function queryText(values: Record<string, string | undefined>): string {
  const parameters = Object.entries(values as Record<string, string>).map(
    // `@kind:number` stays legible.
    ([name, value]) =>
      `${name}=${encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@').replaceAll('%3A', ':')}`,
  )
  return parameters.length > 0 ? `?${parameters.join('&')}` : ''
}
