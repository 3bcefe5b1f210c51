import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

const LIBRARY = new URL(
  '../../../node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  import.meta.url,
)

let server: SpawnedServer

before(async () => {
  server = await spawnServer()
})

after(() => server.stop())

/** Sends a request without a token, and without compression unless it is asked for. */
function ask(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  return fetch(server.url + path, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...headers },
    // Bun only: the bytes as they come.
    ...({ decompress: false } as RequestInit),
  })
}

function policyOf(response: Response): string[] {
  return response.headers.get('content-security-policy')!.split('; ').sort()
}

/** Everything that the page loads or links to. */
function references(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, reference]) => reference!)
}

async function assetPaths(): Promise<string[]> {
  const html = await (await ask('/docs')).text()
  return references(html).filter((reference) => reference.startsWith('/docs/'))
}

describe('the page of the documentation', () => {
  it('is under a policy that admits this server alone', async () => {
    const response = await ask('/docs')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.deepEqual(policyOf(response), [
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      'media-src blob:',
      "script-src 'self'",
      "style-src 'self'",
    ])
    assert.doesNotMatch(await response.text(), /<script>|<style| style=| on\w+=/)
  })

  it('loads two styles and two scripts, which may be kept for ever', async () => {
    const paths = await assetPaths()
    const names = paths.map((path) => path.split('/').at(-1))
    assert.deepEqual(names, ['swagger-ui.css', 'docs.css', 'swagger-ui.js', 'docs.js'])
    for (const path of paths) {
      const { status, headers } = await ask(path)
      assert.equal(status, 200, path)
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      assert.equal(headers.get('content-type'), `${type}; charset=utf-8`)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; frame-ancestors 'none'",
      )
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('gets the library as npm gave it, compressed for who takes that', async () => {
    const path = (await assetPaths())[2]!
    const plain = Buffer.from(await (await ask(path)).arrayBuffer())
    assert.equal(
      plain.toString().trimEnd(),
      readFileSync(LIBRARY, 'utf8').replace(/\s*\/\/# .*$/, ''),
    )
    const packed = await ask(path, { 'Accept-Encoding': 'br;q=1, gzip;q=0.5' })
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert.equal(packed.headers.get('vary'), 'Accept-Encoding')
    assert.ok(Number(packed.headers.get('content-length')) < plain.length / 3)
    const body = Buffer.from(await packed.arrayBuffer())
    // Node's fetch has unpacked it already.
    assert.deepEqual(body[0] === 0x1f ? gunzipSync(body) : body, plain)
    const refused = await ask(path, { 'Accept-Encoding': 'gzip;q=0, identity' })
    assert.equal(refused.headers.get('content-encoding'), null)
  })

  it('names no other host in what is ours', async () => {
    const [, style, , script] = await assetPaths()
    for (const path of ['/docs', style!, script!]) {
      const text = await (await ask(path)).text()
      assert.doesNotMatch(
        text.replaceAll('http://www.w3.org/2000/svg', ''),
        /https?:|["'(]\/\//,
        path,
      )
    }
  })

  it("has no style of the library's that loads anything", async () => {
    const style = await (await ask((await assetPaths())[0]!)).text()
    assert.doesNotMatch(style, /@import|sourceMappingURL/)
    const urls = [...style.matchAll(/url\(\s*["']?([^)]{5})/g)].map(([, start]) => start)
    assert.deepEqual([...new Set(urls)], ['data:'])
  })

  it('has nothing else to give', async () => {
    const [path] = await assetPaths()
    for (const other of ['/docs/x', '/docs/x/docs.js', `${path}.map`, '/docs/../package.json']) {
      const response = await ask(other)
      assert.equal(response.status, 404, other)
      assert.equal(((await response.json()) as { code: string }).code, 'not_found')
    }
    assert.equal((await ask('/docs', { method: 'POST' })).status, 405)
  })
})

describe('pages, assets and the document', () => {
  it('answer a known version with 304 and HEAD with the same headers', async () => {
    for (const path of ['/docs', '/api/v1/openapi.json', ...(await assetPaths())]) {
      const got = await ask(path)
      const bytes = (await got.arrayBuffer()).byteLength
      const etag = got.headers.get('etag')!
      assert.match(etag, /^"[\w-]{22}"$/)
      const head = await ask(path, { method: 'HEAD' })
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('etag'), etag)
      assert.equal(head.headers.get('content-length'), String(bytes))
      assert.equal((await head.arrayBuffer()).byteLength, 0)

      const known = await ask(path, { 'If-None-Match': `"other", W/${etag}` })
      assert.equal(known.status, 304, path)
      assert.equal(known.headers.get('etag'), etag)
      assert.equal(known.headers.get('cache-control'), got.headers.get('cache-control'))
      assert.ok(known.headers.has('x-request-id'))
      assert.equal((await ask(path, { 'If-None-Match': '"other"' })).status, 200)
    }
  })

  it('have another version when they are compressed', async () => {
    const plain = (await ask('/api/v1/openapi.json')).headers.get('etag')!
    const packed = await ask('/api/v1/openapi.json', { 'Accept-Encoding': 'gzip' })
    assert.equal(packed.headers.get('etag'), plain.replace(/"$/, '-gzip"'))
    const known = { 'Accept-Encoding': 'gzip', 'If-None-Match': plain }
    assert.equal((await ask('/api/v1/openapi.json', known)).status, 200)
  })

  it('are checked before each use when their path stays', async () => {
    for (const path of ['/docs', '/api/v1/openapi.json']) {
      assert.equal((await ask(path)).headers.get('cache-control'), 'public, no-cache')
    }
  })
})
