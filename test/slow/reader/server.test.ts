import assert from 'node:assert/strict'
import { form, picture } from '../../support/harness.ts'
import { commandOf, descendantsOf, isRunning, withoutInsight } from '../../support/processes.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { until } from '../../torture/points/scene.ts'
import { signIn } from '../../torture/upload.ts'

describe('a server with a reader', { skip: withoutInsight }, () => {
  let server: SpawnedServer
  before(async () => {
    server = await spawnServer()
  })
  after(() => server.stop('SIGKILL'))

  /** Asks for an overview; returns its total and the processes of the readers. */
  async function asked() {
    const headers = { Authorization: `Bearer ${await signIn(server)}` }
    const url = `${server.url}/api/v1/files`
    await fetch(url, { method: 'POST', headers, body: form(await picture(1), 'a.jpg') })
    const timeline = await fetch(`${url}/timeline`, { headers })
    const pids = descendantsOf(server.process.pid!).filter((pid) =>
      commandOf(pid).includes('reader/reader-main'),
    )
    const { total } = (await timeline.json()) as { total: number }
    return { total, pids }
  }

  it('leaves none behind when it is asked to end', async () => {
    const { total, pids } = await asked()
    assert.deepEqual([total, pids.length], [1, 1])
    assert.equal(await server.stop(), 0)
    assert.ok(!pids.some(isRunning))
    server = await spawnServer()
  })

  it('leaves none behind when it is killed, even one that stands still', async () => {
    const { pids } = await asked()
    process.kill(pids[0]!, 'SIGSTOP')
    await server.stop('SIGKILL')
    await until('no reader', () => !pids.some(isRunning))
    server = await spawnServer()
  })
})
