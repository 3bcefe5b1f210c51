import { z } from 'zod'

export type Json = Record<string, unknown>

/** Turns schemas into JSON Schema and collects the named ones. */
export interface Schemas {
  /** Returns the JSON Schema of what the schema accepts; a reference when it has a name. */
  input(schema: z.ZodType): Json
  /** Returns the JSON Schema of what the schema outputs; a reference when it has a name. */
  output(schema: z.ZodType): Json
  /** Returns the named schemas seen so far, by name. */
  named(): Record<string, Json>
}

// Shown where a schema has no examples of its own.
const EXAMPLES: Record<string, string> = {
  uuid: '018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f',
  'date-time': '2024-05-06T07:08:09.000Z',
}

const PLACE = '#/components/schemas/'

/** Returns a converter for one document; a schema's name is the `id` of its metadata. */
export function createSchemas(): Schemas {
  const named = new Map<string, Json>()
  const known = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() }

  // Many operations name the same schema, and a large one takes long to convert.
  function convertOnce(schema: z.ZodType, io: 'input' | 'output'): Json {
    const converted = known[io].get(schema) ?? convert(schema, io)
    known[io].set(schema, converted)
    return converted
  }

  function convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod
        // Zod omits the default where a transformation follows, but a client needs it.
        if (def.type === 'default') jsonSchema.default = def.defaultValue
        const given = z.globalRegistry.get(zodSchema)?.default
        if (given !== undefined) jsonSchema.default = given as typeof jsonSchema.default
        if (io === 'input' && jsonSchema.type === 'integer') jsonSchema.format = 'int64'
        simplify(jsonSchema as Json, io)
        const example = EXAMPLES[jsonSchema.format ?? '']
        if (example !== undefined) jsonSchema.examples ??= [example]
      },
    })
    // A named schema comes as a reference to its own definition.
    const { $defs = {}, $schema: _, ...root } = relocate(converted as Json)
    for (const [name, { id: _, ...definition }] of Object.entries($defs as Record<string, Json>)) {
      named.set(name, definition)
    }
    return root
  }

  return {
    input: (schema) => convertOnce(schema, 'input'),
    output: (schema) => convertOnce(schema, 'output'),
    named: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

// References must point into the document instead of into the schema.
function relocate(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${PLACE}`))
}

// Removes what another keyword of the schema already says.
function simplify(schema: Json, io: 'input' | 'output'): void {
  const isFormatted = schema.format === 'uuid' || schema.format === 'date-time'
  if (isFormatted || schema.type === 'integer' || schema.type === 'boolean') delete schema.pattern
  if (io === 'output') {
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  }
  // This says only that the names of properties are strings.
  delete schema.propertyNames
  // A later version may answer with more properties.
  if (schema.additionalProperties === false) delete schema.additionalProperties
}
