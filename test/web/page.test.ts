import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Hono } from 'hono'
import sharp from 'sharp'
import type { AppEnv } from '../../src/http/env.ts'
import { requestLog } from '../../src/http/request-log.ts'
import type { Gallery } from '../../src/web/build.ts'
import { galleryRoutes, PAGES } from '../../src/web/routes.ts'
import { log } from '../support/small-server.ts'
import { type SpawnedServer, spawnServer } from '../support/spawn.ts'

let server: SpawnedServer

before(async () => {
  server = await spawnServer()
})

after(() => server.stop())

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { 'Accept-Encoding': 'identity', ...headers } })

/** Everything that the page loads. */
async function loaded(): Promise<string[]> {
  const html = await (await ask('/')).text()
  const references = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, path]) => path!)
  return references.filter((path) => path.startsWith('/web/'))
}

describe('the page of the gallery', () => {
  it('is at each of its addresses, checked before each use', async () => {
    const first = await (await ask('/')).text()
    assert.match(first, /^<!doctype html>/)
    for (const path of PAGES) {
      const response = await ask(path.replace(':id', '0'))
      assert.equal(response.status, 200, path)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(response.headers.get('cache-control'), 'public, no-cache')
      assert.equal(await response.text(), first)
      const etag = response.headers.get('etag')!
      assert.equal((await ask(path, { 'If-None-Match': etag })).status, 304)
    }
  })

  it('is at any other address for browsers, with 404, and an error for everything else', async () => {
    const first = await ask('/')
    const page = await first.text()
    const paths = ['/photos', '/f', '/f/1/2', '/inbox/1', '/tags/', '/keep/nope']
    for (const path of paths) {
      const error = await ask(path)
      assert.equal(error.status, 404, path)
      assert.equal(((await error.json()) as { code: string }).code, 'not_found')
      const shown = await ask(path, {
        Accept: 'text/html,*/*;q=0.8',
        'If-None-Match': first.headers.get('etag')!,
      })
      assert.equal(shown.status, 404, path)
      assert.equal(await shown.text(), page)
      for (const name of ['content-type', 'cache-control', 'content-security-policy', 'etag']) {
        assert.equal(shown.headers.get(name), first.headers.get(name))
      }
      assert.match(shown.headers.get('vary')!, /\bAccept\b(?!-)/)
    }
    const headers = { Accept: 'text/html' }
    for (const path of ['/api', '/api/v1/nope', '/web/nope']) {
      const error = await ask(path, headers)
      assert.equal(((await error.json()) as { code: string }).code, 'not_found', path)
    }
    const head = await fetch(`${server.url}/nope`, { method: 'HEAD', headers })
    assert.deepEqual(
      [head.status, head.headers.get('content-type')],
      [404, first.headers.get('content-type')],
    )
    const sent = await fetch(`${server.url}/nope`, { method: 'POST', headers })
    assert.equal(((await sent.json()) as { code: string }).code, 'not_found')
    const asset = await ask('/web/assets/x.js', headers)
    assert.equal(((await asset.json()) as { code: string }).code, 'not_found')
    assert.equal((await ask('/inbox', headers)).status, 200)
  })

  it('is found by those who come to where albums were before', async () => {
    for (const path of ['/pools', '/pools/5?sort=created&at=7']) {
      const response = await fetch(server.url + path, { redirect: 'manual' })
      assert.equal(response.status, 302)
      assert.equal(response.headers.get('location'), path.replace('pools', 'albums'))
    }
  })

  it('is under a policy that admits this server alone, and no markup from script', async () => {
    const policy = (await ask('/')).headers.get('content-security-policy')!
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "worker-src 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types tagstead-worker',
    ])
    assert.doesNotMatch(await (await ask('/')).text(), /<script>|<style| style=| on\w+=/)
  })

  it('loads one style and one script, and names what is for home screens; all may be kept', async () => {
    const paths = await loaded()
    const names = paths.map((path) => path.replace(/-\w+\./, '-….').replace('/web/assets/', ''))
    assert.deepEqual(names, [
      'manifest-….webmanifest',
      'touch-180-….png',
      'style-….css',
      'part-….js',
    ])
    const types = [
      'application/manifest+json',
      'image/png',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]
    for (const [place, path] of paths.entries()) {
      const { status, headers } = await ask(path)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), types[place])
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    }
  })

  it('can be put on a home screen, with icons of the sizes that are told', async () => {
    const [manifest, touchIcon] = await loaded()
    const { icons, ...rest } = JSON.parse(await (await ask(manifest!)).text())
    assert.deepEqual([rest.name, rest.id, rest.start_url, rest.scope], ['Tagstead', '/', '/', '/'])
    assert.equal(rest.display, 'standalone')
    const purposes = icons.map(({ purpose }: { purpose: string }) => purpose)
    assert.deepEqual(purposes, ['any', 'any', 'maskable'])
    for (const { src, sizes } of [...icons, { src: touchIcon, sizes: '180x180' }]) {
      const bytes = Buffer.from(await (await ask(src)).arrayBuffer())
      const { format, width, height } = await sharp(bytes).metadata()
      assert.deepEqual([format, `${width}x${height}`], ['png', sizes])
      const pixel = await sharp(bytes)
        .ensureAlpha()
        .extract({ left: 0, top: 0, width: 1, height: 1 })
        .raw()
        .toBuffer()
      // Only what keeps its own shape has corners that show what is below.
      assert.equal(pixel[3], src.includes('/icon-') ? 0 : 255, src)
    }
  })
})

describe('the page of a link', () => {
  it('loads a script and a style of its own, which the worker of the gallery does not keep', async () => {
    const response = await ask(`/s/${'A'.repeat(22)}`)
    assert.equal(response.status, 404)
    assert.deepEqual(response.headers.get('content-security-policy')!.split('; '), [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "media-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    const html = await response.text()
    const paths = [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path!)
    const names = paths.map((path) => path.replace(/-\w+\./, '-….').replace('/web/assets/', ''))
    assert.deepEqual(names, ['link-style-….css', 'link-….js'])
    const worker = await (await ask('/worker.js')).text()
    for (const path of paths) {
      assert.equal((await ask(path)).status, 200, path)
      assert.ok(!worker.includes(path), path)
    }
  })
})

describe('the worker of the gallery', () => {
  it('keeps the page and all of its assets, under a policy of its own', async () => {
    const response = await ask('/worker.js')
    const { headers } = response
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, no-cache')
    assert.deepEqual(headers.get('content-security-policy')!.split('; '), [
      "default-src 'none'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    const script = await response.text()
    // Browsers take it for no module.
    assert.doesNotMatch(script, /\b(import|export)\b/)
    const { assets } = JSON.parse(/^const BUILD=(.+?);/.exec(script)![1]!)
    const named = await loaded()
    assert.deepEqual(
      named.filter((path) => !assets.includes(path)),
      [],
    )
    for (const path of assets) {
      assert.match(path, /^\/web\/assets\//)
      assert.equal((await ask(path)).status, 200, path)
    }
  })

  it('gets what other apps share; without it, the page is told that nothing has arrived', async () => {
    const { share_target } = JSON.parse(await (await ask((await loaded())[0]!)).text())
    assert.deepEqual(share_target, {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['image/*', 'video/*'] }] },
    })
    const body = new FormData()
    body.set('files', new Blob(['a picture']), 'a.jpg')
    const url = server.url + share_target.action
    const response = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/?shared'])
  })
})

describe('a gallery that is being worked on', () => {
  it('tells browsers what it loads whenever that changes, and when it ends', async () => {
    const built = (script: string) => ({ script, style: '/s.css' }) as Gallery
    let hear: (gallery: Gallery | null) => void = () => {}
    const app = galleryRoutes({
      gallery: () => Promise.reject(new Error('nobody asks for it')),
      follow(listener) {
        hear = listener
        hear(built('/1.js'))
        return () => {}
      },
    })
    const response = await app.request('/web/changes')
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    hear(built('/2.js'))
    hear(null)
    assert.equal(
      await response.text(),
      'data: {"script":"/1.js","style":"/s.css"}\n\ndata: {"script":"/2.js","style":"/s.css"}\n\n',
    )
  })

  it('is not told of by a server that runs for people', async () => {
    assert.equal((await ask('/web/changes')).status, 404)
  })
})

describe('a gallery that cannot be built', () => {
  it('is told with 503 and the way to the API, and tried again at the next request', async () => {
    let attempts = 0
    const broken = () => {
      attempts++
      return Promise.reject(new Error('no bundler'))
    }
    const app = new Hono<AppEnv>()
      .use(requestLog(log))
      .route('/', galleryRoutes({ gallery: broken }))
    const response = await app.request('/inbox')
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=UTF-8')
    assert.match(await response.text(), /<a href="\/docs">/)
    assert.equal((await app.request('/')).status, 503)
    assert.equal(attempts, 2)
  })
})
