import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { listFolders } from '../../src/imports/list-folders.ts'
import { assertError } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { counts, type Folders, openFolders } from '../support/import-folders.ts'
import { expectedEvents, putFile, runImport } from '../support/imports.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

describe('the folders to import', () => {
  it('are those of one level, by name, with the files directly in them', async () => {
    on.fill('zoo', 1)
    on.fill('Alps/2019/deep', 3)
    on.fill('Alps', 2)
    on.fill('ähre', 0)
    on.fill('.kept', 1)
    on.fill('10', 0)
    const mixed = on.fill('mixed', 4)
    symlinkSync(on.outside, join(on.base, 'link'))
    symlinkSync(join(on.base, 'zoo'), join(on.base, 'inside'))
    symlinkSync(join(mixed, '0.jpg'), join(mixed, 'link.jpg'))
    putFile(mixed, '.hidden', 'x')
    putFile(on.base, 'a.jpg', 'x')
    const answer = await on.ask()
    const folders = counts(
      ['.kept', 1],
      ['10', 0],
      ['Alps', 2],
      ['mixed', 4],
      ['zoo', 1],
      ['ähre', 0],
    )
    assert.deepEqual([answer.status, answer.body], [200, { path: '', folders }])
    assert.deepEqual((await on.ask('')).body, { path: '', folders })
  })

  it('are told with the path by which they are imported', async () => {
    const inner = on.fill('Alps/2019', 0)
    putFile(inner, 'a.jpg', await picture(1))
    symlinkSync(join(on.base, 'Alps'), join(on.base, 'link'))
    const body = { path: 'Alps', folders: counts(['2019', 1]) }
    for (const way of ['Alps', './Alps/', 'Alps/../Alps', join(on.base, 'Alps'), 'link']) {
      assert.deepEqual((await on.ask(way)).body, body, way)
    }
    assert.deepEqual((await on.ask('Alps/2019')).body, { path: 'Alps/2019', folders: [] })
    assert.deepEqual(
      await runImport(on.library, on.admin, `${body.path}/2019`),
      expectedEvents([['a.jpg', 'imported']]),
    )
    assert.deepEqual((await on.ask('Alps')).body.folders, counts(['2019', 0]))
  })

  it('are refused outside, and to all but admins', async () => {
    putFile(on.base, 'a.jpg', 'x')
    symlinkSync(on.outside, join(on.base, 'link'))
    const wrong = [
      '..',
      on.outside,
      on.library.folder,
      'link',
      'a.jpg',
      'missing',
      'a\0',
      '../import2',
    ]
    for (const path of wrong) assertError(await on.ask(path), 400, 'validation_error', ['path'])
    const twice = await on.library.call('GET', '/files/import/folders?path=a&path=b', {
      token: on.admin,
    })
    assertError(twice, 400, 'validation_error', ['path'])
    const { token } = await on.library.join('uma', { can_create: true })
    assertError(await on.ask('..', token), 403, 'forbidden')
    assertError(await on.library.call('GET', '/files/import/folders'), 401, 'unauthorized')
    assert.deepEqual(on.stillOpen(), [])
    const { config } = on.library.deps
    const { importPath } = config
    config.importPath = null
    assertError(await on.ask(), 409, 'conflict')
    config.importPath = importPath
  })

  it('and their files have names in UTF-8', async () => {
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const inner = on.fill('ü', 2)
    mkdirSync(bytes(`${on.base}/`, [0xfc]))
    mkdirSync(bytes(`${on.base}/`, [0xed, 0xa0, 0x80]))
    mkdirSync(join(on.base, 'a\ufffd'))
    mkdirSync(bytes(`${on.base}/a`, [0xff]))
    writeFileSync(bytes(`${inner}/`, [0xff], '.jpg'), '')
    assert.deepEqual((await on.ask()).body.folders, counts(['a\ufffd', 0], ['ü', 2]))
  })

  it('are the first 1,000', async () => {
    for (let i = 3004; i >= 0; i--) mkdirSync(join(on.base, `f ${String(i).padStart(4, '0')}`))
    const { folders } = (await on.ask()).body
    const expected = Array.from({ length: 1000 }, (_, i) => `f ${String(i).padStart(4, '0')}`)
    assert.deepEqual(
      folders.map(({ name }: { name: string }) => name),
      expected,
    )
  })

  it('have at most 10,000 files counted', async () => {
    const full = on.fill('full', 10_001)
    on.fill('next', 1)
    const folder = await openImportFolder(on.library.deps.config, undefined)
    const { signal } = new AbortController()
    assert.deepEqual(await listFolders(folder, signal), counts(['full', null], ['next', 1]))
    rmSync(join(full, '0.jpg'))
    assert.deepEqual(await listFolders(folder, signal), counts(['full', 10_000], ['next', 1]))
    await folder.close()
    assert.deepEqual(on.stillOpen(), [])
  })
})

describe('a folder whose files are not counted', () => {
  it('is one that the server can’t read', async () => {
    for (const name of ['a', 'b', 'c']) on.fill(name, 1)
    const folder = await openImportFolder(on.library.deps.config, undefined)
    const closed = join(on.base, 'b')
    // Root reads what is closed: here it is gone, then.
    if (process.getuid?.() === 0) rmSync(closed, { recursive: true })
    else chmodSync(closed, 0)
    const { signal } = new AbortController()
    const still = { ...folder, entries: () => named('a', 'b', 'c') }
    assert.deepEqual(await listFolders(still, signal), counts(['a', 1], ['b', null], ['c', 1]))
    await folder.close()
    if (process.getuid?.() !== 0) chmodSync(closed, 0o700)
  })

  it('is none of those before the time was over', async () => {
    for (const name of ['a', 'b', 'c']) on.fill(name, 1)
    const folder = await openImportFolder(on.library.deps.config, undefined)
    const time = new AbortController()
    const asked: string[] = []
    const slow: ImportFolder = {
      ...folder,
      folder: (name) => {
        asked.push(String(name))
        if (name === 'b') time.abort()
        return name === 'b' ? new Promise(() => {}) : folder.folder(name)
      },
    }
    const expected = counts(['a', 1], ['b', null], ['c', null])
    assert.deepEqual(await listFolders(slow, time.signal), expected)
    assert.deepEqual(asked, ['a', 'b'])
    await folder.close()
  })

  it('stands in the answer after 2 s when the disk hangs, and is closed once it does not', async () => {
    for (const name of ['a', 'b']) on.fill(name, 1)
    const handle = await open(on.base)
    const prototype = Object.getPrototypeOf(handle) as FileHandle
    const ino = (await handle.stat()).ino
    await handle.close()
    const { stat } = prototype
    let goOn = () => {}
    const hangs = new Promise<void>((resolve) => {
      goOn = resolve
    })
    prototype.stat = async function (this: FileHandle, options?: object) {
      const seen = await stat.call(this, options as undefined)
      if (Number(seen.ino) !== ino) await hangs
      return seen
    } as typeof stat
    // The time that a request has does not keep a process alive, as a connection does.
    const alive = setInterval(() => {}, 1000)
    try {
      assert.deepEqual((await on.ask()).body.folders, counts(['a', null], ['b', null]))
      assert.equal(on.stillOpen().length, 1)
      // Nothing more is opened meanwhile.
      assert.deepEqual((await on.ask()).body.folders, counts(['a', null], ['b', null]))
      assert.equal(on.stillOpen().length, 1)
    } finally {
      clearInterval(alive)
      prototype.stat = stat
      goOn()
    }
    while (on.stillOpen().length > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})

async function* named(...names: string[]) {
  for (const name of names) yield { name, kind: 'folder' as const }
}
