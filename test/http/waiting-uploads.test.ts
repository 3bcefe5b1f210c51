import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { AppError } from '../../src/base/errors.ts'
import type { User } from '../../src/base/user.ts'
import { clientRequests } from '../../src/http/clients/client-requests.ts'
import { createTurns } from '../../src/http/clients/turns.ts'
import { withUpload } from '../../src/http/upload-turn.ts'
import { openStorage } from '../../src/media/storage.ts'
import { eventually } from '../support/eventually.ts'
import { log, raw, type SmallServer, startSmallServer } from '../support/small-server.ts'

const ANN = 1
const HERE = new AbortController().signal
const BODY = Buffer.alloc(2 * 2 ** 20, 'x')
const UPLOAD = Buffer.concat([
  Buffer.from(
    'POST /api/v1/files HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
      `Content-Length: ${2 * BODY.length}\r\n\r\n`,
  ),
  BODY,
])

describe('an upload that waits for its turn', () => {
  let server: SmallServer
  const turns = createTurns({ atOnce: 1, waiting: 1, longest: 1000 })
  /** How many uploads have come, and how many of them were answered. */
  let [come, answered] = [0, 0]
  let endTurn = () => {}

  before(async () => {
    server = await startSmallServer(
      async (app, folder) => {
        const storage = await openStorage(folder)
        const deps = { storage, log, config: { maxUploadSize: 2 ** 23 }, uploadTurns: turns }
        const limits = { clientRequests: 1, trustedProxies: ['127.0.0.1'] }
        app.use(clientRequests({ config: limits, keyOf: (address) => address }))
        app.get('/api/v1/nowhere', () => {
          throw new AppError('not_found', 'There is nothing')
        })
        app.post('/api/v1/files', async (c) => {
          c.set('user', { id: ANN } as User)
          come++
          try {
            return await withUpload(deps, c, async () => c.json({}))
          } finally {
            answered++
          }
        })
      },
      { errorsOnly: true },
    )
    endTurn = await turns.take(ANN, HERE)
  })
  after(async () => {
    endTurn()
    await server.stop()
  })

  it('is refused with 429 and Retry-After when it waits too long', async () => {
    const answer = await raw(server, UPLOAD)
    assert.match(answer, /^HTTP\/1\.1 429 /)
    assert.match(answer, /\r\nretry-after: \d+\r\n/i)
    assert.match(answer, /"code":"rate_limited"/)
  })

  it('gives its place up some time after its client has hung up', async () => {
    ;[come, answered] = [0, 0]
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(UPLOAD)
    await eventually(() => come === 1)
    await assert.rejects(turns.take(ANN, HERE), { message: /Too many uploads/ })
    socket.destroy()
    await eventually(() => answered === 1)
    const client = new AbortController()
    const next = turns.take(ANN, client.signal)
    client.abort()
    await assert.rejects(next, { code: 'validation_error' })
  })
  it('is not counted among the requests of its client until it has its turn', async () => {
    come = 0
    const waiting = raw(server, UPLOAD)
    await eventually(() => come === 1)
    const ask = async () => {
      const headers = { 'X-Forwarded-For': '203.0.113.7' }
      return (await fetch(`${server.url}/api/v1/nowhere`, { headers })).status
    }
    assert.equal(await ask(), 404)
    assert.match(await waiting, /^HTTP\/1\.1 429 /)
    // It was counted again for its answer, and that once.
    await eventually(async () => (await ask()) === 404)
  })
})
