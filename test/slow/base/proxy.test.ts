import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import type { ImportEvent, ImportState } from '../../../src/imports/schema.ts'
import { form, picture } from '../../support/harness.ts'
import { putFile } from '../../support/imports.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { PROXIES, type RunningProxy, startProxy, withoutProxy } from '../../support/proxies.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { PAGE } from '../../support/web-session.ts'

const MB = 2 ** 20
const MOST = 6 * MB
const FORGED = ['203.0.113.1', '127.0.0.1', '203.0.113.2, 203.0.113.3']

for (const name of PROXIES) {
  describe(`the block for ${name} in docs/proxy.md`, { skip: withoutProxy(name) }, () => {
    let server: SpawnedServer
    let proxy: RunningProxy
    let token: string
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>

    before(async () => {
      folder = await temporaryFolder()
      ffmpeg = await fakeFfmpeg(folder.path)
      const env = {
        FFMPEG_PATH: ffmpeg.path,
        TRUSTED_PROXIES: '127.0.0.1',
        AUTH_RATE_LIMIT: String(FORGED.length),
        MAX_UPLOAD_SIZE: `${MOST}B`,
      }
      server = await spawnServer({ env })
      proxy = await startProxy(name, server.url)
      const answer = await signIn(server.adminPassword)
      assert.equal(answer.statusCode, 200)
      token = ((await json(answer)) as { access_token: string }).access_token
    })

    after(async () => {
      await proxy?.stop()
      await server?.stop()
      await folder.remove()
    })

    const call = (
      method: string,
      path: string,
      { headers, body }: { headers?: Record<string, string>; body?: Buffer } = {},
    ) =>
      proxy.ask(`/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...headers },
        ...(body && { body }),
      })
    const signIn = (password: string, from?: string, forged: Record<string, string> = {}) =>
      proxy.ask('/api/v1/auth/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...forged },
        body: JSON.stringify({ name: 'admin', password }),
        ...(from && { from }),
      })
    const upload = async (bytes: Uint8Array) => {
      const { headers, body } = await encoded(form(bytes, 'large.jpg'))
      return call('POST', '/files', { headers, body })
    }

    it('lets a large upload through, and gives back ranges of it', async () => {
      const content = Buffer.concat([await picture(1), randomBytes(5 * MB)])
      const uploaded = await upload(content)
      assert.equal(uploaded.statusCode, 201)
      const { id } = (await json(uploaded)) as { id: string }
      const [first, last] = [3 * MB, 3 * MB + 99_999]
      const part = await call('GET', `/files/${id}/content`, {
        headers: { Range: `bytes=${first}-${last}` },
      })
      assert.equal(part.statusCode, 206)
      assert.equal(part.headers['content-range'], `bytes ${first}-${last}/${content.length}`)
      assert.ok((await buffer(part)).equals(content.subarray(first, last + 1)))
      const whole = await call('GET', `/files/${id}/content`)
      assert.ok((await buffer(whole)).equals(content))
    })

    it("passes on the server's own answer to one that is too large", async () => {
      const refused = await upload(Buffer.concat([await picture(2), randomBytes(MOST)]))
      assert.equal(refused.statusCode, 413)
      assert.equal(((await json(refused)) as { code: string }).code, 'payload_too_large')
    })

    it('passes on each event when it happens', async () => {
      putFile(join(server.dataDir, 'import'), 'film.webm', WEBM)
      ffmpeg.answer('waits')
      const stream = await call('POST', '/files/import')
      assert.equal(stream.statusCode, 200)
      const events = eventsOf(stream)
      assert.deepEqual((await events.next()).value, { type: 'start', total: 1 })
      // The film takes as long as nobody lets it go on.
      const { state } = (await json(await call('GET', '/files/import'))) as ImportState
      assert.equal(state, 'running')
      await ffmpeg.waiting()
      await ffmpeg.goOn()
      assert.equal((await events.next()).value.status, 'imported')
      assert.equal((await events.next()).value.type, 'done')
      assert.ok((await events.next()).done)
    })

    it('names the client, whatever that says of itself', async () => {
      for (const address of FORGED) {
        const forged = { 'X-Forwarded-For': address, Forwarded: `for=${address}` }
        assert.equal((await signIn('wrong', '127.0.0.3', forged)).resume().statusCode, 401)
      }
      const forged = { 'X-Forwarded-For': '203.0.113.4' }
      assert.equal((await signIn('wrong', '127.0.0.3', forged)).resume().statusCode, 429)
      assert.equal((await signIn('wrong', '127.0.0.4')).resume().statusCode, 401)
    })

    it('tells that the client came by HTTPS, whatever that says', async () => {
      for (const scheme of ['http', 'https', 'http, http']) {
        const answer = await proxy.ask('/web/session', {
          method: 'POST',
          headers: { ...PAGE, 'X-Forwarded-Proto': scheme },
          body: JSON.stringify({ name: 'admin', password: server.adminPassword }),
        })
        assert.equal(answer.resume().statusCode, 200)
        const cookies = answer.headers['set-cookie']!
        assert.equal(cookies.length, 2)
        for (const cookie of cookies) assert.match(cookie, /^__Secure-.*; Secure$/)
      }
    })

    it('is not taken for one that the settings forgot', () => {
      assert.doesNotMatch(server.output(), /TRUSTED_PROXIES/)
    })
  })
}

/** Returns a form as a client sends it. */
async function encoded(body: FormData) {
  const request = new Request('http://127.0.0.1', { method: 'POST', body })
  const headers = { 'Content-Type': request.headers.get('Content-Type')! }
  return { headers, body: Buffer.from(await request.arrayBuffer()) }
}

async function* eventsOf(stream: IncomingMessage): AsyncGenerator<ImportEvent> {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
}
