import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { refused } from '../support/refused.ts'
import { THIS_RUNTIME } from '../support/spawn.ts'

/** Two cores may have a lot to do, and Bun's own limit is five seconds. */
const LONG = { timeout: 60_000 }
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-bin-'))
})
after(() => rm(folder, { recursive: true }))

describe('bin/tagstead.mjs', () => {
  const bin = fileURLToPath(new URL('../../bin/tagstead.mjs', import.meta.url))
  const run = (args: string[] = []) =>
    spawn('node', [bin, ...args], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        ADMIN_PASSWORD: 'x',
        DATA_DIR: join(folder, 'bin'),
        TAGSTEAD_RUNTIME: THIS_RUNTIME,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const address = async (child: ReturnType<typeof run>) => {
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      const found = / is at (\S+)\n/.exec(output)?.[1]
      if (found) return found
    }
    throw new Error(`no address in ${output}`)
  }

  it('passes arguments, output, exit codes and signals through', LONG, async () => {
    const failed = run(['fly'])
    let complaint = ''
    failed.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    assert.deepEqual(await once(failed, 'close'), [2, null])
    assert.match(complaint, /^Unknown: fly\n\nUsage: tagstead/)
    const child = run()
    const exit = once(child, 'exit')
    await address(child)
    child.kill('SIGTERM')
    assert.deepEqual(await exit, [0, null])
  })

  it('leaves no server behind when it is killed', LONG, async () => {
    const child = run()
    const { port } = new URL(await address(child))
    child.kill('SIGKILL')
    await refused(Number(port))
  })
})
