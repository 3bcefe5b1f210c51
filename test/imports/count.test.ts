import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { countFolder } from '../../src/imports/count.ts'
import { openImportFolder } from '../../src/imports/folder.ts'
import { putLines } from '../support/exported.ts'
import { assertError } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { putFile } from '../support/imports.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

const NOTHING = { files: 0, imported: 0, folders: 0, is_library: false, is_whole: true }

async function ask(query: string, token = on.admin) {
  return on.library.call('GET', `/files/import/count${query}`, { token })
}

/** Puts files into a folder of the import folder, each with a content of its own. */
function fill(path: string, names: string[]): void {
  const folder = join(on.base, path)
  mkdirSync(folder, { recursive: true })
  for (const name of names) putFile(folder, name, `${path}/${name}`)
}

describe('what an import would find', () => {
  it('is counted by names, in the folder alone or in those in it too', async () => {
    assert.deepEqual((await ask('')).body, NOTHING)
    fill('', ['a.jpg', 'b.HEIC', 'no ending', 'notes.docx', '.hidden.jpg', 'late.mov.part'])
    fill('trip', ['c.mp4', 'd.jpeg'])
    fill('trip/Rome', ['e.NRW', 'f.rwl', 'g.m2t'])
    fill('@eaDir', ['f.jpg'])
    fill('.kept', ['g.jpg'])
    fill('texts', ['h.txt'])
    putFile(on.base, 'empty.jpg', '')
    symlinkSync(join(on.base, 'a.jpg'), join(on.base, 'link.jpg'))
    assert.deepEqual((await ask('')).body, { ...NOTHING, files: 3, folders: 1 })
    assert.deepEqual((await ask('?recursive=true')).body, { ...NOTHING, files: 8, folders: 3 })
    const inTrip = (await ask('?path=trip&recursive=true')).body
    assert.deepEqual(inTrip, { ...NOTHING, files: 5, folders: 2 })
  })

  it('is the whole of an exported library, and nothing of one as a part of another folder', async () => {
    fill('moved', ['library.json'])
    fill('moved/2019/2019-07', ['a.jpg', 'a.jpg.xmp'])
    const counted = { ...NOTHING, files: 1, folders: 1 }
    assert.deepEqual((await ask('?path=moved')).body, NOTHING)
    assert.deepEqual((await ask('?recursive=true')).body, counted)
    putLines(join(on.base, 'moved'), [])
    assert.deepEqual((await ask('?path=moved')).body, { ...counted, is_library: true })
    assert.deepEqual((await ask('?recursive=true')).body, NOTHING)
  })

  it('says what was imported before, as long as that is in the library', async () => {
    putFile(on.base, 'a.jpg', await picture(1))
    fill('trip', ['b.jpg'])
    const all = { ...NOTHING, files: 2, imported: 1, folders: 1 }
    const body = { leave_sources: true }
    const { text } = await on.library.call('POST', '/files/import', { token: on.admin, body })
    assert.match(text, /"imported":1/)
    assert.deepEqual((await ask('?recursive=true')).body, all)
    const { items } = (await on.library.call('GET', '/files', { token: on.admin })).body
    for (const step of ['', '/permanent']) {
      await on.library.call('DELETE', `/files/${items[0].id}${step}`, { token: on.admin })
    }
    assert.deepEqual((await ask('?recursive=true')).body, { ...all, imported: 0, folders: 2 })
  })

  it('is not all of it once time is over, and nothing while a disk hangs', async () => {
    fill('trip', ['a.jpg', 'b.jpg'])
    const { config, db } = on.library.deps
    const never = new AbortController().signal
    const count = async (options: Partial<Parameters<typeof countFolder>[2]>) => {
      const folder = await openImportFolder(config, 'trip', { toList: true })
      const usual = { recursive: true, stop: never, giveUp: never, hanging: new Set<never>() }
      return countFolder(db, folder, { ...usual, ...options })
    }
    assert.deepEqual(await count({}), { ...NOTHING, files: 2, folders: 1 })
    const none = { ...NOTHING, is_whole: false }
    assert.deepEqual(await count({ stop: AbortSignal.abort() }), none)
    assert.deepEqual(await count({ hanging: new Set([Promise.resolve()]) }), none)
    const hanging = new Set<Promise<unknown>>()
    assert.deepEqual(await count({ giveUp: AbortSignal.abort(), hanging }), none)
    assert.equal(hanging.size, 1)
    await [...hanging][0]
    assert.equal(hanging.size, 0)
  })

  it('is refused outside, and to all but admins', async () => {
    for (const path of ['..', on.outside, 'missing']) {
      assertError(await ask(`?path=${encodeURIComponent(path)}`), 400, 'validation_error', ['path'])
    }
    const { token } = await on.library.join('Bob', { can_create: true })
    assertError(await ask('', token), 403, 'forbidden')
  })
})
