import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { form, picture } from '../../support/harness.ts'
import { commandOf, descendantsOf, isRunning, withoutInsight } from '../../support/processes.ts'
import { runToEnd, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { until } from '../../torture/points/scene.ts'
import { signIn } from '../../torture/upload.ts'

describe('a server with a reader', { skip: withoutInsight }, () => {
  let server: SpawnedServer
  let sent = 1
  before(async () => {
    server = await spawnServer()
  })
  after(() => server.stop('SIGKILL'))

  /** Asks for an overview; returns its total and the processes of the readers. */
  async function asked() {
    const headers = { Authorization: `Bearer ${await signIn(server)}` }
    const url = `${server.url}/api/v1/files`
    await fetch(url, { method: 'POST', headers, body: form(await picture(sent++), 'a.jpg') })
    const timeline = await fetch(`${url}/timeline`, { headers })
    const pids = descendantsOf(server.process.pid!).filter((pid) =>
      commandOf(pid).includes('reader/reader-main'),
    )
    const { total } = (await timeline.json()) as { total: number }
    return { total, pids }
  }

  for (const args of [['backup'], ['check', '--repair'], ['check', '--repair', '--part', '1/2']]) {
    it(`answers by it beside ${args.join(' ')}, which finds nothing in its way`, async () => {
      const { pids, total } = await asked()
      const folder = mkdtempSync(join(tmpdir(), 'tagstead-copies-'))
      const command = args[0] === 'backup' ? [...args, folder] : args
      const env = { DATA_DIR: server.dataDir }
      const [{ code, stderr }, during] = await Promise.all([runToEnd(command, { env }), asked()])
      rmSync(folder, { recursive: true })
      assert.equal(code, 0, stderr)
      const after = await asked()
      assert.deepEqual([during.total, after.total], [total + 1, total + 2])
      assert.deepEqual([during.pids, after.pids], [pids, pids])
    })
  }

  it('leaves none behind when it is asked to end', async () => {
    const { pids } = await asked()
    assert.equal(pids.length, 1)
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
