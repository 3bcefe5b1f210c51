import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { parseConfig } from '../src/base/config.ts'
import { openForServer } from '../src/library.ts'
import { generateTypes, TYPES_FILE } from './client-types.ts'

// `npm run client`: asks a server of this code for its document and writes the types that follow.
const folder = mkdtempSync(join(tmpdir(), 'tagstead-client-'))
const settings = { DATA_DIR: folder, FFMPEG_PATH: '', LOG_LEVEL: 'silent' }
const { deps, close } = await openForServer(parseConfig(settings))
const document = await createApp(deps).request('/api/v1/openapi.json')
writeFileSync(TYPES_FILE, await generateTypes(await document.text()))
await close()
rmSync(folder, { recursive: true })
