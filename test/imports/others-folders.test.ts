import assert from 'node:assert/strict'
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { command, filesIn } from '../support/backups.ts'
import { assertError } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { expectedEvents, putFile, runImport } from '../support/imports.ts'

let on: Folders
let backups: string
before(async () => {
  on = await openFolders()
  await on.library.upload(on.admin, await picture(1))
})
after(() => on.close())
beforeEach(() => {
  on.clear()
  backups = join(on.base, 'usb/backups')
})
afterEach(() => {
  on.library.deps.config.backupDir = null
})

const run = (path?: string) => runImport(on.library, on.admin, path, { recursive: true })

/** Backs the library up in the import folder. */
async function backUp(): Promise<void> {
  const made = join(on.outside, 'backups')
  const { code, stderr } = await command(on.library.folder, ['backup', made])
  assert.equal(code, 0, stderr)
  mkdirSync(join(on.base, 'usb'))
  renameSync(made, backups)
}

async function assertRefused(...paths: string[]): Promise<void> {
  const token = on.admin
  for (const path of paths) {
    const body = { path, recursive: true }
    const answer = await on.library.call('POST', '/files/import', { token, body })
    assertError(answer, 400, 'validation_error', ['path'])
  }
}

describe('an import beside backups', () => {
  it('goes into none, and takes what is beside them', async () => {
    await backUp()
    const before = filesIn(backups)
    const [blob] = before.filter((path) => path.startsWith('contents/'))
    putFile(join(on.base, 'usb'), 'a.jpg', await picture(2))
    const events = await run()
    const told = events
      .slice(1, -1)
      .map(({ filename, status, reason }) => [filename, status, reason])
    assert.deepEqual(told.sort(), [
      ['usb/a.jpg', 'imported', undefined],
      ['usb/backups', 'skipped', 'a folder of backups'],
    ])
    const shelf = join('usb/backups', blob!, '..')
    await assertRefused('usb/backups', 'usb/backups/contents', shelf, 'usb/backups/generations')
    assert.deepEqual(filesIn(backups), before)
  })

  it('may be one of another folder beside them', async () => {
    await backUp()
    mkdirSync(join(backups, 'new'))
    putFile(join(backups, 'new'), 'a.jpg', await picture(3))
    assert.deepEqual(await run('usb/backups/new'), expectedEvents([['a.jpg', 'imported']]))
  })

  it("takes nothing of the server's own, by whatever path they are reached", async () => {
    await backUp()
    const before = filesIn(join(backups, 'contents'))
    on.library.deps.config.backupDir = backups
    // Alone, they don't look like backups.
    rmSync(join(backups, 'generations'), { recursive: true })
    rmSync(join(backups, 'lock'), { force: true })
    const events = await run()
    assert.deepEqual(
      events.slice(1, -1).map(({ filename, status }) => [filename, status]),
      [['usb/backups/contents', 'error']],
    )
    await assertRefused('usb/backups/contents')
    assert.deepEqual(filesIn(join(backups, 'contents')), before)
  })
})

describe('an import beside another library', () => {
  it('goes neither into it nor into its contents, and takes what is to be imported there', async () => {
    const other = join(on.base, 'other')
    mkdirSync(join(other, 'import'), { recursive: true })
    mkdirSync(join(on.base, 'mounted'))
    for (const to of [join(other, 'files'), join(on.base, 'mounted/files')]) {
      cpSync(join(on.library.folder, 'files'), to, { recursive: true })
    }
    renameSync(join(on.base, 'mounted/files'), join(on.base, 'mounted/contents'))
    const before = filesIn(on.base)
    const events = await run()
    const told = events
      .slice(1, -1)
      .map(({ filename, status, reason }) => [filename, status, reason])
    assert.deepEqual(told.sort(), [
      ['mounted/contents', 'skipped', 'another library'],
      ['other', 'skipped', 'another library'],
    ])
    await assertRefused('other', 'other/files', 'mounted/contents')
    assert.deepEqual(filesIn(on.base), before)
    putFile(join(other, 'import'), 'a.jpg', await picture(4))
    assert.deepEqual(await run('other/import'), expectedEvents([['a.jpg', 'imported']]))
  })
})
