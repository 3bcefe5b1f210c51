import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseConfig } from '../../src/base/config.ts'
import { wantedOf } from '../../src/tags/described/wanted.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

let library: Library
let root: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
})
after(() => library.close())

const NOTHING = [
  '\u200b',
  '\u2060',
  '\u3164',
  '\u00ad',
  '\ufe0f',
  '\u2800',
  '\u115f\u1160',
  '\u200e \u200f',
  '\u{e0041}',
  '\ufff9',
]
const SOMETHING = ['\u200ba', 'न्\u200dर', '👩‍👧', '❤️', '\u0301', '.', '한']

const send = (method: string, path: string, body: object) =>
  library.call(method, path, { token: root.token, body })

describe('a name', () => {
  it('shows something, whatever it names', async () => {
    for (const kind of ['tags', 'categories', 'pools'] as const) {
      const made = await send('POST', `/${kind}`, { name: 'seen' })
      for (const name of NOTHING) {
        assertError(await send('POST', `/${kind}`, { name }), 400, 'validation_error', ['name'])
        const edit = await send('PATCH', `/${kind}/${made.body.id}`, { name })
        assertError(edit, 400, 'validation_error', ['name'])
      }
      for (const name of SOMETHING) {
        const taken = await send('POST', `/${kind}`, { name })
        assert.equal(taken.body.name, name, taken.text)
      }
    }
    const { body: file } = await library.upload(root.token, await picture())
    for (const name of NOTHING) {
      const user = await send('POST', '/users', { name, password: 'a password' })
      assertError(user, 400, 'validation_error', ['name'])
      assertError(await send('PATCH', '/users/me', { name }), 400, 'validation_error', ['name'])
      const edit = await send('PATCH', `/files/${file.id}`, { original_name: name })
      assertError(edit, 400, 'validation_error', ['original_name'])
      assert.throws(() => parseConfig({ ADMIN_USERNAME: name }), /ADMIN_USERNAME/)
    }
    const options = { top_categories: false, leave_out: [] }
    const { unfit } = wantedOf(null, [...NOTHING, ...SOMETHING], options)
    assert.deepEqual(unfit.flat(), NOTHING)
  })

  it('of a file that is sent is none when nothing of it can be seen', async () => {
    const named = async (name: string, seed: number) =>
      (await library.upload(root.token, await picture(seed), name)).body.original_name
    assert.equal(await named('\u200b', 1), null)
    assert.equal(await named('\u200b.jpg', 2), '\u200b.jpg')
  })

  it('from before, of which nothing can be seen, may be sent back as it is', async () => {
    const { body: tag } = await send('POST', '/tags', { name: 'from before' })
    library.deps.db.run("UPDATE tags SET name = ? WHERE name = 'from before'", '\u200b')
    const edit = await send('PATCH', `/tags/${tag.id}`, { name: '\u200b', notes: 'a note' })
    assert.deepEqual([edit.status, edit.body.notes], [200, 'a note'])
  })
})
