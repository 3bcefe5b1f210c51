import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { ENGINES, type Engine, openEngine, withoutEngine } from '../../support/s3/engines.ts'
import { settingsOf } from '../../support/s3/signed.ts'
import { THIS_RUNTIME } from '../../support/spawn.ts'

const BUN = ['--no-env-file', 'test', '--timeout=600000']

/** What asks for no content, is about the data folder, or has a store of its own. All other suites run on one. */
const OTHERS = [
  ...['acl', 'audit', 'auth', 'background', 'base', 'bench', 'categories', 'changes', 'db', 'docs'],
  ...['duplicates', 'http/clients', 'http/openapi', 'keep', 'long-changes', 'media', 'on-node'],
  ...['operations', 'pools', 'releases', 'retention', 'slow', 'status'],
  ...['support', 'tags', 'torture', 'users', 'web'],
  ...['files/companions', 'files/filter', 'files/find', 'files/overview', 'files/places'],
  // They break the folder of the contents, make backups, and have a store beside it.
  ...['files/commit.test.ts', 'imports/backup-dir.test.ts', 'imports/others-folders.test.ts'],
  'files/content/places.test.ts',
]

const ALL = process.env.MATRIX === 'all'
/** Those that ask most of contents; with MATRIX=all, the rest as well. */
const CHOSEN = ALL
  ? /./
  : /^(dav\/dav|exports|files\/(archive|content|edit|upload)|http\/ranges|imports\/import|shares\/links|uploads)/

const SUITES = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && path.includes('/'))
  .filter((path) => CHOSEN.test(path))
  .filter((path) => !OTHERS.some((other) => path === other || path.startsWith(`${other}/`)))
  .sort()

/** Milliseconds for all tests of a suite, in a process of its own. */
const LONG = 600_000

/** Those of a whole library; the ones with thousands of requests only with MATRIX=all. */
const FOR_ENGINES = SUITES.filter(
  (path) =>
    /\bopenLibrary\b/.test(readFileSync(join('test', path), 'utf8')) &&
    (ALL || !/archive\/(archive|sidecars)|shares/.test(path)),
)

async function run(suite: string, contents: Record<string, string>): Promise<void> {
  const flags = THIS_RUNTIME === 'bun' ? BUN : ['--import', 'tsx', '--test']
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [...flags, `./test/${suite}`], {
    env: { ...env, ...contents },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  assert.equal(code, 0, (await said).join('\n'))
}

describe('with contents in a store, the suite', () => {
  for (const suite of SUITES) {
    it(`${suite} holds`, { timeout: LONG }, () => run(suite, { TEST_CONTENTS: 's3' }))
  }
})

for (const name of ENGINES) {
  describe(`with contents in ${name}, the suite`, { skip: withoutEngine(name) }, () => {
    let engine: Engine
    before(async () => {
      engine = await openEngine(name)
    })
    after(() => engine?.close())

    for (const suite of FOR_ENGINES) {
      it(`${suite} holds`, { timeout: LONG }, async () => {
        await run(suite, { TEST_STORE: JSON.stringify(settingsOf(engine)) })
      })
    }
  })
}
