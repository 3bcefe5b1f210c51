import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Hono } from 'hono'
import { z } from 'zod'
import { SLOWEST } from '../../src/http/clients/pace.ts'
import type { AppEnv } from '../../src/http/env.ts'
import { jsonText } from '../../src/http/json.ts'
import { ndjson } from '../../src/http/stream.ts'
import { validBody } from '../../src/http/validate.ts'
import { eventually } from '../support/eventually.ts'
import { raw, type SmallServer, startSmallServer } from '../support/small-server.ts'

const WINDOW = 100
/** Where the API takes such a body. */
const TEXT = '/api/v1/auth/login'
let server: SmallServer
/** What became of the events that were asked for. */
let events: { begun: number; signal: AbortSignal; isOver: boolean }

/** Whether the page that was asked for is out, or given up. */
let page: { isOver: boolean }

before(async () => {
  server = await startSmallServer(
    (app) => {
      app.post(
        TEXT,
        validBody(z.object({ text: z.string() }), {
          pace: { window: WINDOW, bytes: Number.POSITIVE_INFINITY },
        }),
        (c) => c.json(c.req.valid('json')),
      )
      app.get('/events', (c) =>
        ndjson(
          c,
          async function* (signal) {
            events = { begun: 0, signal, isOver: false }
            try {
              // More than the kernel takes off our hands for a client that reads nothing.
              for (; events.begun < 50; events.begun++) yield { text: 'x'.repeat(2 ** 20) }
            } finally {
              events.isOver = true
            }
          },
          { window: WINDOW, bytes: 1 },
        ),
      )
      // More than the kernel takes off our hands, too.
      app.get('/page', (c) => {
        page = { isOver: false }
        const pace = c.req.query('calm') === undefined ? { window: WINDOW, bytes: 1 } : SLOWEST
        const answer = jsonText(c, `"${'x'.repeat(50 * 2 ** 20)}"`, 200, pace)
        void c.var.sent?.then(() => {
          page.isOver = true
        })
        return answer
      })
      app.get('/few', (c) =>
        ndjson(c, async function* () {
          yield* [{ n: 1 }, { n: 2 }]
          if (c.req.query('broken')) throw new Error('in between')
        }),
      )
      // What they answer when all is well is their own.
    },
    { errorsOnly: true },
  )
})
after(() => server.stop())

const post = (length: number, start: string) =>
  `POST ${TEXT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${length}\r\n\r\n${start}`

describe('a JSON body', () => {
  for (const start of ['', '{"text":']) {
    it(`that stops arriving after "${start}" is 408, and ends the connection`, async () => {
      const answer = await raw(server, post(20, start))
      assert.match(answer, /^HTTP\/1\.1 408 /)
      assert.match(answer, /\r\nconnection: close\r\n/i)
      assert.match(answer, /"code":"timeout"/)
    })
  }

  it('that never pauses is 408 as well when it goes on for too long', async () => {
    let timer: ReturnType<typeof setInterval> | undefined
    const answer = await raw(server, post(1000, '{"text":"'), (send) => {
      timer = setInterval(() => send(Buffer.from('x')), WINDOW / 10)
    })
    clearInterval(timer)
    assert.match(answer, /^HTTP\/1\.1 408 /)
  })
})

describe('a stream of events', () => {
  it('is cut off, and what it holds let go of, when the client takes nothing', async () => {
    const client = connect(server.port, '127.0.0.1')
    client.write('GET /events HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'data')
    client.pause()
    await eventually(() => events.isOver)
    assert.ok(events.begun < 50)
    assert.ok(events.signal.aborted)
    let rest = ''
    client.on('data', (bytes) => {
      rest = (rest + bytes.toString('latin1')).slice(-10)
    })
    // Being reset is one way of being cut off.
    client.on('error', () => {})
    client.resume()
    await new Promise((resolve) => client.on('close', resolve))
    // The end of an answer that is whole.
    assert.doesNotMatch(rest, /0\r\n\r\n$/)
  })

  it('is let go of when the client hangs up', async () => {
    const client = connect(server.port, '127.0.0.1')
    client.write('GET /events HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'data')
    client.destroy()
    await eventually(() => events.isOver)
    assert.ok(events.signal.aborted)
  })

  it('comes to its end', async () => {
    const response = await fetch(`${server.url}/few`)
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(await response.text(), '{"n":1}\n{"n":2}\n')
  })

  it('leaves the watch over a silent connection to the server when it is over', async () => {
    let watched = 0
    const app = new Hono<AppEnv>().get('/', (c) =>
      ndjson(c, async function* () {
        yield { n: 1 }
        assert.equal(watched, 0)
        yield { n: 2 }
      }),
    )
    const response = await app.request('/', {}, { watchIdle: () => watched++ })
    assert.equal(await response.text(), '{"n":1}\n{"n":2}\n')
    assert.equal(watched, 1)
  })

  it('that fails is not taken for a whole one', async () => {
    await assert.rejects(fetch(`${server.url}/few?broken=1`).then((response) => response.text()))
  })
})

describe('a long answer as JSON', () => {
  it('that nobody takes is given up, and is under way until then', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.pause()
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(() => page !== undefined)
    assert.equal(page.isOver, false)
    await eventually(() => page.isOver)
    socket.destroy()
  })

  it('that is taken comes whole', async () => {
    const answer = await fetch(`${server.url}/page?calm`)
    assert.equal(answer.headers.get('Content-Type'), 'application/json')
    assert.equal((await answer.text()).length, 50 * 2 ** 20 + 2)
  })
})
