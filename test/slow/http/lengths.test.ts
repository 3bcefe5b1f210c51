import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { form, picture } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { signIn } from '../../torture/upload.ts'

/** Of a content that is not sent in one piece. */
const SIZE = 3 * 2 ** 20

describe('on the wire, the length of', () => {
  let server: SpawnedServer
  let token: string
  let content: Buffer
  let path: string

  before(async () => {
    server = await spawnServer()
    token = await signIn(server)
    const start = await picture()
    content = Buffer.concat([start, randomBytes(SIZE - start.length)])
    const body = form(content, 'large.jpg')
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.url}/api/v1/files`, { method: 'POST', body, headers })
    assert.equal(answer.status, 201)
    const { id } = (await answer.json()) as { id: string }
    path = `/api/v1/files/${id}/content`
  })
  after(() => server.stop())

  /** Sends a request on a connection of its own, and returns the answer as it came. */
  async function send(method: string, more: string[] = []) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const lines = [`Authorization: Bearer ${token}`, 'Host: x', 'Connection: close', ...more]
    socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const end = bytes.indexOf('\r\n\r\n')
    const [first = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
    const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]))
    return { status: first.split(' ')[1], headers, body: bytes.subarray(end + 4) }
  }

  for (const [what, range, [from, to]] of [
    ['a content', [], [0, SIZE]],
    ['a part of it', ['Range: bytes=7-2097151'], [7, 2097152]],
    ['its end', ['Range: bytes=-2000000'], [SIZE - 2_000_000, SIZE]],
  ] as const) {
    it(`${what} is told`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await send(method, [...range])
        assert.equal(status, range.length > 0 ? '206' : '200')
        assert.equal(headers.get('content-length'), String(to - from))
        assert.equal(headers.get('transfer-encoding'), null)
        const part = range.length > 0 ? `bytes ${from}-${to - 1}/${SIZE}` : null
        assert.equal(headers.get('content-range'), part)
        assert.match(headers.get('content-disposition') ?? '', /large\.jpg/)
        assert.ok(body.equals(method === 'GET' ? content.subarray(from, to) : Buffer.alloc(0)))
      }
    })
  }

  it('a content is all that is sent in spite of a range, when it is another one', async () => {
    const { status, body } = await send('GET', ['Range: bytes=7-9', 'If-Range: "another"'])
    assert.equal(status, '200')
    assert.ok(body.includes(content.subarray(-1000)))
  })
})
