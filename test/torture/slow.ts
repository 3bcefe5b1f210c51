import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commandLine, type Runtime, spawnServer } from '../support/spawn.ts'

const CLIENTS = 1100
/** How many of them come every tenth of a second. */
const PACES = [10, CLIENTS]
/** How long they drip, in milliseconds: beyond the 15 seconds that a JSON body may take. */
const LASTS = 30_000
/** How often others ask for something, and how long they do so before, in milliseconds. */
const [ASK, BEFORE] = [100, 5000]
/** What others may wait, in milliseconds, or how many times as long as with a bare server. */
const [BOUND, TIMES] = [1000, 3]

/**
 * Lets 1,100 connections of one client send a byte every five seconds, on each runtime, slowly and all
 * at once, and prints how long others wait for an answer. Since the machine may be busy, a server that
 * does nothing is asked in the same way. SLOW_ADDRESS=203.0.113.7 connects from that address, which
 * `ip addr add 203.0.113.7/32 dev lo` gives to the machine.
 */
export async function torture(): Promise<void> {
  for (const atOnce of PACES) {
    const bare = await dripOnBare(atOnce)
    for (const runtime of ['bun', 'node'] as const) await drip(runtime, atOnce, bare)
  }
}

async function drip(runtime: Runtime, atOnce: number, bare: number): Promise<void> {
  const host = process.env.SLOW_ADDRESS
  const env: Record<string, string> = host ? { HOST: '0.0.0.0' } : { TRUSTED_PROXIES: '127.0.0.1' }
  const server = await spawnServer({ runtime, env: { ...env, LOG_LEVEL: 'warn' } })
  const port = Number(new URL(server.url).port)
  try {
    await worstWait(port, 1000)
    const idle = await worstWait(port, BEFORE)
    const clients = slowClients(port, atOnce, LASTS)
    const busy = await worstWait(port, LASTS)
    const { refused, cut, left } = JSON.parse(await clients)
    process.stdout.write(
      `slow, ${runtime}, ${atOnce} at once: ${CLIENTS} dripping clients, ${refused} refused, ` +
        `${cut} cut after a while, ${left} left; others waited ${busy.toFixed(0)} ms at most, ` +
        `${idle.toFixed(0)} ms before, ${bare.toFixed(0)} ms with a bare server\n`,
    )
    assert.ok(refused > 0 && cut > 0)
    assert.ok(busy <= Math.max(BOUND, TIMES * bare), `somebody waited ${busy} ms`)
  } finally {
    await server.stop()
  }
}

/** Returns what others wait at a server that answers everybody at once. */
async function dripOnBare(atOnce: number): Promise<number> {
  const child = start('./slow/bare.ts', [])
  const [printed] = await once(child.stdout, 'data')
  const port = Number(printed)
  await worstWait(port, 1000)
  const clients = slowClients(port, atOnce, BEFORE)
  const worst = await worstWait(port, BEFORE)
  await clients
  child.kill()
  return worst
}

/** Lets the clients drip in a process of their own; returns what it prints. */
function slowClients(port: number, atOnce: number, lasts: number): Promise<string> {
  const args = [port, CLIENTS, atOnce, lasts, process.env.SLOW_ADDRESS ?? ''].map(String)
  return text(start('./slow/drip.ts', args).stdout)
}

function start(file: string, args: string[]) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [program, ...own] = commandLine('node', path)
  return spawn(program, [...own, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
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
