import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../../src/db/client.ts'
import { blobToUuid } from '../../../src/db/columns.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { addOldFiles } from '../kill/old-files.ts'
import { callAs } from '../worlds/api.ts'
import { checkSound, withDatabase } from '../worlds/sound.ts'
import type { Call } from '../worlds/steps.ts'

/** A server that many ask at the same moment. */
export interface Scene {
  folder: string
  dataDir: string
  server: SpawnedServer
  call: Call
  /** How many ask at once. */
  ways: number
  /** Ids of as many files. */
  files: string[]
}

/** An answer, as far as races look at it. */
interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: each race knows what it asks for
  body: any
}

/** Runs `work` with a server whose library has as many files as may ask at once; it is sound afterwards, or this throws. */
export async function withScene(
  { ways, runtime }: { ways: number; runtime?: Runtime },
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-races-'))
  const dataDir = join(folder, 'data')
  const env = { FFMPEG_PATH: '', AUTH_RATE_LIMIT: '0', LOG_LEVEL: 'error' }
  const start = () => spawnServer({ dataDir, env, ...(runtime && { runtime }) })
  let server = await start()
  try {
    await server.stop()
    const files = await withDatabase(dataDir, (db) => {
      addOldFiles(dataDir, db, ways, 'race')
      return idsOf(db)
    })
    server = await start()
    await work({ folder, dataDir, server, call: await callAs(server), ways, files })
    await withDatabase(dataDir, (db) => checkSound(dataDir, db))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

const idsOf = (db: Db) =>
  db.all<{ id: Uint8Array }>('SELECT id FROM files ORDER BY rid').map(({ id }) => blobToUuid(id))

/** Sends a request and returns the whole answer. */
export async function ask(call: Call, ...request: Parameters<Call>): Promise<Answer> {
  const response = await call(...request)
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** Does something so many times at once. */
export function atOnce<T>(ways: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: ways }, (_, n) => work(n)))
}

/** Returns how often each status came. */
export function statuses(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
