import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isLocked } from '../../../src/db/lock.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { descendantsOf, isRunning } from '../../support/processes.ts'
import { refused } from '../../support/refused.ts'
import { spawnServer, THIS_RUNTIME } from '../../support/spawn.ts'

/** npm takes a second to start, and two cores may have a lot to do. */
const LONG = { timeout: 180_000 }

const OWN: [string, ...string[]] =
  THIS_RUNTIME === 'bun' ? ['npm', 'start'] : ['npm', 'run', 'start:node']
/** How people start a server on this runtime, and what ends it. */
const WAYS: Record<string, { command: [string, ...string[]]; signals: NodeJS.Signals[] }> = {
  npm: { command: OWN, signals: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] },
  npx: { command: ['npx', 'tagstead'], signals: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] },
  // bin.test.ts has the others.
  'bin/tagstead.mjs': { command: ['node', 'bin/tagstead.mjs'], signals: ['SIGHUP'] },
}

describe('a signal to what was started', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-stop-'))
  })
  after(() => rm(folder, { recursive: true }))

  const start = (command: [string, ...string[]], dataDir: string) =>
    spawnServer({
      command,
      dataDir,
      env: { HOME: folder, TAGSTEAD_RUNTIME: THIS_RUNTIME, npm_config_update_notifier: 'false' },
    })
  for (const [way, { command, signals }] of Object.entries(WAYS)) {
    for (const signal of signals) {
      it(`stops the server in order, ${signal} to ${way}`, LONG, async () => {
        const dataDir = join(folder, `${way.replace(/\W/g, '-')}-${signal}`)
        const server = await start(command, dataDir)
        const all = descendantsOf(server.process.pid!)
        const exited = once(server.process, 'exit')
        // The shell between npx and the server swallows one of these, which a terminal sends to all.
        if (signal === 'SIGINT' && way === 'npx') process.kill(-server.process.pid!, signal)
        // It comes to its end when nobody has the output any more.
        await server.stop(signal)
        await exited
        await refused(Number(new URL(server.url).port))
        assert.match(server.output(), /"message":"the server stops","why":"[^"]+"\}\n/)
        const { database, serverLock } = dataFolder(dataDir)
        assert.ok(!isLocked(serverLock))
        assert.ok(!existsSync(`${database}-wal`), 'the database was not closed')
        // Those that only watch the others end after them.
        await eventually(() => !all.some(isRunning))
      })
    }
  }
})
