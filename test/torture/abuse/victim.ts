import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { unwatchAnswers } from '../../support/contract/watch.ts'
import { type Runtime, spawnServer } from '../../support/spawn.ts'
import type { Ask, Came } from './attacks.ts'
import { type Bystander, startBystander } from './bystander.ts'
import { PASSWORD } from './library.ts'

const PEOPLE = ['root', 'ann', 'ben', 'cat', 'dan']
/** MiB. A server that has more is killed, so that the attack stays on this machine's good side. */
const MOST_MEMORY = 6144
const LOOK_AT_MEMORY = 50

/** What a server takes. */
export interface Usage {
  /** The most memory, in MiB. */
  memory: number
  /** Seconds that its main thread ran, on which all requests wait for each other. */
  cpu: number
}

/** A server under attack, with somebody who looks on. */
export interface Victim {
  ask: Ask
  bystander: Bystander
  /** Returns what the server took since the last call; 0 when the system doesn't tell. */
  usage(): Usage
  /** What ended the server before its time, or null. */
  ended(): string | null
  stop(): Promise<void>
}

/** Starts a server on the folder; requests end when `signal` says so. */
export async function startVictim(
  dataDir: string,
  runtime: Runtime,
  signal: () => AbortSignal,
): Promise<Victim> {
  const server = await spawnServer({
    dataDir,
    runtime,
    env: { TRUSTED_PROXIES: '127.0.0.1,::1', DUPLICATE_RESCAN_INTERVAL: '0', LOG_LEVEL: 'error' },
  })
  // Answers of gigabytes are counted here, not judged.
  unwatchAnswers(server.url)
  const { pid } = server.process
  let end: string | null = null
  let isStopping = false
  let cpu = 0
  const guard = setInterval(() => {
    if (memoryOf(pid, 'VmRSS') < MOST_MEMORY) return
    end = `killed at ${MOST_MEMORY} MiB`
    server.process.kill('SIGKILL')
  }, LOOK_AT_MEMORY)
  server.process.once('close', (code, how) => {
    clearInterval(guard)
    if (!isStopping) end ??= `the server ended with ${how ?? code}`
  })
  const tokens = new Map<string, string>()

  const ask: Ask = async (method, path, { as = 'root', body, headers } = {}) => {
    const token = tokens.get(as)
    try {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method,
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal(),
      })
      return { status: response.status, bytes: await countBytes(response) }
    } catch {
      return { status: 0, bytes: 0 }
    }
  }

  for (const name of PEOPLE) {
    const response = await fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, password: PASSWORD }),
    })
    const { access_token } = (await response.json()) as { access_token?: string }
    if (access_token !== undefined) tokens.set(name, access_token)
  }
  const bystander = startBystander(server.url, tokens.get('cat')!)
  return {
    ask,
    bystander,
    usage: () => {
      const memory = memoryOf(pid, 'VmHWM')
      const before = cpu
      cpu = cpuOf(pid) || before
      if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
      return { memory, cpu: cpu - before }
    },
    ended: () => end,
    stop: async () => {
      isStopping = true
      bystander.stop()
      clearInterval(guard)
      await server.stop('SIGKILL')
    },
  }
}

async function countBytes(response: Response): Promise<Came['bytes']> {
  let bytes = 0
  if (!response.body) return bytes
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
  }
  return bytes
}

/** Returns for how many seconds the main thread of a process has run, or 0 as below. */
function cpuOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return 0
  }
}

/** Returns a field of a process's memory in MiB, or 0 when the process or /proc isn't there. */
function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
