import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { purposeOf } from '../../src/imports/others-folders.ts'
import { filesIn } from '../support/backups.ts'
import { picture } from '../support/harness.ts'
import {
  asAnother,
  asNobody,
  counts,
  type Folders,
  openFolders,
} from '../support/import-folders.ts'
import { expectedEvents, putFile, runImport } from '../support/imports.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

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

const run = (path?: string) => runImport(on.library, on.admin, path, { recursive: true })

describe('an import beside backups', () => {
  it('goes into none, and takes what is beside them', async () => {
    await on.backUp(backups)
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
    for (const path of ['usb/backups', 'usb/backups/contents', shelf, 'usb/backups/generations']) {
      await on.refusalOf(path)
    }
    assert.deepEqual(filesIn(backups), before)
  })

  it('may be one of another folder beside them', async () => {
    await on.backUp(backups)
    mkdirSync(join(backups, 'new'))
    putFile(join(backups, 'new'), 'a.jpg', await picture(3))
    assert.deepEqual(await run('usb/backups/new'), expectedEvents([['a.jpg', 'imported']]))
  })

  it('goes into none that may be one, as far as can be told', async () => {
    await on.backUp(backups)
    const before = filesIn(join(backups, 'contents'))
    rmSync(join(backups, 'generations'), { recursive: true })
    symlinkSync('generations', join(backups, 'generations'))
    const told = (await run()).slice(1, -1)
    assert.deepEqual(
      told.map(({ filename, status, reason }) => [filename, status, reason]),
      [['usb/backups', 'error', 'failed with ELOOP']],
    )
    assert.deepEqual(filesIn(join(backups, 'contents')), before)
  })

  it('is refused where that can not be told, in a sentence, and folders are listed', async () => {
    symlinkSync('generations', join(on.base, 'generations'))
    mkdirSync(join(on.base, 'contents/ab'), { recursive: true })
    on.fill('photos', 1)
    const untold = [
      409,
      {
        code: 'conflict',
        message: `Whether "${on.base}" belongs to a library can't be determined: ELOOP`,
      },
    ]
    const token = on.admin
    for (const path of [undefined, 'contents']) {
      const answer = await on.library.call('POST', '/files/import', { token, body: { path } })
      assert.deepEqual([answer.status, answer.body], untold)
    }
    const lists = [
      { path: undefined, folders: counts(['contents', 0], ['photos', 1]) },
      { path: 'contents', folders: counts(['ab', 0]) },
    ]
    for (const { path, folders } of lists) {
      const listed = await on.ask(path)
      assert.deepEqual([listed.status, listed.body.folders], [200, folders])
    }
    // What lies beside backups is nobody's but the user's.
    putFile(join(on.base, 'photos'), '0.jpg', await picture(5))
    assert.deepEqual(await run('photos'), expectedEvents([['0.jpg', 'imported']]))
    assert.deepEqual(on.stillOpen(), [])
  })

  it('knows them where it may not read which there are', { skip: asAnother }, async () => {
    await on.backUp(backups)
    chmodSync(on.outside, 0o755)
    const seen = join(on.outside, 'seen')
    renameSync(backups, seen)
    execFileSync('chmod', ['-R', 'a+rX', seen])
    chmodSync(join(seen, 'generations'), 0)
    assert.equal(await asNobody(() => purposeOf(seen)), 'a folder of backups')
    rmSync(join(seen, 'contents'), { recursive: true })
    mkdirSync(join(seen, 'contents'), { mode: 0o755 })
    assert.equal(await asNobody(() => purposeOf(seen)), null)
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
    for (const path of ['other', 'other/files', 'mounted/contents']) await on.refusalOf(path)
    assert.deepEqual(filesIn(on.base), before)
    putFile(join(other, 'import'), 'a.jpg', await picture(4))
    assert.deepEqual(await run('other/import'), expectedEvents([['a.jpg', 'imported']]))
  })

  it('knows it without the mark of its contents, which old ones do not have', async () => {
    const other = join(on.base, 'other')
    cpSync(join(on.library.folder, 'files'), join(other, 'files'), { recursive: true })
    rmSync(join(other, 'files/.library'))
    cpSync(join(on.library.folder, 'tagstead.sqlite'), join(other, 'tagstead.sqlite'))
    const before = filesIn(other)
    const told = (await run()).slice(1, -1)
    assert.deepEqual(
      told.map(({ filename, status, reason }) => [filename, status, reason]),
      [['other', 'skipped', 'another library']],
    )
    for (const path of ['other', 'other/files']) await on.refusalOf(path)
    assert.deepEqual(filesIn(other), before)
  })

  it('takes no copy of a database for one, and names what it takes for one', async () => {
    const disk = on.fill('disk', 0)
    cpSync(join(on.library.folder, 'tagstead.sqlite'), join(disk, 'tagstead.sqlite'))
    const photos = on.fill('disk/photos', 0)
    // A folder of that name is common.
    mkdirSync(join(disk, 'files/letters'), { recursive: true })
    putFile(photos, 'a.jpg', await picture(6))
    assert.deepEqual(await run('disk/photos'), expectedEvents([['a.jpg', 'imported']]))
    // The contents may be on a disk that isn't mounted; the pictures made of them are still there.
    for (const folder of ['files/0f', 'previews/0f']) {
      mkdirSync(join(disk, folder), { recursive: true })
      assert.equal(
        await on.refusalOf('disk/photos'),
        `path: must not be another library, or lie in it: "${disk}" is another library`,
      )
      rmSync(join(disk, folder), { recursive: true })
    }
    assert.equal(await purposeOf(disk), null)
  })

  it('takes no other file for its mark', async () => {
    const marked = on.fill('calibre', 0)
    for (const text of ['', 'a list of books\n', 'f'.repeat(33)]) {
      writeFileSync(join(marked, '.library'), text)
      assert.equal(await purposeOf(marked), null, text)
    }
    for (const text of ['0f'.repeat(16), `${'0f'.repeat(16)}\n`]) {
      writeFileSync(join(marked, '.library'), text)
      assert.equal(await purposeOf(marked), 'another library', text)
    }
  })

  it('takes one for it whose contents it may not read', { skip: asAnother }, async () => {
    chmodSync(on.outside, 0o755)
    writeFileSync(join(on.outside, 'tagstead.sqlite'), '')
    mkdirSync(join(on.outside, 'files'), { mode: 0 })
    assert.equal(await asNobody(() => purposeOf(on.outside)), 'another library')
  })

  it('takes a mark that it may not read for one', { skip: asAnother }, async () => {
    chmodSync(on.outside, 0o755)
    writeFileSync(join(on.outside, '.library'), 'unread', { mode: 0 })
    assert.equal(await asNobody(() => purposeOf(on.outside)), 'another library')
  })
})
