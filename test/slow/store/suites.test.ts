import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { THIS_RUNTIME } from '../../support/spawn.ts'

const BUN = ['--no-env-file', 'test', '--timeout=120000']

/** The suites that know no file of a content. */
const SUITES = [
  'files/content',
  'files/range',
  'files/upload',
  'http/ranges',
  'uploads/tus',
  'uploads/store',
]

describe('with contents in a store, the suite', () => {
  for (const suite of SUITES) {
    it(`${suite} holds`, async () => {
      const flags = THIS_RUNTIME === 'bun' ? BUN : ['--import', 'tsx', '--test']
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const child = spawn(process.execPath, [...flags, `./test/${suite}.test.ts`], {
        env: { ...env, TEST_CONTENTS: 's3' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const said = Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await once(child, 'close')
      assert.equal(code, 0, (await said).join('\n'))
    })
  }
})
