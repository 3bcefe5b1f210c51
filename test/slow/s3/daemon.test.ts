import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../support/eventually.ts'
import { isRunning } from '../../support/processes.ts'
import { THIS_RUNTIME } from '../../support/spawn.ts'

const module = pathToFileURL(join(import.meta.dirname, '../../support/s3/daemon.ts')).href
const PROGRAM = `
  const { startDaemon } = await import(${JSON.stringify(module)})
  console.log(startDaemon('sleep', ['1000']).pid)
`

it('an engine ends with the test that has started it, even when that is killed', async () => {
  const flags =
    THIS_RUNTIME === 'bun' ? ['--no-env-file'] : ['--import', 'tsx', '--input-type=module']
  const test = spawn(process.execPath, [...flags, '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(test.stdout!, 'data')
  const pid = Number(line)
  assert.ok(isRunning(pid))
  test.kill('SIGKILL')
  await eventually(() => !isRunning(pid))
})
