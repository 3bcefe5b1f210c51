import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { Contract } from '../../support/contract/contract.ts'
import { ownContract } from '../../support/contract/own-document.ts'
import { picture } from '../../support/harness.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const LANGUAGES = { Go: 'go', Python: 'python', TypeScript: 'ts' }

let page: string
let contract: Contract

before(async () => {
  page = await readFile(join(ROOT, 'docs/api.md'), 'utf8')
  contract = await ownContract()
})

/** Returns the block of a language below a heading of the page. */
function block(heading: string, language: string): string {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`))
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section)![1]!
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name!)
}

const snake = (name: string) => name.replaceAll(/([A-Z])/g, '_$1').toLowerCase()
const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1)

describe('the page of the API', () => {
  it('is linked from the README, and has a client in three lines for each language', async () => {
    assert.match(await readFile(join(ROOT, 'README.md'), 'utf8'), /\]\(docs\/api\.md\)/)
    for (const [heading, language] of Object.entries(LANGUAGES)) {
      assert.equal(block(heading, 'sh').trimEnd().split('\n').length, 3, heading)
      assert.match(block(heading, 'sh'), /\$URL\/api\/v1\/openapi\.json/)
      assert.ok(block(heading, language).length > 500)
    }
  })

  it('calls what the generator of Go makes of the document', () => {
    const program = block('Go', 'go')
    const ids = contract.operations.map(({ id }) => pascal(id))
    const called = found(program, /api\.(\w+?)(?:WithBody)?WithResponse\(/g)
    assert.deepEqual(called, ['Login', 'UploadFile', 'ListFiles', 'GetFileContent'])
    for (const name of called) assert.ok(ids.includes(name), name)
    assert.ok(found(program, /JSON(\d+)\./g).length > 2)
  })

  it('calls what the generator of Python makes of the document', () => {
    const program = block('Python', 'python')
    const modules = [...program.matchAll(/from tagstead\.api\.(\w+) import (.+)/g)]
    const imported = modules.flatMap(([, tag, names]) => {
      return names!.split(', ').map((name) => `${tag}.${name}`)
    })
    const known = contract.operations.map(({ id, description }) => {
      return `${description.tags[0]!.toLowerCase()}.${snake(id)}`
    })
    assert.equal(imported.length, 4)
    for (const name of imported) assert.ok(known.includes(name), name)
  })
})

describe('the TypeScript of the page', () => {
  let server: SpawnedServer
  let folder: string
  let file: string

  before(async () => {
    server = await spawnServer()
    // Inside the project, whose modules it finds.
    folder = await mkdtemp(join(ROOT, 'data/api-'))
    file = join(folder, 'photos.mts')
    await writeFile(file, block('TypeScript', 'ts'))
    const document = await (await fetch(`${server.url}/api/v1/openapi.json`)).text()
    await writeFile(join(folder, 'tagstead.d.ts'), astToString(await openapiTS(document)))
  })
  after(async () => {
    await server?.stop()
    if (folder) await rm(folder, { recursive: true })
  })

  // The compiler is the same on both runtimes, and slow.
  it('compiles', { skip: !('Bun' in globalThis) && 'needs Bun' }, () => {
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: ['node'],
    }
    const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
    const told = problems.map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    )
    assert.deepEqual(told, [])
  })

  it('runs', async () => {
    const bytes = await picture(1)
    await writeFile(join(folder, 'beach.jpg'), bytes)
    const [program, ...args] = commandLine(undefined, file)
    const { stdout } = await run(program, args, {
      cwd: folder,
      env: { ...process.env, URL: server.url, PASSWORD: server.adminPassword },
    })
    const [id, size] = stdout.trimEnd().split('\n')
    assert.match(id!, /^[0-9a-f-]{36}$/)
    assert.equal(size, `${bytes.length} bytes`)
  })
})
