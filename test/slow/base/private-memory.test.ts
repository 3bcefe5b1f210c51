import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { without } from '../../support/media/media.ts'
import { commandLine, spawnServer, THIS_RUNTIME } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'

/** Root reads everything by rights that others don't have; neither the server nor the reader gets them here. */
const BARE = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

const skip =
  (process.platform !== 'linux' && 'needs Linux') ||
  (THIS_RUNTIME === 'node' && 'needs Bun, which can call the C library') ||
  (BARE.length > 0 && without(...(BARE as [string, ...string[]]), 'true'))

describe('the environment of a server', () => {
  it('is read by no other process of its account', { skip }, async () => {
    const [program, ...args] = [...BARE, ...commandLine()]
    const server = await spawnServer({ command: [program!, ...args] })
    const read = (pid: string) => {
      const [reader, ...line] = [...BARE, 'sh', '-c', `cat /proc/${pid}/environ`]
      return spawnSync(reader!, line, { encoding: 'utf8' })
    }
    try {
      assert.equal(read('$$').status, 0)
      const { status, stdout, stderr } = read(String(server.process.pid))
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, /Permission denied/)
    } finally {
      await server.stop()
    }
  })
})
