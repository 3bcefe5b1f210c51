import assert from 'node:assert/strict'
import { assertError } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { putFile, runImport } from '../support/imports.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

let on: Folders
let kid: { id: number; token: string }
before(async () => {
  on = await openFolders()
  kid = await on.library.join('kid')
})
after(() => on.close())
beforeEach(() => on.clear())

const run = (options: Parameters<typeof runImport>[3]) =>
  runImport(on.library, on.admin, undefined, { recursive: true, ...options })
const call = (method: string, path: string, token: string, body?: object) =>
  on.library.call(method, path, { token, body })

describe('an import for another user', () => {
  it("makes files and tags that user's, by the admin's operation", async () => {
    putFile(on.fill('Sea', 0), 'a.jpg', await picture(1))
    const [, file] = await run({ owner: kid.id, folder_tags: true })
    assert.equal(file?.status, 'imported')
    const [made] = (await call('GET', '/files', kid.token)).body.items
    assert.deepEqual(
      [made.creator_name, made.is_public, made.tags.map((tag: { name: string }) => tag.name)],
      ['kid', false, ['Sea']],
    )
    assert.equal(made.tags[0].creator_name, 'kid')
    const entries = (await call('GET', '/audit?limit=2', on.admin)).body.items
    assert.deepEqual(
      entries.map((entry: { action: string; user_name: string }) => [
        entry.action,
        entry.user_name,
      ]),
      [
        ['file_create', 'ada'],
        ['tag_create', 'ada'],
      ],
    )
    const undone = await call('POST', `/operations/${entries[0].operation}/undo`, on.admin)
    assert.equal(undone.status, 200, undone.text)
    assert.equal((await call('GET', `/files/${made.id}`, kid.token)).body.is_deleted, true)
  })

  it("keeps to that user's quota", async () => {
    putFile(on.base, 'b.jpg', await picture(2))
    on.library.deps.config.userQuota = 10
    const [, file] = await run({ owner: kid.id })
    on.library.deps.config.userQuota = 0
    assert.deepEqual(
      [file?.status, file?.reason],
      ['error', "The creator's files have reached their quota"],
    )
  })

  it('is refused for nobody, and for who is blocked', async () => {
    const { id } = await on.library.join('otto')
    await call('PATCH', `/users/${id}`, on.admin, { is_blocked: true })
    for (const owner of [id, 999_999]) {
      assertError(
        await call('POST', '/files/import', on.admin, { owner }),
        400,
        'validation_error',
        ['owner'],
      )
    }
  })
})
