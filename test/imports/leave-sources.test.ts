import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { inventory } from '../support/files.ts'
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
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => {
  on.clear()
  on.library.deps.db.run('DELETE FROM import_journal')
})

const LEAVE = { leave_sources: true, recursive: true }
const run = (options: Parameters<typeof runImport>[3] = LEAVE) =>
  runImport(on.library, on.admin, undefined, options)

describe('an import that leaves the sources', () => {
  it('changes nothing in the folder, and takes none a second time', async () => {
    const bytes = await picture(1)
    const path = putFile(on.base, 'a.jpg', bytes)
    putFile(on.fill('inner', 0), 'b.jpg', bytes, 1)
    const seen = statSync(path)
    assert.deepEqual(
      await run(),
      expectedEvents([
        ['a.jpg', 'imported'],
        ['inner/b.jpg', 'imported'],
      ]),
    )
    const before = inventory(on.library)
    assert.deepEqual(
      await run(),
      expectedEvents([
        ['a.jpg', 'skipped', 'already imported'],
        ['inner/b.jpg', 'skipped', 'already imported'],
      ]),
    )
    assert.deepEqual(inventory(on.library), before)
    assert.ok(readFileSync(path).equals(bytes))
    const { ino, mtimeMs } = statSync(path)
    assert.deepEqual([ino, mtimeMs], [seen.ino, seen.mtimeMs])
    assert.deepEqual(journalOf(on.library), ['import/a.jpg', 'import/inner/b.jpg'])
  })

  it('takes the new bytes of one that has changed, and what is new beside it', async () => {
    putFile(on.base, 'a.jpg', await picture(2))
    await run()
    putFile(on.base, 'a.jpg', await picture(3))
    putFile(on.base, 'b.jpg', await picture(4), 1)
    assert.deepEqual(
      await run(),
      expectedEvents([
        ['a.jpg', 'imported'],
        ['b.jpg', 'imported'],
      ]),
    )
    assert.deepEqual(
      await run(),
      expectedEvents([
        ['a.jpg', 'skipped', 'already imported'],
        ['b.jpg', 'skipped', 'already imported'],
      ]),
    )
  })

  it('leaves a source that a crash has left, which a usual import then removes', async () => {
    const known = join('import', 'a.jpg')
    const path = join(on.base, 'a.jpg')
    await leaveSource(on.library, on.admin, { path, known, bytes: await picture(5) })
    const again = expectedEvents([['a.jpg', 'skipped', 'already imported']])
    assert.deepEqual(await run(), again)
    assert.deepEqual([namesIn(on.base), journalOf(on.library)], [['a.jpg'], [known]])
    assert.deepEqual(await run({}), again)
    assert.deepEqual([namesIn(on.base), journalOf(on.library)], [[], []])
  })

  it('takes it again when its file was deleted for good', async () => {
    putFile(on.base, 'a.jpg', await picture(6))
    await run()
    const token = on.admin
    const { items } = (await on.library.call('GET', '/files?limit=1', { token })).body
    await on.library.call('DELETE', `/files/${items[0].id}`, { token })
    assert.deepEqual(await run(), expectedEvents([['a.jpg', 'skipped', 'already imported']]))
    await on.library.call('DELETE', `/files/${items[0].id}/permanent`, { token })
    assert.deepEqual(await run(), expectedEvents([['a.jpg', 'imported']]))
  })
})

describe('an import of a content that is there already', () => {
  it('makes another file of it, or skips or refuses it, and then leaves the source', async () => {
    const bytes = await picture(7)
    await on.library.upload(on.admin, bytes)
    putFile(on.base, 'a.jpg', bytes)
    const before = inventory(on.library)
    const skipped = expectedEvents([['a.jpg', 'skipped', 'already here']])
    assert.deepEqual(await run({ on_duplicate: 'skip' }), skipped)
    const reason = 'A file with the same content is already in the library'
    const refused = expectedEvents([['a.jpg', 'error', reason]])
    assert.deepEqual(await run({ on_duplicate: 'conflict' }), refused)
    assert.deepEqual([inventory(on.library), namesIn(on.base)], [before, ['a.jpg']])
    assert.deepEqual(await run({}), expectedEvents([['a.jpg', 'imported']]))
    assert.equal(inventory(on.library).files, before.files + 1)
  })

  it('is told of the second of two that are prepared at once', async () => {
    const bytes = await picture(8)
    for (const [n, name] of ['a.jpg', 'b.jpg', 'c.jpg'].entries()) putFile(on.base, name, bytes, n)
    const before = inventory(on.library)
    assert.deepEqual(
      await run({ on_duplicate: 'skip' }),
      expectedEvents([
        ['a.jpg', 'imported'],
        ['b.jpg', 'skipped', 'already here'],
        ['c.jpg', 'skipped', 'already here'],
      ]),
    )
    const { files, blobs, temporary } = inventory(on.library)
    assert.deepEqual([files, blobs, temporary], [before.files + 1, before.blobs + 1, 0])
    assert.deepEqual(namesIn(on.base), ['b.jpg', 'c.jpg'])
    assert.deepEqual(journalOf(on.library), [])
  })
})
