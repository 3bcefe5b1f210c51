import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../support/eventually.ts'
import { type HurtingProxy, openHurtingProxy } from '../../support/s3/hurting-proxy.ts'
import { send, sha256, type Target } from '../../support/s3/signed.ts'
import { after, afterEach, before, describe, it } from '../../support/test.ts'

const BODY = Buffer.alloc(300_000, 'a body of some length ')

describe('the proxy that hurts', () => {
  /** What reached the server: the method, the host that was asked, and the bytes of each body so far. */
  let heard: { method: string; host: string | undefined; bytes: Buffer[]; isWhole: boolean }[]
  let server: Server
  let proxy: HurtingProxy
  let target: Target

  before(async () => {
    heard = []
    server = createServer(async (asked, answer) => {
      const bytes: Buffer[] = []
      const one = { method: asked.method!, host: asked.headers.host, bytes, isWhole: false }
      heard.push(one)
      asked.on('error', () => {})
      asked.on('data', (chunk: Buffer) => bytes.push(chunk))
      asked.on('end', () => {
        one.isWhole = true
        answer.writeHead(200, { 'content-length': BODY.length, etag: '"a"' })
        answer.end(BODY)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    proxy = await openHurtingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { endpoint } = proxy
    target = { endpoint, region: 'r', bucket: 'b', accessKey: 'a', secretKey: 's' }
  })

  afterEach(() => {
    proxy.heal()
    heard.length = 0
  })

  after(async () => {
    await proxy.close()
    server.closeAllConnections()
    server.close()
  })

  const put = (key = 'k') => send(target, 'PUT', key, { body: BODY })

  it('lets all pass, with the host that was signed', async () => {
    const answer = await put()
    assert.deepEqual([answer.status, answer.headers.etag], [200, '"a"'])
    assert.equal(sha256(answer.body), sha256(BODY))
    assert.equal(heard[0]?.host, new URL(proxy.endpoint).host)
    assert.equal(sha256(Buffer.concat(heard[0]!.bytes)), sha256(BODY))
  })

  it('answers in place of the server as often as it is told, to the requests that are meant', async () => {
    proxy.hurt({ answer: 503, headers: { 'retry-after': '7' } }, { method: 'PUT', times: 1 })
    assert.equal((await send(target, 'GET', 'k')).status, 200)
    const answer = await put()
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '7'])
    assert.equal((await put()).status, 200)
    assert.deepEqual(
      heard.map(({ method }) => method),
      ['GET', 'PUT'],
    )
  })

  it('cuts the connection before anything is heard', async () => {
    proxy.hurt({ cut: 'connection' }, { path: /\/k$/ })
    await assert.rejects(put())
    assert.equal((await put('another')).status, 200)
    assert.equal(heard.length, 1)
  })

  it('cuts it in the middle of what is sent', async () => {
    proxy.hurt({ cut: 'request', after: 100_000 })
    await assert.rejects(put())
    await eventually(() => Buffer.concat(heard[0]?.bytes ?? []).length === 100_000)
    assert.equal(heard[0]?.isWhole, false)
  })

  it('cuts it in the middle of what is answered, and before', async () => {
    for (const after of [0, 100_000]) {
      proxy.hurt({ cut: 'answer', after }, { times: 1 })
      await assert.rejects(put())
      assert.equal(heard.at(-1)?.isWhole, true)
    }
  })

  it('holds an answer back until it is told', async () => {
    proxy.hurt({ hold: true }, { times: 1 })
    let isThere = false
    const answer = put().then((answer) => {
      isThere = true
      return answer
    })
    await eventually(() => heard[0]?.isWhole)
    assert.equal((await put('another')).status, 200)
    assert.equal(isThere, false)
    proxy.heal()
    assert.equal((await answer).status, 200)
  })

  it('answers slowly, and whole', async () => {
    proxy.hurt({ slow: 1_000_000 })
    assert.equal(sha256((await put()).body), sha256(BODY))
  })
})
