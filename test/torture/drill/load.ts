import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../../src/db/client.ts'
import type { SpawnedServer } from '../../support/spawn.ts'
import { callAs } from '../worlds/api.ts'
import { type Client, createClient } from '../worlds/client.ts'
import { createHistory, type History, noteChange, objectsOf } from './history.ts'
import { createKeeper } from './keeper.ts'
import { CLIENTS } from './library.ts'

/** People who change a library as fast as it answers, and what they know of it. */
export interface Load {
  history: History
  clients: Client[]
  /** Resolves once each of them has had so many more changes acknowledged; throws what one of them met. */
  goOn(changes: number): Promise<void>
  /** Resolves once all have had their last answer. */
  stop(): Promise<void>
}

/** Bytes that follow a picture at most. */
const TAIL = 2 ** 14

/**
 * Sets the clients at work, who have each a part of the library, and an admin who changes what is beside that; each waits
 * so many milliseconds after an answer.
 */
export async function startLoad(
  server: SpawnedServer,
  db: Db,
  { seed, pause }: { seed: number; pause: number },
): Promise<Load> {
  const history = createHistory()
  const ending = new AbortController()
  const noted = new EventEmitter()
  const counts = new Map<string, number>()
  const count = (name: string) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    noted.emit('noted')
  }
  const clients = CLIENTS.map((prefix, index) =>
    createClient({
      prefix,
      seed: seed + index,
      tail: TAIL,
      onAcknowledged(change) {
        noteChange(history, change)
        count(prefix)
      },
    }),
  )
  for (const client of clients) {
    client.adopt(db)
    for (const [key, state] of objectsOf(client.world)) history.begin(key, state)
  }
  const keeper = await createKeeper(await callAs(server), history, seed)
  const work = async (client: Client) =>
    client.work(await callAs(server, client.prefix), ending.signal, pause)
  const keep = async () => {
    while (!ending.signal.aborted) {
      await keeper.change()
      count('keeper')
      if (pause > 0) await setTimeout(pause)
    }
  }
  const workers = [...clients.map(work), keep()]
  const failed = Promise.all(workers)
  failed.catch(() => noted.emit('noted'))
  const names = [...CLIENTS, 'keeper']
  return {
    history,
    clients,
    async goOn(changes) {
      const before = new Map(counts)
      const isDone = () =>
        names.every((name) => (counts.get(name) ?? 0) - (before.get(name) ?? 0) >= changes)
      const reached = (async () => {
        while (!isDone()) await once(noted, 'noted')
      })()
      await Promise.race([reached, failed.then(() => assert.fail('nobody is at work'))])
    },
    async stop() {
      ending.abort()
      await failed
    },
  }
}
