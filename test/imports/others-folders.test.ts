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
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { keptFor } from '../../src/imports/others-folders.ts'
import { command, filesIn } from '../support/backups.ts'
import { assertError } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { counts, type Folders, openFolders } from '../support/import-folders.ts'
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
  for (const path of paths) await refusalOf(path)
}

/** Returns why a path may not be imported. */
async function refusalOf(path: string): Promise<string> {
  const body = { path, recursive: true }
  const answer = await on.library.call('POST', '/files/import', { token: on.admin, body })
  assertError(answer, 400, 'validation_error', ['path'])
  return answer.body.message
}

/** For a test's `skip`: who owns nothing may not read everything, as root may. */
const asAnother =
  process.getuid?.() === 0 && process.seteuid ? false : 'only root can become another'

/** Works as the user who owns nothing. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
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

  it('goes into none that may be one, as far as can be told', async () => {
    await backUp()
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
        message: `It can't be told whether "${on.base}" is kept by a library: ELOOP`,
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
    await backUp()
    chmodSync(on.outside, 0o755)
    const seen = join(on.outside, 'seen')
    renameSync(backups, seen)
    execFileSync('chmod', ['-R', 'a+rX', seen])
    chmodSync(join(seen, 'generations'), 0)
    assert.equal(await asNobody(() => keptFor(seen)), 'a folder of backups')
    rmSync(join(seen, 'contents'), { recursive: true })
    mkdirSync(join(seen, 'contents'), { mode: 0o755 })
    assert.equal(await asNobody(() => keptFor(seen)), null)
  })

  it("takes nothing of the server's own, by whatever path they are reached", async () => {
    await backUp()
    const before = filesIn(join(backups, 'contents'))
    const [shelf] = before.map((path) => join('usb/backups/contents', path))
    on.library.deps.config.backupDir = backups
    // Alone, they don't look like backups.
    rmSync(join(backups, 'generations'), { recursive: true })
    rmSync(join(backups, 'lock'), { force: true })
    const events = await run()
    assert.deepEqual(
      events.slice(1, -1).map(({ filename, status }) => [filename, status]),
      [['usb/backups', 'skipped']],
    )
    await assertRefused('usb/backups', 'usb/backups/contents', join(shelf!, '..'))
    assert.deepEqual(filesIn(join(backups, 'contents')), before)
  })
})

describe('an import beside a disk for backups that is broken', () => {
  it('is refused, in a sentence, and folders are listed', async () => {
    const broken = join(on.outside, 'broken')
    const inner = join(on.outside, 'inner')
    mkdirSync(inner)
    // No look at such a path tells what is there.
    for (const path of [broken, join(inner, 'contents')]) symlinkSync(path, path)
    on.fill('a', 1)
    for (const backupDir of [broken, inner]) {
      on.library.deps.config.backupDir = backupDir
      const answer = await on.library.call('POST', '/files/import', { token: on.admin })
      assert.deepEqual(
        [answer.status, answer.body],
        [
          409,
          {
            code: 'conflict',
            message:
              "BACKUP_DIR can't be looked at (ELOOP), so that an import might take what is in it: " +
              'mount its disk again, or set no BACKUP_DIR',
          },
        ],
      )
      const listed = await on.ask()
      assert.deepEqual([listed.status, listed.body.folders], [200, counts(['a', 1])])
    }
    on.library.deps.config.backupDir = join(on.outside, 'absent')
    assert.equal((await run()).at(-1)!.type, 'done')
    assert.deepEqual(on.stillOpen(), [])
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
    await assertRefused('other', 'other/files')
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
        await refusalOf('disk/photos'),
        `path: must not be another library, or lie in it: "${disk}" is another library`,
      )
      rmSync(join(disk, folder), { recursive: true })
    }
    assert.equal(await keptFor(disk), null)
  })

  it('takes no other file for its mark', async () => {
    const marked = on.fill('calibre', 0)
    for (const text of ['', 'a list of books\n', 'f'.repeat(33)]) {
      writeFileSync(join(marked, '.library'), text)
      assert.equal(await keptFor(marked), null, text)
    }
    for (const text of ['0f'.repeat(16), `${'0f'.repeat(16)}\n`]) {
      writeFileSync(join(marked, '.library'), text)
      assert.equal(await keptFor(marked), 'another library', text)
    }
  })

  it('takes one for it whose contents it may not read', { skip: asAnother }, async () => {
    chmodSync(on.outside, 0o755)
    writeFileSync(join(on.outside, 'tagstead.sqlite'), '')
    mkdirSync(join(on.outside, 'files'), { mode: 0 })
    assert.equal(await asNobody(() => keptFor(on.outside)), 'another library')
  })

  it('takes a mark that it may not read for one', { skip: asAnother }, async () => {
    chmodSync(on.outside, 0o755)
    writeFileSync(join(on.outside, '.library'), 'unread', { mode: 0 })
    assert.equal(await asNobody(() => keptFor(on.outside)), 'another library')
  })
})
