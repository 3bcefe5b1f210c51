import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Runtime, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { createImporter, type Importer } from '../kill/importer.ts'
import { until } from '../points/scene.ts'
import { callAs } from '../worlds/api.ts'
import { type Client, createClient } from '../worlds/client.ts'
import { checkSound, checkTemporary, withDatabase } from '../worlds/sound.ts'
import type { Call } from '../worlds/steps.ts'

/** A server that is harmed during one request, and what it has acknowledged. */
export interface Scene {
  folder: string
  dataDir: string
  server: SpawnedServer
  call: Call
  client: Client
  importer: Importer
  /** Contents without a row so far. */
  orphans: Set<string>
  start(): Promise<void>
  /** Returns whether the server has ended. */
  ended(): Promise<boolean>
  /**
   * Throws unless the library has what was acknowledged, is sound, and has at most one more content without a row.
   * Returns whether it has what was under way, too.
   */
  check(): Promise<boolean>
  close(): Promise<void>
}

/** What servers are started with: one thread for files, so that its calls can be counted. */
export const SETTINGS = {
  FFMPEG_PATH: '',
  AUTH_RATE_LIMIT: '0',
  LOG_LEVEL: 'silent',
  UV_THREADPOOL_SIZE: '1',
}

export async function openScene(runtime: Runtime | undefined, seed: number): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-faults-'))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const scene = {
    folder,
    dataDir,
    client: createClient({ prefix: 'ann', seed, tail: 2 ** 14 }),
    importer: createImporter(dataDir),
    orphans: new Set<string>(),
  } as Scene
  Object.assign(scene, {
    async start() {
      scene.server = await spawnServer({ dataDir, env: SETTINGS, ...(runtime && { runtime }) })
      scene.call = await callAs(scene.server)
      checkTemporary(dataDir)
    },
    async ended() {
      const { process } = scene.server
      const isThere = await scene.call('GET', '/users/me').then(
        (answer) => answer.text(),
        () => null,
      )
      if (isThere !== null) return false
      await until('the end', () => process.signalCode !== null || process.exitCode !== null)
      return true
    },
    check: () =>
      withDatabase(dataDir, async (db) => {
        await until('no long change', () => db.get('SELECT 1 FROM long_changes') === undefined)
        const isThere = scene.client.compare(db)
        scene.importer.check(db)
        const fresh = checkSound(dataDir, db).filter((blob) => !scene.orphans.has(blob))
        assert.ok(fresh.length <= 1, `${fresh.length} contents without a row`)
        for (const blob of fresh) scene.orphans.add(blob)
        return isThere
      }),
    async close() {
      await scene.server?.stop('SIGKILL')
      rmSync(folder, { recursive: true })
    },
  } satisfies Partial<Scene>)
  await scene.start()
  return scene
}
