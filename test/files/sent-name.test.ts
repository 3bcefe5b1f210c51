import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createNames } from '../../src/files/archive/names.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

describe('the name under which a file is saved', () => {
  const cases: Record<string, string> = {
    'sea.jpg': 'sea.jpg',
    'sea.JPEG': 'sea.JPEG',
    sea: 'sea.jpg',
    'sea.hta': 'sea.hta.jpg',
    'sea.js': 'sea.js.jpg',
    'sea.jpg.exe': 'sea.jpg.exe.jpg',
    'sea.jpg.': 'sea.jpg..jpg',
    'sea.heic': 'sea.heic.jpg',
    '\u202egpj.hta': 'gpj.hta.jpg',
    'sea\u202ehta.\u2066gpj\u2069.jpg': 'seahta.gpj.jpg',
    '\u200f\u05d9\u05dd.jpg': '\u05d9\u05dd.jpg',
  }
  let library: Library
  let token: string
  before(async () => {
    library = await openLibrary()
    ;({ token } = await library.join('Ann', { can_create: true }))
  })
  after(() => library.close())

  /** Returns the name that a header gives. */
  const nameIn = (header: string | null) => {
    const [, encoded] = /filename\*=UTF-8''(\S+)/.exec(header ?? '') ?? []
    return encoded === undefined
      ? /filename="([^"]*)"/.exec(header ?? '')?.[1]
      : decodeURIComponent(encoded)
  }

  for (const [name, expected] of Object.entries(cases)) {
    it(`is ${JSON.stringify(expected)} for ${JSON.stringify(name)}`, async () => {
      const { body } = await library.upload(token, await picture(), 'picture.jpg')
      await library.call('PATCH', `/files/${body.id}`, { token, body: { original_name: name } })
      for (const query of ['', '?inline=1']) {
        const { headers } = await library.fetchRaw('GET', `/files/${body.id}/content${query}`, {
          token,
        })
        assert.equal(nameIn(headers.get('Content-Disposition')), expected)
      }
    })

    it(`ends so in an archive, too, for ${JSON.stringify(name)}`, () => {
      const file = { id: 'x', original_name: name, mime_extension: 'jpg', clock: 0 }
      assert.match(
        createNames([])(file),
        /^[^\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*\.jpe?g$/i,
      )
    })
  }
})
