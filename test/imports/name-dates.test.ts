import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { LONG_AGO, putFile, runImport } from '../support/imports.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

/** Imports a file, and returns its date and where that is from. */
async function dateOf(name: string, bytes: Uint8Array, name_dates?: boolean) {
  putFile(on.base, name, bytes)
  await runImport(on.library, on.admin, undefined, name_dates === undefined ? {} : { name_dates })
  const { items } = (await on.library.call('GET', '/files?limit=1', { token: on.admin })).body
  return [items[0].original_name, items[0].content_datetime, items[0].date_source]
}

// The files were last changed on 2020-05-06 at 07:08:09 UTC.
const CHANGED = new Date(LONG_AGO).toISOString()

describe('a date in the name of a source', () => {
  it('counts only when it is asked for', async () => {
    const name = 'PXL_20180703_183000123.jpg'
    for (const asked of [undefined, false]) {
      assert.deepEqual(await dateOf(name, await picture(1), asked), [name, CHANGED, 'mtime'])
    }
    const told = [name, '2018-07-03T18:30:00.123Z', 'name']
    assert.deepEqual(await dateOf(name, await picture(1), true), told)
  })

  it('is at noon for a day alone, or has the clock of a change on that day', async () => {
    const [other, same] = ['IMG-20180703-WA0001.jpg', 'IMG-20200506-WA0001.jpg']
    const noon = [other, '2018-07-03T12:00:00.000Z', 'name']
    assert.deepEqual(await dateOf(other, await picture(2), true), noon)
    assert.deepEqual(await dateOf(same, await picture(3), true), [same, CHANGED, 'name'])
  })

  it('comes behind what the content tells, and before the last change', async () => {
    const dated = await sharp(await picture(4))
      .withExif({ IFD2: { DateTimeOriginal: '2019:03:04 05:06:07' } })
      .jpeg()
      .toBuffer()
    const name = 'Screenshot_2018-07-03-18-30-00.jpg'
    assert.deepEqual(await dateOf(name, dated, true), [name, '2019-03-04T05:06:07.000Z', 'exif'])
    const none = 'IMG-20189903-WA0001.jpg'
    assert.deepEqual(await dateOf(none, await picture(5), true), [none, CHANGED, 'mtime'])
  })
})
