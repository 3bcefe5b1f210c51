import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { VERSION } from '../../src/base/version.ts'
import { ALSO_PUBLIC, PUBLIC } from '../support/contract/specification.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { signInToPage } from '../support/web-session.ts'

const ID = '00000000-0000-7000-8000-000000000000'

describe('the cookies of the page alone', () => {
  let library: Library
  let cookies: string
  before(async () => {
    library = await openLibrary()
    await library.addUser('Ann', { is_admin: true })
    const { jar } = await signInToPage(library, 'Ann')
    cookies = `${jar.cookie('s')}; ${jar.cookie('m')}`
  })
  after(() => library.close())

  it('open no operation of the API', async () => {
    const operations = library.contract.operations.filter(
      ({ method, path }) =>
        path.startsWith('/api/v1/') && ![...PUBLIC, ...ALSO_PUBLIC].includes(`${method} ${path}`),
    )
    assert.ok(operations.length > 70)
    for (const { method, path } of operations) {
      const headers = { Cookie: cookies, 'Content-Type': 'application/json', 'X-Tagstead': '1' }
      const place = path.replace('{object_type}', 'file').replaceAll(/\{\w+\}/g, ID)
      const body = ['GET', 'HEAD'].includes(method) ? null : '{}'
      const response = await library.request(place, { method, headers, body })
      assert.equal(response.status, 401, `${method} ${path}`)
    }
  })
})

describe('the version of the server', () => {
  let library: Library
  before(async () => {
    library = await openLibrary()
  })
  after(() => library.close())

  it('stands in every answer under /api and /web, errors included', async () => {
    const asks: [method: string, path: string][] = [
      ['GET', '/api/v1/openapi.json'],
      ['GET', '/api/v1/files'],
      ['GET', '/api/v1/nowhere'],
      ['PUT', '/api/v1/files'],
      ['POST', '/web/session'],
      ['GET', '/web/session'],
      ['GET', '/web/nowhere'],
      ['GET', `/web/media/x/${ID}/thumbnail`],
      ['HEAD', `/web/media/x/${ID}/content`],
    ]
    for (const [method, path] of asks) {
      const response = await library.request(path, { method })
      assert.equal(response.headers.get('Tagstead-Version'), VERSION, `${method} ${path}`)
    }
  })
})
