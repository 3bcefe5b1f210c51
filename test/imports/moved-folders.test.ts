import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { WriteAs } from '../../src/auth/write-as.ts'
import { write } from '../../src/db/write.ts'
import { readFolder } from '../../src/imports/entries.ts'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { importFiles } from '../../src/imports/import.ts'
import { prepareEntry } from '../../src/imports/prepare.ts'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import {
  expectedEvents,
  journalOf,
  leaveSource,
  namesIn,
  putFile,
  runImport,
} from '../support/imports.ts'

let on: Folders
let ada: { id: number; name: string; is_admin: boolean; can_create: boolean }
let opened: ImportFolder
before(async () => {
  on = await openFolders()
  const { id } = (await on.library.call('GET', '/users/me', { token: on.admin })).body
  ada = { id, name: 'ada', is_admin: true, can_create: true }
})
after(() => on.close())
beforeEach(async () => {
  on.clear()
  opened = await openImportFolder(on.library.deps.config, undefined)
})
afterEach(async () => {
  await opened.close()
  assert.deepEqual(on.stillOpen(), [])
})

const at = (path: string) => join(on.base, path)
const asAda: WriteAs = (work) =>
  write(on.library.deps.db, { now: on.library.time.now }, (tx) => work(tx, ada))

/** Returns the import folder, in which something happens once a folder has been opened for the nth time. */
function whenOpened(nth: number, happens: () => void): ImportFolder {
  let times = 0
  const folder = async (name: string) => {
    const inner = await opened.folder(name)
    times++
    if (times === nth) happens()
    return inner
  }
  return { ...opened, folder }
}

describe('a folder that is moved while it is imported', () => {
  it('gives its place to another, in which nothing is removed', async () => {
    const theirs = await picture(2)
    putFile(on.fill('inner', 0), 'a.jpg', await picture(1))
    putFile(on.fill('other', 0, on.outside), 'a.jpg', theirs)
    // For the walk, for the copy, twice to see whether it has changed, and for the removal.
    const folder = whenOpened(5, () => {
      renameSync(at('inner'), at('moved'))
      renameSync(join(on.outside, 'other'), at('inner'))
    })
    const [entry] = await readFolder(folder, { recursive: true })
    const prepared = await prepareEntry(on.library.deps, entry!)
    assert.deepEqual(await prepared.finish(asAda), { status: 'imported' })
    assert.deepEqual([namesIn(at('moved')), namesIn(at('inner'))], [[], ['a.jpg']])
    assert.ok(readFileSync(at('inner/a.jpg')).equals(theirs))
  })

  it('keeps its sources, which are known when it is back', async () => {
    putFile(on.fill('inner', 0), 'a.jpg', await picture(3))
    const [entry] = await readFolder(opened, { recursive: true })
    const prepared = await prepareEntry(on.library.deps, entry!)
    const outcome = await prepared.finish((work) => {
      const result = asAda(work)
      renameSync(at('inner'), at('moved'))
      return result
    })
    const reason = 'the source could not be removed'
    assert.deepEqual(outcome, { status: 'imported', reason })
    assert.deepEqual(journalOf(on.library), ['import/inner/a.jpg'])
    renameSync(at('moved'), at('inner'))
    assert.deepEqual(
      await runImport(on.library, on.admin, undefined, { recursive: true }),
      expectedEvents([['inner/a.jpg', 'skipped', 'already imported']]),
    )
  })

  it('keeps what the journal has of it', async () => {
    on.fill('inner', 0)
    const known = 'import/inner/b.jpg'
    const path = at('inner/b.jpg')
    await leaveSource(on.library, on.admin, { path, known, bytes: await picture(4) })
    rmSync(path)
    putFile(at('inner'), 'a.jpg', await picture(5))
    const folder = whenOpened(1, () => renameSync(at('inner'), at('moved')))
    const { signal } = new AbortController()
    const request = { folder, caller: () => ada, signal, recursive: true }
    const events: ImportEvent[] = []
    for await (const event of importFiles(on.library.deps, request)) events.push(event)
    assert.deepEqual(events, expectedEvents([['inner/a.jpg', 'skipped', 'no longer there']]))
    assert.deepEqual(journalOf(on.library), [known])
  })
})
