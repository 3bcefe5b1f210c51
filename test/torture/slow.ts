import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Runtime, spawnServer } from '../support/spawn.ts'

const CLIENTS = 1100
/** How many of them come at once, every tenth of a second. */
const AT_ONCE = 10
/** How long they drip, in milliseconds: beyond the 15 seconds that a JSON body may take. */
const LASTS = 30_000
/** How often each sends a byte, and how often others ask for something, in milliseconds. */
const [DRIP, ASK] = [5000, 100]
/** What others may wait, in milliseconds. */
const BOUND = 1000
/** An address that is nobody's; with SLOW_ADDRESS, one of this machine that they really come from. */
const STRANGER = '203.0.113.7'

/**
 * Lets 1,100 connections of one client send a byte every five seconds, on each runtime, and prints
 * how long others wait for an answer. SLOW_ADDRESS=203.0.113.7 connects from that address, which
 * `ip addr add 203.0.113.7/32 dev lo` gives to the machine.
 */
export async function torture(): Promise<void> {
  for (const runtime of ['bun', 'node'] as const) await drip(runtime)
}

async function drip(runtime: Runtime): Promise<void> {
  const host = process.env.SLOW_ADDRESS
  const env: Record<string, string> = host
    ? { HOST: '0.0.0.0', LOG_LEVEL: 'warn' }
    : { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' }
  const server = await spawnServer({ runtime, env })
  const port = Number(new URL(server.url).port)
  try {
    await worstWait(port, 1000)
    const idle = await worstWait(port, 5000)
    const clients: ReturnType<typeof slowClient>[] = []
    const rush = setInterval(() => {
      for (let n = 0; n < AT_ONCE && clients.length < CLIENTS; n++) {
        clients.push(slowClient({ port, ...(host && { host, localAddress: host }) }))
      }
    }, ASK)
    const busy = await worstWait(port, LASTS)
    clearInterval(rush)
    const refused = clients.filter(({ answer }) => answer() === 503).length
    const cut = clients.filter(({ answer }) => answer() === 408).length
    const rest = clients.filter(({ socket }) => !socket.closed).length
    for (const { socket } of clients) socket.destroy()
    process.stdout.write(
      `slow, ${runtime}: ${CLIENTS} dripping clients, ${refused} refused, ${cut} cut after a while, ` +
        `${rest} left; others waited ${busy.toFixed(0)} ms at most, ${idle.toFixed(0)} ms before\n`,
    )
    assert.ok(refused > 0 && cut > 0)
    assert.ok(busy <= BOUND, `somebody waited ${busy} ms`)
  } finally {
    await server.stop()
  }
}

/** Begins a sign-in, and goes on byte by byte. */
function slowClient(options: { port: number; host?: string; localAddress?: string }) {
  const socket: Socket = connect({ host: '127.0.0.1', ...options })
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${STRANGER}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"name":"',
  )
  const timer = setInterval(() => socket.write('x'), DRIP)
  socket.on('close', () => clearInterval(timer))
  return { socket, answer: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]) }
}

/** Asks on new connections for `lasts` milliseconds; returns the longest wait in milliseconds. */
async function worstWait(port: number, lasts: number): Promise<number> {
  const end = performance.now() + lasts
  let worst = 0
  while (performance.now() < end) {
    const started = performance.now()
    const headers = { Connection: 'close' }
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/users/me`, { headers })
    await response.arrayBuffer()
    assert.equal(response.status, 401)
    worst = Math.max(worst, performance.now() - started)
    await wait(ASK)
  }
  return worst
}
