import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { withArchives } from '../../../src/imports/archive.ts'
import { readFolder } from '../../../src/imports/entries.ts'
import { openImportFolder } from '../../../src/imports/folder.ts'
import { inventory } from '../../support/files.ts'
import { picture } from '../../support/harness.ts'
import { type Folders, openFolders } from '../../support/import-folders.ts'
import { expectedEvents, journalOf, namesIn, putFile, runImport } from '../../support/imports.ts'
import { type Zipped, zipOf } from '../../support/written-zip.ts'

const SET = 'takeout-20240102T030405Z'
const [FIRST, SECOND] = [`${SET}-1-001.zip`, `${SET}-1-002.zip`]

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => {
  on.clear()
  on.library.deps.db.run('DELETE FROM import_journal')
})

const put = (name: string, files: Zipped[]) => putFile(on.base, name, zipOf(files))
const run = (options = {}) =>
  runImport(on.library, on.admin, undefined, { recursive: true, ...options })
/** What became of each file, by its path in the set. */
const outcomes = async (options = {}) => {
  const files = (await run(options)).filter(({ type }) => type === 'file')
  return Object.fromEntries(
    files.map(({ filename, status, reason }) => [
      filename!.replace(`${SET}.zip/`, ''),
      reason ? `${status}: ${reason}` : status,
    ]),
  )
}

describe('an import of ZIPs of Google Takeout', () => {
  it('takes the files of all parts, and leaves the ZIPs as they are', async () => {
    const [a, b] = [await picture(1), await picture(2)]
    const path = put(FIRST, [
      { name: 'Takeout/', bytes: '' },
      { name: 'Takeout/é/a.jpg', bytes: a },
    ])
    put(SECOND, [{ name: 'Takeout/é/b.jpg', bytes: b }])
    const seen = readFileSync(path)
    assert.deepEqual(
      await run(),
      expectedEvents([
        [`${SET}.zip/Takeout/é/a.jpg`, 'imported'],
        [`${SET}.zip/Takeout/é/b.jpg`, 'imported'],
      ]),
    )
    assert.ok(readFileSync(path).equals(seen))
    assert.deepEqual(namesIn(on.base), [FIRST, SECOND])
    assert.deepEqual(journalOf(on.library), [
      `import/${SET}.zip/Takeout/é/a.jpg`,
      `import/${SET}.zip/Takeout/é/b.jpg`,
    ])
    const before = inventory(on.library)
    assert.deepEqual(await outcomes(), {
      'Takeout/é/a.jpg': 'skipped: already imported',
      'Takeout/é/b.jpg': 'skipped: already imported',
    })
    assert.deepEqual(inventory(on.library), before)
    assert.deepEqual(on.stillOpen(), [])
  })

  it('goes on knowing what came out of a part that is missing today', async () => {
    put(FIRST, [{ name: 'a.jpg', bytes: await picture(3) }])
    put(SECOND, [{ name: 'b.jpg', bytes: await picture(4) }])
    await run()
    on.clear()
    put(FIRST, [{ name: 'a.jpg', bytes: await picture(3) }])
    assert.deepEqual(await outcomes(), { 'a.jpg': 'skipped: already imported' })
    assert.equal(journalOf(on.library).length, 2)
  })

  it('counts and tries them like files of a folder', async () => {
    put(FIRST, [
      { name: 'a.jpg', bytes: await picture(5) },
      { name: 'a.txt', bytes: 'no picture' },
    ])
    const { token } = { token: on.admin }
    const count = await on.library.call('GET', '/files/import/count?recursive=true', { token })
    assert.deepEqual(count.body, {
      files: 1,
      imported: 0,
      folders: 1,
      is_library: false,
      is_whole: true,
    })
    const events = await run({ dry_run: true })
    const { imported, skipped, types } = events.at(-1)!
    assert.deepEqual([imported, skipped, types], [1, 1, [{ mime_type: 'image/jpeg', files: 1 }]])
    assert.deepEqual(on.stillOpen(), [])
  })

  it('refuses what no folder may have, what is hidden, and bombs', async () => {
    const bytes = await picture(6)
    const bomb = Buffer.alloc(2 ** 20)
    put(FIRST, [
      { name: '../a.jpg', bytes },
      { name: '/a.jpg', bytes },
      { name: 'x\\..\\a.jpg', bytes },
      { name: 'x//a.jpg', bytes },
      { name: `x/${'a'.repeat(300)}.jpg`, bytes },
      { name: '.x/a.jpg', bytes },
      { name: '@eaDir/a.jpg', bytes },
      { name: 'a.jpg.part', bytes },
      { name: 'locked.jpg', bytes, isEncrypted: true },
      { name: 'link.jpg', bytes, isLink: true },
      { name: 'none.jpg', bytes: '' },
      { name: 'bomb.jpg', bytes: bomb, size: 2 ** 30 + 1 },
    ])
    const found = await run()
    const reasons = found
      .filter(({ type }) => type === 'file')
      .map(({ status, reason }) => [status, reason])
    const odd = ['skipped', 'a path in a ZIP that no folder may have']
    assert.deepEqual(
      new Map(
        reasons.map(([, reason]) => [
          reason,
          reasons.filter(([, other]) => other === reason).length,
        ]),
      ),
      new Map([
        [odd[1], 5],
        ['hidden', 1],
        ['a folder of thumbnails, snapshots or what was thrown away', 1],
        ['a part of a file', 1],
        ['encrypted', 1],
        ['a symbolic link', 1],
        ['empty', 1],
        ['so small in its ZIP that it would fill the disk', 1],
      ]),
    )
    assert.equal(found.at(-1)!.skipped, 12)
  })

  it('reads no more than is stated, and takes nothing that is damaged', async () => {
    const bytes = await picture(7)
    put(FIRST, [
      { name: 'long.jpg', bytes, size: bytes.length - 1 },
      { name: 'short.jpg', bytes, size: bytes.length + 1 },
      { name: 'other.jpg', bytes, crc: 1 },
      { name: 'good.jpg', bytes: await picture(8) },
    ])
    assert.deepEqual(await outcomes(), {
      'long.jpg': 'error: damaged in its ZIP',
      'short.jpg': 'error: damaged in its ZIP',
      'other.jpg': 'error: damaged in its ZIP',
      'good.jpg': 'imported',
    })
  })

  it('says which ZIP breaks off, and takes the others', async () => {
    const whole = zipOf([{ name: 'a.jpg', bytes: await picture(9) }])
    putFile(on.base, FIRST, whole.subarray(0, whole.length - 9))
    put(SECOND, [{ name: 'b.jpg', bytes: await picture(10) }])
    assert.deepEqual(await outcomes(), {
      [FIRST]: 'error: a ZIP that is not whole',
      'b.jpg': 'imported',
    })
    assert.deepEqual(on.stillOpen(), [])
  })

  it('is over while the directory of a ZIP is read', async () => {
    const files = Array.from({ length: 1000 }, (_, n) => ({ name: `${n}.jpg`, bytes: 'x' }))
    put(FIRST, files)
    put(SECOND, files)
    const folder = await openImportFolder(on.library.deps.config, undefined)
    let asked = 0
    const isOver = () => ++asked > 500
    const found = await withArchives(folder, await readFolder(folder), isOver)
    await folder.close()
    assert.ok(found.length > 400 && found.length < 500, String(found.length))
    assert.deepEqual(on.stillOpen(), [])
  })

  it('takes a path of two parts once, and both where they differ', async () => {
    const [one, two] = [await picture(11), await picture(12)]
    put(FIRST, [
      { name: 'x/a.jpg', bytes: one },
      { name: 'x/b.jpg', bytes: one },
    ])
    put(SECOND, [
      { name: 'x/a.jpg', bytes: one },
      { name: 'x/b.jpg', bytes: two },
    ])
    assert.deepEqual(await outcomes(), {
      'x/a.jpg': 'imported',
      'x/b.jpg': 'imported',
      [`${SECOND}/x/b.jpg`]: 'imported',
    })
  })

  it('takes no other ZIP, nor one without the folders below', async () => {
    const zip = zipOf([{ name: 'a.jpg', bytes: await picture(13) }])
    putFile(on.base, 'photos.zip', zip)
    putFile(on.base, FIRST, zip)
    const unsupported = 'skipped: The file is not a picture or video of a known type'
    assert.deepEqual(await outcomes({ recursive: false }), {
      'photos.zip': unsupported,
      [FIRST]: unsupported,
    })
    assert.equal(statSync(`${on.base}/${FIRST}`).size, zip.length)
  })
})
