import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { clientRequests } from '../../src/http/clients/client-requests.ts'
import { sendFile } from '../../src/http/ranges.ts'
import { streamFile } from '../../src/media/file-bytes.ts'
import { eventually } from '../support/eventually.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { type SmallServer, startSmallServer } from '../support/small-server.ts'
import { THIS_RUNTIME } from '../support/spawn.ts'

const LIMIT = 3
const STRANGER = '203.0.113.7'

/** A request whose body has not come to its end yet. */
function begin(library: Library, peer: string, headers: Record<string, string> = {}) {
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      finish = () => {
        controller.enqueue(Buffer.from('{}'))
        controller.close()
      }
    },
  })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  init.headers = { 'Content-Type': 'application/json', ...headers }
  const answer = library.request('/api/v1/auth/login', init, { peer })
  return { finish: () => finish(), answer }
}

describe('the requests of one client', () => {
  let library: Library
  before(async () => {
    library = await openLibrary({ CLIENT_REQUESTS: String(LIMIT), TRUSTED_PROXIES: '192.0.2.1' })
  })
  after(() => library.close())

  /** Returns the status of one more request of `peer` while the limit's number is under way. */
  async function oneMore(peer: string, headers: Record<string, string> = {}, next = peer) {
    const underWay = Array.from({ length: LIMIT }, () => begin(library, peer, headers))
    const { status } = await library.call('GET', '/users/me', { peer: next, headers })
    for (const request of underWay) request.finish()
    for (const request of underWay) assert.equal((await request.answer).status, 400)
    return status
  }

  it('are 503 with Retry-After beyond the limit, until one of them is answered', async () => {
    const [first, ...others] = Array.from({ length: LIMIT }, () => begin(library, STRANGER))
    const refused = await library.call('GET', '/users/me', { peer: STRANGER })
    assert.equal(refused.status, 503)
    assert.equal(refused.body.code, 'busy')
    assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/)
    assert.equal(refused.headers.get('Connection'), 'close')
    // Before everything else: even where there is nothing.
    assert.equal((await library.call('GET', '/nowhere', { peer: STRANGER })).status, 503)
    first!.finish()
    await first!.answer
    assert.equal((await library.call('GET', '/users/me', { peer: STRANGER })).status, 401)
    for (const { finish, answer } of others) {
      finish()
      await answer
    }
  })

  it('are refused a few at a time, so that others do not wait for it', async () => {
    const underWay = Array.from({ length: LIMIT }, () => begin(library, STRANGER))
    let refused = 0
    const rush = Array.from({ length: 200 }, async () => {
      const { status } = await library.call('GET', '/users/me', { peer: STRANGER })
      assert.equal(status, 503)
      refused++
    })
    assert.equal((await library.call('GET', '/users/me', { peer: '203.0.113.8' })).status, 401)
    assert.ok(refused < rush.length / 2, `${refused} were refused first`)
    await Promise.all(rush)
    for (const { finish } of underWay) finish()
    for (const { answer } of underWay) await answer
  })

  it('are let in when there is room before they are refused', async () => {
    const underWay = Array.from({ length: LIMIT }, () => begin(library, STRANGER))
    const rush = Array.from({ length: 100 }, () =>
      library.call('GET', '/users/me', { peer: STRANGER }),
    )
    for (const { finish } of underWay) finish()
    for (const { answer } of underWay) assert.equal((await answer).status, 400)
    const statuses = (await Promise.all(rush)).map(({ status }) => status)
    assert.equal(statuses.at(-1), 401)
  })

  it('do not count against others', async () => {
    assert.equal(await oneMore(STRANGER, {}, '203.0.113.8'), 401)
  })

  it('are those of its whole /64 network', async () => {
    assert.equal(await oneMore('2001:db8::1', {}, '2001:db8::ffff:2'), 503)
    assert.equal(await oneMore('2001:db8::1', {}, '2001:db8:0:1::1'), 401)
  })

  it('are those of the client whom a trusted proxy names, at home or not', async () => {
    assert.equal(await oneMore('192.0.2.1', { 'X-Forwarded-For': STRANGER }), 503)
    assert.equal(await oneMore('192.0.2.1', { 'X-Forwarded-For': '192.168.1.4' }), 401)
    assert.equal(await oneMore('192.0.2.1'), 401)
    assert.equal(await oneMore(STRANGER, { 'X-Forwarded-For': '127.0.0.1' }), 503)
  })

  for (const peer of [
    ...['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.4', '169.254.1.1', 'fd00::1', 'fe80::1%eth0'],
  ]) {
    it(`are not counted for ${peer}`, async () => assert.equal(await oneMore(peer), 401))
  }

  for (const peer of ['172.32.0.1', '11.0.0.1', '192.169.0.1', 'fec0::1', '::ffff:203.0.113.7']) {
    it(`are counted for ${peer}`, async () => assert.equal(await oneMore(peer), 503))
  }

  it('are not counted with 0', async () => {
    const open = await openLibrary({ CLIENT_REQUESTS: '0' })
    const underWay = Array.from({ length: 100 }, () => begin(open, STRANGER))
    assert.equal((await open.call('GET', '/users/me', { peer: STRANGER })).status, 401)
    for (const request of underWay) request.finish()
    for (const request of underWay) await request.answer
    await open.close()
  })
})

describe('an answer', () => {
  const PATH = '/api/v1/files/x/content'
  /** More than the kernel takes off the server's hands. */
  const CONTENT = randomBytes(32 * 2 ** 20)
  let server: SmallServer

  before(async () => {
    server = await startSmallServer(async (app, folder) => {
      await writeFile(join(folder, 'x'), CONTENT)
      const config = { clientRequests: LIMIT, trustedProxies: ['127.0.0.1'] }
      app.use(clientRequests({ config, keyOf: (address) => address }))
      app.get(PATH, (c) =>
        sendFile(c, {
          stream: (range) => streamFile(join(folder, 'x'), range),
          size: CONTENT.length,
          etag: '"v1"',
          modified: Date.UTC(2026, 0, 1),
          isDateStrong: true,
          headers: { 'Content-Type': 'video/mp4', 'Content-Disposition': 'inline' },
        }),
      )
    })
  })
  after(() => server.stop())

  const ask = async () => {
    const headers = { 'X-Forwarded-For': STRANGER, Range: 'bytes=0-9' }
    const response = await fetch(server.url + PATH, { headers })
    await response.arrayBuffer()
    return response.status
  }
  const isAdmitted = async () => (await ask()) === 206

  /** Asks for the whole content and takes the beginning of it. */
  async function beginToTake(): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${STRANGER}\r\nConnection: close\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.pause()
    return socket
  }

  it('is not under way any more when its client hangs up before its turn on the connection', async () => {
    const get = (client: string) =>
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\n\r\n`
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    // The first answer, that of a client at home, keeps those of the stranger from being sent.
    socket.write(get('192.168.1.4') + get(STRANGER).repeat(LIMIT))
    // Bun hangs up itself on whoever asks for more during such an answer.
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    socket.pause()
    if (THIS_RUNTIME === 'node') assert.equal(await ask(), 503)
    socket.destroy()
    await eventually(isAdmitted)
  })

  it('is under way until it has been taken to its end, or the client hangs up', async () => {
    const sockets = []
    for (let n = 0; n < LIMIT; n++) sockets.push(await beginToTake())
    assert.equal(await ask(), 503)
    sockets[0]!.destroy()
    await eventually(isAdmitted)
    sockets[0] = await beginToTake()
    assert.equal(await ask(), 503)
    sockets[1]!.on('data', () => {})
    sockets[1]!.resume()
    await once(sockets[1]!, 'close')
    await eventually(isAdmitted)
    for (const socket of sockets) socket.destroy()
  })
})
