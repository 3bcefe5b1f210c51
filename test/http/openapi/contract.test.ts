import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answered } from '../../support/contract/contract.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'

describe('the judge of answers', () => {
  let library: Library
  let content: string
  let token: string

  before(async () => {
    library = await openLibrary()
    token = (await library.join('admin', { is_admin: true })).token
    const { body } = await library.upload(token, await picture())
    content = `/files/${body.id}/content`
  })
  after(() => library.close())

  /** What a request is answered with, some of it made another. */
  async function answer(method: string, path: string, spoilt: Partial<Answered> = {}) {
    const { status, headers, text } = await library.call(method, path, { token })
    const isText = method === 'HEAD' || headers.get('Content-Type')?.includes('json')
    const own = { method, path: `/api/v1${path}`, status, headers: new Headers(headers) }
    return { ...own, text: isText ? text : null, ...spoilt }
  }

  async function without(method: string, path: string, name: string, value?: string) {
    const answered = await answer(method, path)
    answered.headers.delete(name)
    if (value !== undefined) answered.headers.set(name, value)
    return answered
  }

  const refuses = (answered: Answered, message: RegExp) =>
    assert.throws(() => library.contract.check(answered), { name: 'AssertionError', message })

  it('takes what the document says', async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const path of [content, '/users/me', '/openapi.json', '/files/x/thumbnail']) {
        library.contract.check(await answer(method, path))
      }
    }
  })

  it('refuses another status, a field too many, and a type that is not there', async () => {
    refuses(await answer('GET', content, { status: 201 }), /not in the document of getFileContent/)
    const { text } = await answer('GET', '/users/me')
    const more = JSON.stringify({ ...JSON.parse(text!), password: '' })
    refuses(await answer('GET', '/users/me', { text: more }), /must NOT have additional properties/)
    refuses(await without('GET', content, 'Content-Type', 'text/html'), /text\/html is no content/)
    refuses(await without('GET', content, 'Content-Type'), /undefined is no content type/)
    refuses(await answer('GET', '/nowhere', { status: 200 }), /has no such operation/)
  })

  it('refuses a header that is missing or no number', async () => {
    for (const method of ['GET', 'HEAD']) {
      refuses(await without(method, content, 'ETag'), /there is no ETag/)
      refuses(await without(method, content, 'Content-Length', 'x'), /must be integer/)
    }
    refuses(await without('HEAD', content, 'Content-Length'), /there is no Content-Length/)
  })

  it('holds HEAD against HEAD: its statuses, its type, and no body', async () => {
    refuses(
      await answer('HEAD', content, { status: 201 }),
      /not in the document of headFileContent/,
    )
    refuses(await answer('HEAD', content, { text: 'x' }), /HEAD .*content answered 200/)
    refuses(await without('HEAD', content, 'Content-Type', 'text/html'), /text\/html is no content/)
    // Where the document has no HEAD, it is that of GET.
    refuses(await answer('HEAD', '/users/me', { status: 201 }), /not in the document of getSelf/)
    refuses(await answer('HEAD', '/users/me', { text: '{}' }), /HEAD .*users\/me answered 200/)
  })
})
