import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const LARGE = 2 ** 30
/** More than any server takes. */
const LARGEST = 2 ** 46
const PIECE = Buffer.alloc(2 ** 16)
const TIMES = 3

describe('an answer to who is still sending', () => {
  let server: SpawnedServer
  before(async () => {
    server = await spawnServer()
  })
  after(() => server.stop())

  /** Sends a body without end, as a proxy does, and returns what was answered until that failed. */
  const answerTo = (target: string, headers: string[]): Promise<string> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = []
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      const send = () => {
        while (socket.writable && socket.write(PIECE));
      }
      socket.on('data', (chunk) => chunks.push(chunk)).on('drain', send)
      socket.on('error', () => {}).on('close', () => resolve(Buffer.concat(chunks).toString()))
      const head = [`POST ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers]
      socket.write(`${head.join('\r\n')}\r\n\r\n`, send)
    })

  const file = (length: number) => [
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${length}`,
  ]
  const refusals: Record<string, { target: string; headers: string[]; code: string }> = {
    'without a token': { target: '/api/v1/files', headers: file(LARGE), code: 'unauthorized' },
    'at no path': { target: '/api/v1/nothing', headers: file(LARGE), code: 'not_found' },
  }
  for (const [how, { target, headers, code }] of Object.entries(refusals)) {
    it(`arrives whole, of an upload ${how}`, async () => {
      for (let time = 0; time < TIMES; time++) {
        const answer = await answerTo(target, headers)
        assert.match(answer, /\r\nConnection: close\r\n/i)
        assert.match(answer, new RegExp(`\\{"code":"${code}",.*\\}`))
      }
    })
  }

  it("arrives whole, of an upload that is larger than the runtime's own limit", async () => {
    const signedIn = await fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password: server.adminPassword }),
    })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const headers = [`Authorization: Bearer ${access_token}`, ...file(LARGEST)]
    const answer = await answerTo('/api/v1/files', headers)
    assert.match(answer, /^HTTP\/1\.1 413 .*\{"code":"payload_too_large",.*\}/s)
  })
})
