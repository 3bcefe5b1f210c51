import type { Json } from '../../../src/http/openapi/json-schema.ts'
import { fc } from '../property.ts'
import type { Contract } from './contract.ts'

/** The kinds of objects that ids belong to, by the names of their fields. */
const KINDS: [pattern: RegExp, kind: string][] = [
  [/upload_id/, 'upload'],
  [/shared_id/, 'shared'],
  [/share_id/, 'share'],
  [/tag_id/, 'tag'],
  [/category_id/, 'category'],
  [/pool_id/, 'pool'],
  [/user_id/, 'user'],
  [/session_id/, 'session'],
  [/object_id/, 'object'],
  [/file_id|keep|discard|anchor/, 'file'],
]

/** Returns values that the schema describes; `name` tells what kind of object an id belongs to. */
export function values(name: string, schema: Json, contract: Contract): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, enum: options, type, ...rest } = contract.resolve(schema)
  const among = (anyOf ?? oneOf) as Json[] | undefined
  if (among) return fc.oneof(...among.map((one) => values(name, one, contract)))
  if (options) return fc.constantFrom(...(options as unknown[]))
  if ('const' in rest) return fc.constant(rest.const)
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((one) => values(name, { ...rest, type: one }, contract)))
  }
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(name, rest)
    case 'array': {
      const items = values(name, rest.items as Json, contract)
      return fc.array(items, { maxLength: 4 })
    }
    case 'object':
      return objects(rest, contract)
    default:
      return texts(name, rest)
  }
}

function integers(name: string, { minimum = 0, maximum = 1000 }: Json): fc.Arbitrary<unknown> {
  const kind = kindOf(name)
  if (kind) return fc.nat(9).map((n) => `@${kind}:${n}`)
  return fc.oneof(
    fc.constantFrom(minimum as number, maximum as number),
    fc.integer({ min: minimum as number, max: maximum as number }),
  )
}

function objects({ properties, required }: Json, contract: Contract): fc.Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })
  const fields = Object.entries(properties as Record<string, Json>)
  return fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, values(name, field, contract)])),
    { requiredKeys: (required ?? []) as string[] },
  )
}

function texts(
  name: string,
  { format, pattern, minLength = 0, maxLength = 40 }: Json,
): fc.Arbitrary<string> {
  const kind = kindOf(name)
  if (format === 'uuid') {
    return fc.oneof(
      { weight: 9, arbitrary: fc.nat(9).map((n) => `@${kind ?? 'file'}:${n}`) },
      fc.uuid(),
    )
  }
  if (format === 'date-time') {
    const [min, max] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')]
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  }
  const lengths = { minLength: minLength as number, maxLength: Math.min(maxLength as number, 40) }
  const likely = fc.constantFrom('name', 'Strandbad')
  if (!pattern) return fc.oneof(fc.string({ ...lengths, unit: 'grapheme' }), likely)
  const matching = new RegExp(pattern as string)
  const made = fc.oneof(
    fc.stringMatching(matching),
    fc.string({ ...lengths, unit: 'grapheme' }),
    likely,
  )
  return made.filter((text) => matching.test(text) && [...text].length >= lengths.minLength)
}

function kindOf(name: string): string | undefined {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1]
}
