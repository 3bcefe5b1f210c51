import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { picture } from '../support/harness.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { type Budget, printBudgets } from './budgets.ts'
import { resident } from './measure.ts'

const RUNTIMES = (process.env.BENCH_RUNTIMES ?? 'bun,node').split(',') as Runtime[]
const WAITING = 200
/** Two rounds of requests, each of which waits for 25 seconds. */
const SECONDS = 50
/** Of the clock in `/proc`. */
const TICKS = 100
const HELD = { memory: 20, core: 1, seconds: 3 }

/**
 * Prints what 200 idle windows cost that wait for changes, as a part of what they may: memory, and time of a core
 * beyond that of a server that nobody uses. Then one of them changes a file, and all are to learn of it.
 */
export async function bench(): Promise<void> {
  const budgets: Budget[] = []
  for (const runtime of RUNTIMES) budgets.push(...(await costsOn(runtime)))
  printBudgets(`${WAITING} windows that wait for changes`, budgets)
}

async function costsOn(runtime: Runtime): Promise<Budget[]> {
  const server = await spawnServer({ runtime, env: { AUTH_RATE_LIMIT: '0' } })
  try {
    const tokens: string[] = []
    for (let n = 0; n < WAITING; n++) tokens.push(await signIn(server))
    const file = await upload(server, tokens[0]!)
    // Once each, so that what all requests need is there.
    const places: string[] = []
    for (const token of tokens) places.push((await ask(server, token)).next)
    await setTimeout(5000)
    const idle = await coreOf(server, SECONDS)
    const before = resident(pidOf(server), 'VmRSS')
    let isOver = false
    const windows = tokens.map(async (token, n) => {
      let since = places[n]!
      while (!isOver) {
        const { next, files } = await ask(server, token, since)
        since = next
        if (files.length > 0) return performance.now()
      }
      return 0
    })
    await setTimeout(5000)
    const waiting = await coreOf(server, SECONDS)
    const after = resident(pidOf(server), 'VmRSS')
    const changed = performance.now()
    await edit(server, tokens[0]!, file)
    isOver = true
    const last = Math.max(...(await Promise.all(windows)))
    return [
      { what: `MiB, ${runtime}`, value: after - before, held: HELD.memory },
      { what: `% of a core, ${runtime}`, value: 100 * (waiting - idle), held: HELD.core },
      { what: `s until all know, ${runtime}`, value: (last - changed) / 1000, held: HELD.seconds },
    ]
  } finally {
    await server.stop()
  }
}

/** Returns which part of a core the server takes in the next seconds. */
async function coreOf(server: SpawnedServer, seconds: number): Promise<number> {
  const begun = ticksOf(server)
  await setTimeout(seconds * 1000)
  return (ticksOf(server) - begun) / TICKS / seconds
}

function ticksOf(server: SpawnedServer): number {
  const line = readFileSync(`/proc/${pidOf(server)}/stat`, 'utf8')
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const pidOf = (server: SpawnedServer) => server.process.pid!

async function ask({ url }: SpawnedServer, token: string, since?: string) {
  const query = since === undefined ? '' : `?since=${since}`
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/changes${query}`, { headers })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { next: string; files: string[] | 'many' }
}

async function upload({ url }: SpawnedServer, token: string): Promise<string> {
  const body = new FormData()
  body.set('file', new Blob([Uint8Array.from(await picture())]), 'a.jpg')
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/files`, { method: 'POST', headers, body })
  return ((await answer.json()) as { id: string }).id
}

async function edit({ url }: SpawnedServer, token: string, file: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ notes: 'changed' })
  const answer = await fetch(`${url}/api/v1/files/${file}`, { method: 'PATCH', headers, body })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
}
