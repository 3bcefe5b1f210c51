import { writeFileSync } from 'node:fs'
import { openLibrary } from '../harness.ts'
import { generateTypes, TYPES_FILE } from './client-types.ts'

const library = await openLibrary()
const document = await library.call('GET', '/openapi.json')
await library.close()
writeFileSync(TYPES_FILE, await generateTypes(document.text))
