import assert from 'node:assert/strict'
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
  it('waits for what has just changed, and says so', async () => {
    for (const n of [1, 2]) putFile(on.folder, `${n}.jpg`, await picture(n), n)
    const env = { IMPORT_SETTLE: '1s' }
    assert.deepEqual(await on.command(['--user', 'admin'], { env }), {
      code: 0,
      stdout:
        '2 files have changed just now: they come last, after a wait\n' +
        'Importing 50 %\nImporting 100 %\n' +
        '2 entries: 2 imported, 0 skipped, 0 failed\n',
      stderr: '',
    })
    assert.deepEqual(namesIn(on.folder), [])
  })
})
