import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { without } from '../../support/media/media.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const skip = without('script', '--version')

describe('a new password on a terminal', { skip }, () => {
  let server: SpawnedServer
  before(async () => {
    server = await spawnServer()
  })
  after(() => server.stop())

  const quoted = (parts: string[]) => parts.map((part) => `'${part}'`).join(' ')
  const ask = quoted([...commandLine(), 'user', 'password', 'admin'])
  /**
   * Runs a shell command on a terminal, and calls `asked` with what it has shown so far and its input each time
   * that it asks for something. Returns the exit code and all that it has shown.
   */
  async function onTerminal(
    command: string,
    asked: (shown: string, input: NodeJS.WritableStream) => void,
    path = process.env.PATH,
  ) {
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { PATH: path, DATA_DIR: server.dataDir },
      cwd: tmpdir(),
    })
    let shown = ''
    let count = 0
    child.stdout.on('data', (chunk) => {
      shown += chunk
      const questions = shown.match(/(admin"|Again): /g) ?? []
      while (count < questions.length) {
        count++
        asked(shown, child.stdin)
      }
    })
    const [code] = await once(child, 'close')
    return { code, shown }
  }
  const login = (password: string) =>
    fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password }),
    })

  it('is asked for twice, and not shown', async () => {
    const answers = (...typed: string[]) =>
      onTerminal(ask, (_, input) => input.write(`${typed.shift()}\n`))
    const other = await answers('first secret', 'second secret')
    assert.equal(other.code, 1)
    assert.match(other.shown, /the two passwords differ/)
    const same = await answers('a third secret', 'a third secret')
    assert.equal(same.code, 0)
    assert.doesNotMatch(other.shown + same.shown, /secret/)
    assert.equal((await login('a third secret')).status, 200)
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`has what is typed shown again after ${signal}`, async () => {
      const own = `sh -c 'echo "pid $$"; exec "$@"' sh ${ask}; echo "ended with $?"`
      const { shown } = await onTerminal(`${own}; stty -a`, (sofar) => {
        process.kill(Number(/pid (\d+)/.exec(sofar)?.[1]), signal)
      })
      assert.match(shown, new RegExp(`ended with ${128 + constants.signals[signal]}\\b`))
      assert.match(shown, / echo /)
    })
  }

  it('is not asked for where it would be shown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tagstead-'))
    const stty = join(folder, 'stty')
    writeFileSync(stty, '#!/bin/sh\nexit 1\n')
    chmodSync(stty, 0o755)
    const path = `${folder}:${process.env.PATH}`
    const { code, shown } = await onTerminal(ask, (_, input) => input.write('a secret\n'), path)
    assert.equal(code, 1)
    assert.match(shown, /Tagstead can't user: the terminal would show the password/)
    assert.doesNotMatch(shown, /secret|admin": /)
    rmSync(folder, { recursive: true })
  })
})
