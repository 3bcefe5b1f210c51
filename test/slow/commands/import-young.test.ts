import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { picture } from '../../support/harness.ts'
import { type ImportCommand, openImportCommand } from '../../support/import-command.ts'
import { namesIn, putFile } from '../../support/imports.ts'

let on: ImportCommand
before(async () => {
  on = await openImportCommand()
})
after(() => on.close())

describe('tagstead import', () => {
  it('says that it waits for what has just changed, and ends at once when it is interrupted', async () => {
    for (const n of [1, 2]) putFile(on.folder, `${n}.jpg`, await picture(n), n)
    // Longer than any machine takes to start it.
    const child = on.start(['--user', 'admin'], { env: { IMPORT_SETTLE: '24h' } })
    const end = on.ended(child)
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    assert.deepEqual(await end, {
      code: 1,
      stdout: '2 files changed just now: they come last, after a wait\n',
      stderr: "Tagstead can't import: stopped after 0 of 2 entries\n",
    })
    assert.deepEqual(namesIn(on.folder), ['1.jpg', '2.jpg'])
  })
})
