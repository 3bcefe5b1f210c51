import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Library, openLibrary } from '../support/harness.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** No object has it, whatever kind of id a path asks for. */
const NONE = '00000000-0000-4000-8000-000000000000'
/** Where tus asks what a server can do, which is no operation of the document. */
const ASKED = '/api/v1/uploads'

describe('a method that a path does not accept', () => {
  let library: Library
  let token: string
  /** The methods of each path of the document. */
  let paths: Map<string, string[]>

  before(async () => {
    library = await openLibrary()
    token = (await library.join('admin', { is_admin: true })).token
    paths = new Map()
    for (const { method, path } of library.contract.operations) {
      if (method !== 'HEAD') paths.set(path, [...(paths.get(path) ?? []), method])
    }
  })
  after(() => library.close())

  /** Sends each method that the path does not accept, with a token and without one. */
  async function refusals(path: string, accepted: string[]) {
    const found: unknown[] = []
    for (const method of METHODS.filter((each) => !accepted.includes(each))) {
      for (const credentials of ['', `Bearer ${token}`]) {
        const headers = { Authorization: credentials }
        const answer = await library.request(path, { method, headers })
        const { code } = (await answer.json()) as { code: string }
        const allow = answer.headers.get('Allow')?.split(', ').sort()
        found.push({ method, path, status: answer.status, code, allow })
      }
    }
    return found
  }

  function wanted(path: string, accepted: string[]) {
    const others = [accepted.includes('GET') ? 'HEAD' : [], path === ASKED ? 'OPTIONS' : []].flat()
    const allow = [...accepted, ...others].sort()
    const refused = METHODS.filter((each) => !accepted.includes(each))
    return refused.flatMap((method) => {
      const answer = { method, path, status: 405, code: 'method_not_allowed', allow }
      return [answer, answer]
    })
  }

  it('is answered with 405 and the methods of this very path, where it is made of words', async () => {
    const fixed = [...paths].filter(([path]) => !path.includes('{'))
    assert.ok(fixed.length > 40)
    for (const [path, accepted] of fixed) {
      assert.deepEqual(await refusals(path, accepted), wanted(path, accepted))
    }
  })

  it('is answered with 405 where the path has an id', async () => {
    for (const [path, accepted] of paths) {
      if (!path.includes('{')) continue
      const made = path.replace('{object_type}', 'file').replaceAll(/\{\w+\}/g, NONE)
      assert.deepEqual(await refusals(made, accepted), wanted(made, accepted))
    }
  })

  it('may be one that no path accepts', async () => {
    for (const path of ['/api/v1/users/me', `/api/v1/files/${NONE}`]) {
      const answer = await library.request(path, { method: 'PROPFIND' })
      assert.equal(answer.status, 405)
      assert.match(answer.headers.get('Allow')!, /^GET, .*HEAD$/)
    }
  })
})
