import { setTimeout } from 'node:timers/promises'

/** An answer that somebody waited for; times in milliseconds since the epoch. */
export interface Probe {
  what: 'health' | 'files'
  start: number
  end: number
  /** 0 when there was no answer. */
  status: number
}

/** Milliseconds. */
const PAUSE = 10

// A program of its own, so that nothing that the attacker does delays it: it asks for the health
// and for a list of files without end, and writes a line about each answer.
const [url, token] = process.argv.slice(2) as [string, string]

async function ask(what: Probe['what'], path: string): Promise<void> {
  for (;;) {
    const start = performance.timeOrigin + performance.now()
    const status = await statusOf(path)
    const probe: Probe = { what, start, end: performance.timeOrigin + performance.now(), status }
    process.stdout.write(`${JSON.stringify(probe)}\n`)
    await setTimeout(PAUSE)
  }
}

async function statusOf(path: string): Promise<number> {
  try {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

await Promise.all([ask('health', '/health'), ask('files', '/api/v1/files')])
