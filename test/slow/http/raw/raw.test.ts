import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type SpawnedServer, spawnServer, THIS_RUNTIME } from '../../../support/spawn.ts'
import { CASES, LAST } from './cases.ts'

describe('on a connection', () => {
  let server: SpawnedServer

  before(async () => {
    server = await spawnServer({ env: { AUTH_RATE_LIMIT: '0' } })
  })
  after(() => server.stop())

  /**
   * Sends bytes, then `LAST`, and returns what came back until the server closed the connection, or what
   * came first if it `rests` then.
   */
  async function send(bytes: string, rests = false): Promise<string> {
    const chunks: Buffer[] = []
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        if (rests) socket.destroy()
      })
      // Being reset is one way of being refused.
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.write(Buffer.from(bytes + LAST, 'latin1'))
    })
    return Buffer.concat(chunks).toString('latin1')
  }

  const statuses = (answers: string) =>
    [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]).join()

  for (const { name, bytes, answers, rests } of CASES) {
    it(`${name} is answered as it should be`, async () => {
      const allowed = Array.isArray(answers) ? answers : answers[THIS_RUNTIME]
      const got = statuses(await send(bytes, rests === THIS_RUNTIME))
      assert.ok(allowed.includes(got), `answered with "${got}", not "${allowed.join('" or "')}"`)
    })
  }

  it('nothing of all that became a request of its own, nor ended the server', async () => {
    assert.equal((await fetch(`${server.url}/health`)).status, 200)
    assert.equal(server.process.exitCode, null)
    assert.match(server.output(), /"path":"\/nowhere"/)
    assert.doesNotMatch(server.output(), /smuggled/)
  })

  it('a Host that is there twice is answered with an error that says so', async () => {
    const answer = await send('GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n')
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.match(answer, /"details":\[\{"field":"Host","message":"must be sent only once"\}\]/)
  })
})
