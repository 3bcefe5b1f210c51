import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/** Where the types of the client are kept. */
export const TYPES_FILE = fileURLToPath(new URL('../src/client/api.d.ts', import.meta.url))

const BIOME = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'))
const HEAD = '// Made by `npm run client` from the OpenAPI document; changes are lost.\n\n'

/** Returns the text of the file of types for an OpenAPI document, which is given as JSON. */
export async function generateTypes(document: string): Promise<string> {
  const tree = await openapiTS(document, {
    // The sender of a body may leave out what has a default.
    defaultNonNullable: false,
    transform: (schema) =>
      'contentMediaType' in schema ? ts.factory.createTypeReferenceNode('Blob') : undefined,
  })
  return execFileSync(
    process.execPath,
    [BIOME, 'format', '--stdin-file-path=src/client/api.d.ts'],
    {
      input: HEAD + astToString(tree),
      encoding: 'utf8',
    },
  )
}
