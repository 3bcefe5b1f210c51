import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { eventually } from '../../support/eventually.ts'
import { isRunning } from '../../support/processes.ts'
import {
  ENGINES,
  type Engine,
  factsOf,
  openEngine,
  withoutEngine,
} from '../../support/s3/engines.ts'
import { openHurtingProxy } from '../../support/s3/hurting-proxy.ts'
import { type Asked, elements, send, sha256 } from '../../support/s3/signed.ts'
import { after, before, describe, it } from '../../support/test.ts'

/** The least bytes of a part that isn't the last one. */
const PART = 5 * 2 ** 20

// What a store must do for the contents of a library, asked without the library's own client.
for (const name of ENGINES) {
  describe(`the engine ${name}`, { skip: withoutEngine(name) }, () => {
    let engine: Engine
    const ask = (method: string, key: string, asked?: Asked) => send(engine, method, key, asked)
    const statusOf = async (method: string, key: string, asked?: Asked) =>
      (await ask(method, key, asked)).status

    before(async () => {
      engine = await openEngine(name)
    })

    after(async () => {
      const pids = engine.pids()
      await engine.close()
      assert.deepEqual(pids.filter(isRunning), [])
      assert.equal(existsSync(engine.folder), false)
    })

    it('keeps an object with what is said of it, until it is removed', async () => {
      const body = randomBytes(100_000)
      const key = 'a prefix/ä+(b)~/0123'
      const headers = { 'x-amz-meta-sha256': sha256(body) }
      const put = await ask('PUT', key, { body, headers })
      assert.equal(put.status, 200)
      const got = await ask('GET', key)
      assert.deepEqual([got.status, sha256(got.body)], [200, sha256(body)])
      assert.equal(got.headers.etag, put.headers.etag)
      const head = await ask('HEAD', key)
      assert.equal(head.headers['content-length'], '100000')
      assert.equal(head.headers['x-amz-meta-sha256'], sha256(body))
      // Twice, as what works off removals may have to ask again.
      for (const _ of [1, 2]) assert.equal(await statusOf('DELETE', key), 204)
      assert.equal(await statusOf('GET', key), 404)
      assert.equal(await statusOf('HEAD', key), 404)
    })

    it('refuses bytes that have another digest than what was signed', async () => {
      const headers = { 'x-amz-content-sha256': sha256('another text') }
      assert.equal(await statusOf('PUT', 'changed', { body: 'a text', headers }), 400)
      assert.equal(await statusOf('GET', 'changed'), 404)
    })

    it('refuses who has another key', async () => {
      const target = { ...engine, secretKey: 'of somebody else' }
      assert.equal((await send(target, 'PUT', 'foreign', { body: 'a text' })).status, 403)
      assert.equal(await statusOf('GET', 'foreign'), 404)
    })

    it('sends ranges, and 416 for what is outside', async () => {
      const body = randomBytes(3_000_000)
      await ask('PUT', 'film', { body })
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 1],
        ['bytes=999990-1048600', 999_990, 1_048_601],
        ['bytes=2999999-', 2_999_999, 3_000_000],
        ['bytes=2999990-9999999', 2_999_990, 3_000_000],
      ] as const) {
        const got = await ask('GET', 'film', { headers: { range } })
        assert.deepEqual([got.status, sha256(got.body)], [206, sha256(body.subarray(start, end))])
        assert.equal(got.headers['content-range'], `bytes ${start}-${end - 1}/3000000`)
      }
      assert.equal(await statusOf('GET', 'film', { headers: { range: 'bytes=3000000-' } }), 416)
    })

    it('puts parts together, and lists them with their sizes before', async () => {
      const body = randomBytes(PART + 1000)
      const parts = [body.subarray(0, PART), body.subarray(PART)]
      const headers = { 'x-amz-meta-sha256': sha256(body) }
      const uploadId = await begin('large', headers)
      const etags = []
      for (const [n, part] of parts.entries()) {
        const query = { uploadId, partNumber: String(n + 1) }
        const wrong = { 'x-amz-content-sha256': sha256('another text') }
        assert.equal(await statusOf('PUT', 'large', { query, body: part, headers: wrong }), 400)
        // Sent again it takes the place of what was there.
        assert.equal(await statusOf('PUT', 'large', { query, body: `${n} for now` }), 200)
        etags.push((await ask('PUT', 'large', { query, body: part })).headers.etag)
      }
      const { text } = await ask('GET', 'large', { query: { uploadId } })
      assert.deepEqual(elements(text, 'PartNumber'), ['1', '2'])
      assert.deepEqual(elements(text, 'Size'), [String(PART), '1000'])
      assert.equal(await statusOf('GET', 'large'), 404)
      const list = etags.map(
        (etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      )
      const whole = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      const done = await ask('POST', 'large', { query: { uploadId }, body: whole })
      assert.equal(done.status, 200)
      assert.match(done.text, /<CompleteMultipartUploadResult/)
      const got = await ask('GET', 'large')
      assert.equal(sha256(got.body), sha256(body))
      assert.equal(got.headers['x-amz-meta-sha256'], sha256(body))
      const range = `bytes=${PART - 10}-${PART + 9}`
      const seam = await ask('GET', 'large', { headers: { range } })
      assert.equal(sha256(seam.body), sha256(body.subarray(PART - 10, PART + 10)))
    })

    it('lists the uploads in parts that are open, and removes an aborted one', async () => {
      const uploadId = await begin('open/large')
      const query = { uploadId, partNumber: '1' }
      await ask('PUT', 'open/large', { query, body: 'a part' })
      const open = async (prefix: string) => {
        const { text } = await ask('GET', '', { query: { uploads: '', prefix } })
        return elements(text, 'UploadId')
      }
      assert.deepEqual(await open('open/large'), [uploadId])
      assert.deepEqual(await open('open/'), factsOf(name).listsUploads ? [uploadId] : [])
      assert.equal(await statusOf('DELETE', 'open/large', { query: { uploadId } }), 204)
      assert.deepEqual(await open('open/large'), [])
      assert.equal(await statusOf('PUT', 'open/large', { query, body: 'late' }), 404)
      assert.equal(await statusOf('GET', 'open/large'), 404)
    })

    it('lists what is below a prefix, page by page, in order and with sizes', async () => {
      const keys = Array.from({ length: 25 }, (_, n) => `list/${String(n).padStart(3, '0')}`)
      await Promise.all(keys.map((key, n) => ask('PUT', key, { body: 'x'.repeat(n) })))
      await ask('PUT', 'listed beside', { body: 'x' })
      const found: [string, string][] = []
      let pages = 0
      for (let token = ''; ; ) {
        const query: Asked['query'] = { 'list-type': '2', prefix: 'list/', 'max-keys': '10' }
        if (token) query['continuation-token'] = token
        const { text } = await ask('GET', '', { query })
        const sizes = elements(text, 'Size')
        found.push(...elements(text, 'Key').map((key, n) => [key, sizes[n]!] as [string, string]))
        pages += 1
        token = elements(text, 'NextContinuationToken')[0] ?? ''
        if (elements(text, 'IsTruncated')[0] !== 'true') break
      }
      assert.equal(pages, 3)
      assert.deepEqual(
        found,
        keys.map((key, n) => [key, String(n)]),
      )
    })

    if (factsOf(name).isConditional) {
      it('stores one of those that are only for where there is nothing', async () => {
        const headers = { 'if-none-match': '*' }
        assert.equal(await statusOf('PUT', 'marker', { body: 'mine', headers }), 200)
        assert.equal(await statusOf('PUT', 'marker', { body: 'theirs', headers }), 412)
        assert.equal((await ask('GET', 'marker')).text, 'mine')
        for (let round = 0; round < 5; round++) {
          const key = `race/${round}`
          const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map(async (body) => {
            return { body, status: await statusOf('PUT', key, { body, headers }) }
          })
          const answers = await Promise.all(asked)
          const stored = answers.filter(({ status }) => status === 200)
          assert.equal(stored.length, 1, answers.map(({ status }) => status).join())
          assert.equal((await ask('GET', key)).text, stored[0]!.body)
        }
      })
    } else {
      // So a marker needs more there than the answer to its PUT.
      it('stores what is only for where there is nothing over what there is', async () => {
        const headers = { 'if-none-match': '*' }
        for (const body of ['mine', 'theirs']) {
          assert.equal(await statusOf('PUT', 'marker', { body, headers }), 200)
          assert.equal((await ask('GET', 'marker')).text, body)
        }
      })
    }

    it('has nothing of an object whose bytes did not all arrive', async () => {
      const proxy = await openHurtingProxy(engine.endpoint)
      try {
        proxy.hurt({ cut: 'request', after: 500_000 })
        const through = { ...engine, endpoint: proxy.endpoint }
        await assert.rejects(send(through, 'PUT', 'half', { body: randomBytes(1_000_000) }))
        await eventually(async () => (await statusOf('GET', 'half')) === 404)
        proxy.heal()
        assert.equal((await send(through, 'PUT', 'half', { body: 'whole' })).status, 200)
        assert.equal((await ask('GET', 'half')).text, 'whole')
      } finally {
        await proxy.close()
      }
    })

    it('has all that it has answered for after a SIGKILL, and nothing by half', async () => {
      let acknowledged = 0
      for (let round = 0; round < 3; round++) {
        const bodies = Array.from({ length: 40 }, (_, n) => randomBytes(n * 10_000))
        const states = new Array<'asked' | 'stored' | 'lost'>(bodies.length).fill('asked')
        const asked = bodies.map(async (body, n) => {
          const status = await statusOf('PUT', `killed/${round}/${n}`, { body }).catch(() => 0)
          states[n] = status === 200 ? 'stored' : 'lost'
        })
        await Promise.race(asked)
        await engine.kill()
        await Promise.all(asked)
        await engine.restart()
        for (const [n, body] of bodies.entries()) {
          const got = await ask('GET', `killed/${round}/${n}`)
          if (states[n] === 'stored') acknowledged += 1
          else if (got.status === 404) continue
          assert.deepEqual([got.status, sha256(got.body)], [200, sha256(body)], states[n])
        }
      }
      assert.ok(acknowledged >= 3)
    })

    async function begin(key: string, headers: Record<string, string> = {}): Promise<string> {
      const { text } = await ask('POST', key, { query: { uploads: '' }, headers })
      return elements(text, 'UploadId')[0]!
    }
  })
}
