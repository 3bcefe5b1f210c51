import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { picture } from '../../support/harness.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

describe('the TypeScript of the documentation', () => {
  let server: SpawnedServer
  let file: string

  before(async () => {
    server = await spawnServer()
    // Inside the package, so that its own name is found, as it is by who has installed it.
    const folder = await mkdtemp(join(ROOT, 'data/documented-'))
    file = join(folder, 'example.ts')
    const page = await readFile(join(ROOT, 'docs/api.md'), 'utf8')
    await writeFile(file, /\n## The client of Tagstead itself\n.*?```ts\n(.*?)```/s.exec(page)![1]!)
  })

  after(async () => {
    await server.stop()
    await rm(dirname(file), { recursive: true })
  })

  // The compiler is the same on both runtimes, and slow.
  it('compiles', { skip: !('Bun' in globalThis) && 'needs Bun' }, () => {
    const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT)
    // What belongs to this project alone; who uses the client need not have it.
    const { allowImportingTsExtensions: _, ...others } = options
    const program = ts.createProgram([file], others)
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    assert.deepEqual(messages, [])
  })

  it('runs', async () => {
    const photo = join(dirname(file), 'beach.jpg')
    const bytes = await picture(1)
    await writeFile(photo, bytes)
    const [program, ...args] = commandLine(undefined, file)
    const { stdout } = await run(program, args, {
      env: {
        ...process.env,
        URL: server.url,
        PASSWORD: server.adminPassword,
        PHOTO: photo,
      },
    })
    const [listed, ...others] = stdout.trimEnd().split('\n')
    assert.match(listed!, /^beach\.jpg \d{4}-/)
    assert.deepEqual(others, [`${bytes.length} bytes`, 'not_found', 'start', 'done'])
  })
})
