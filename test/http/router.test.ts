import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { createRouter } from '../../src/http/router.ts'

const ROUTES: [method: string, path: string][] = [
  ['ALL', '/*'],
  ['GET', '/health'],
  ['ALL', '/api/*'],
  ['GET', '/api/files'],
  ['POST', '/api/files'],
  ['GET', '/api/files/duplicates'],
  ['GET', '/api/files/:file_id'],
  ['PATCH', '/api/files/:file_id'],
  ['GET', '/api/tags/:tag_id/files'],
]
const PATHS = [
  ...ROUTES.map(([, path]) => path),
  '/',
  '/healthy',
  '/api/files/',
  '/api/files/1',
  '/api/files/2',
  '/api/tags/1/files',
]

function add(router: Router<string>): Router<string> {
  for (const [method, path] of ROUTES) router.add(method, path, `${method} ${path}`)
  return router
}

describe('the router', () => {
  it("finds what Hono's own finds, the first time and again", () => {
    const router = add(createRouter<string>())
    const own = add(new TrieRouter<string>())
    for (let time = 0; time < 2; time++) {
      for (const path of PATHS) {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
          assert.deepEqual(router.match(method, path), own.match(method, path), method + path)
        }
      }
    }
  })

  it('finds a route that is added later', () => {
    const router = add(createRouter<string>())
    assert.equal(router.match('DELETE', '/health')[0].length, 1)
    router.add('DELETE', '/health', 'later')
    assert.deepEqual(
      router.match('DELETE', '/health')[0].map(([handler]) => handler),
      ['ALL /*', 'later'],
    )
    router.add('ALL', '*', 'last')
    assert.equal(router.match('GET', '/health')[0].at(-1)?.[0], 'last')
  })
})
