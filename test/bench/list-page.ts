import { Agent, get } from 'node:http'
import { Hono } from 'hono'
import { jwtVerify } from 'jose'
import { createApp } from '../../src/app.ts'
import { findSessionUser } from '../../src/auth/queries.ts'
import { type Serving, serve } from '../../src/server.ts'
import { openLibrary, SECRET } from '../support/harness.ts'
import { fillLibrary } from './library.ts'
import { measure, printTable } from './measure.ts'

const FILES = 10_000
const CHECKS = 2000

/**
 * Prints what a list page costs over HTTP, compared with the same page held constant, and what a
 * token check costs.
 */
export async function bench(): Promise<void> {
  const library = await openLibrary()
  const { deps } = library
  const { users } = fillLibrary(deps.db, { files: FILES })
  const { now } = library.time
  const { id: session_id } = deps.db.get<{ id: number }>(
    `INSERT INTO sessions (user_id, user_agent, nonce, generation, rotated_at, started_at,
     expires_at, last_activity) VALUES (?, '', zeroblob(16), 1, ?, ?, ?, ?) RETURNING id`,
    users.ben.id,
    now,
    now,
    now + 86_400_000,
    now,
  )!
  const token = await deps.tokens.signAccess(users.ben.id, session_id)
  const { body } = await library.call('GET', '/files', { token })
  const constant = new Hono().get('/constant', (c) => c.json(body))
  const options = { host: '127.0.0.1', port: 0, log: deps.log }
  const servers = [await serve(createApp(deps), options), await serve(constant, options)] as const
  try {
    await benchPages(servers, token)
    const currentDate = new Date(now)
    await benchTokens({
      jose: () => jwtVerify(token, SECRET, { currentDate }),
      warm: () => deps.tokens.verifyAccess(token),
      session: () => findSessionUser(deps.db, { user_id: users.ben.id, session_id, now }),
    })
  } finally {
    for (const server of servers) await server.stop()
    await library.close()
  }
}

async function benchPages([app, constant]: readonly [Serving, Serving], token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Authorization: `Bearer ${token}` }
  const fetched = (url: string) => () =>
    new Promise<number>((resolve, reject) => {
      get(url, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        answer.on('end', () => resolve(bytes))
      }).on('error', reject)
    })
  const timed = async (name: string, url: string) => {
    const request = fetched(url)
    const bytes = await request()
    await measure(request, { budget: 500, runs: 1000 })
    return { name, bytes, ...(await measure(request, { budget: 2000, runs: 5000 })) }
  }
  const floor = await timed('/health: HTTP and this client alone', `${app.address}/health`)
  const still = await timed('the page held constant, c.json', `${constant.address}/constant`)
  const page = await timed('a list page of 50', `${app.address}/api/v1/files`)
  const share = (p50: number) => (still.p50 - floor.p50) / (p50 - floor.p50)
  printTable(
    'a list page over HTTP, one request after the other',
    [floor, still, page].map(({ name, bytes, p50, p99 }) => ({
      request: name,
      kB: bytes / 1000,
      p50,
      p99,
      'constant ÷ it': still.p50 / p50,
      'less /health': p50 > floor.p50 ? share(p50) : '',
    })),
  )
  agent.destroy()
}

async function benchTokens(checks: Record<'jose' | 'warm' | 'session', () => unknown>) {
  const each = async (check: () => unknown) => {
    const many = async () => {
      for (let i = 0; i < CHECKS; i++) await check()
    }
    return ((await measure(many, { budget: 1000 })).p50 / CHECKS) * 1000
  }
  const jose = await each(checks.jose)
  const rows = [
    { check: "jose's verify", µs: jose },
    { check: 'a warm token', µs: await each(checks.warm) },
    { check: 'its user and session', µs: await each(checks.session) },
  ]
  printTable(
    'a token check',
    rows.map((row) => ({ ...row, '÷ jose': row.µs / jose })),
  )
}
