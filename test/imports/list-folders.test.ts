import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { listFolders } from '../../src/imports/list-folders.ts'
import { exchange, keepExchanging, withoutExchange } from '../support/exchange.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { expectedEvents, putFile, runImport } from '../support/imports.ts'

let library: Library
let base: string
let outside: string
let admin: string
before(async () => {
  library = await openLibrary()
  base = join(library.folder, 'import')
  outside = mkdtempSync(join(tmpdir(), 'tagstead-outside-'))
  admin = (await library.join('ada', { is_admin: true })).token
})
after(async () => {
  rmSync(outside, { recursive: true })
  await library.close()
})
beforeEach(() => {
  for (const folder of [base, outside]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
  }
})

/** Makes a folder in the import folder, with that many files. */
function fill(path: string, files: number, folder = base): string {
  const made = join(folder, path)
  mkdirSync(made, { recursive: true })
  if (files > 0) writeFileSync(join(made, '0.jpg'), '')
  // Links to one file are made faster than files.
  for (let i = 1; i < files; i++) linkSync(join(made, '0.jpg'), join(made, `${i}.jpg`))
  return made
}
const ask = (path?: string, token = admin) => {
  const query = path === undefined ? '' : `?path=${encodeURIComponent(path)}`
  return library.call('GET', `/files/import/folders${query}`, { token })
}
const counts = (...pairs: [name: string, files: number | null][]) =>
  pairs.map(([name, files]) => ({ name, files }))
/** What this process has open in the import folder or outside. */
const stillOpen = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return [base, outside].some((path) => target === path || target.startsWith(`${path}/`))
    } catch {
      return false
    }
  })

describe('the folders to import', () => {
  it('are those of one level, by name, with the files directly in them', async () => {
    fill('zoo', 1)
    fill('Alps/2019/deep', 3)
    fill('Alps', 2)
    fill('ähre', 0)
    fill('.kept', 1)
    fill('10', 0)
    const mixed = fill('mixed', 4)
    symlinkSync(outside, join(base, 'link'))
    symlinkSync(join(base, 'zoo'), join(base, 'inside'))
    symlinkSync(join(mixed, '0.jpg'), join(mixed, 'link.jpg'))
    putFile(mixed, '.hidden', 'x')
    putFile(base, 'a.jpg', 'x')
    const answer = await ask()
    const folders = counts(
      ['.kept', 1],
      ['10', 0],
      ['Alps', 2],
      ['mixed', 4],
      ['zoo', 1],
      ['ähre', 0],
    )
    assert.deepEqual([answer.status, answer.body], [200, { path: '', folders }])
    assert.deepEqual((await ask('')).body, { path: '', folders })
  })

  it('are told with the path by which they are imported', async () => {
    const inner = fill('Alps/2019', 0)
    putFile(inner, 'a.jpg', await picture(1))
    symlinkSync(join(base, 'Alps'), join(base, 'link'))
    const body = { path: 'Alps', folders: counts(['2019', 1]) }
    for (const way of ['Alps', './Alps/', 'Alps/../Alps', join(base, 'Alps'), 'link']) {
      assert.deepEqual((await ask(way)).body, body, way)
    }
    assert.deepEqual((await ask('Alps/2019')).body, { path: 'Alps/2019', folders: [] })
    assert.deepEqual(
      await runImport(library, admin, `${body.path}/2019`),
      expectedEvents([['a.jpg', 'imported']]),
    )
    assert.deepEqual((await ask('Alps')).body.folders, counts(['2019', 0]))
  })

  it('are refused outside, and to all but admins', async () => {
    putFile(base, 'a.jpg', 'x')
    symlinkSync(outside, join(base, 'link'))
    const wrong = ['..', outside, library.folder, 'link', 'a.jpg', 'missing', 'a\0', '../import2']
    for (const path of wrong) assertError(await ask(path), 400, 'validation_error', ['path'])
    const twice = await library.call('GET', '/files/import/folders?path=a&path=b', { token: admin })
    assertError(twice, 400, 'validation_error', ['path'])
    const { token } = await library.join('uma', { can_create: true })
    assertError(await ask('..', token), 403, 'forbidden')
    assertError(await library.call('GET', '/files/import/folders'), 401, 'unauthorized')
    assert.deepEqual(stillOpen(), [])
    const { config } = library.deps
    const { importPath } = config
    config.importPath = null
    assertError(await ask(), 409, 'conflict')
    config.importPath = importPath
  })

  it('and their files have names in UTF-8', async () => {
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const inner = fill('ü', 2)
    mkdirSync(bytes(`${base}/`, [0xfc]))
    mkdirSync(bytes(`${base}/`, [0xed, 0xa0, 0x80]))
    mkdirSync(join(base, 'a\ufffd'))
    mkdirSync(bytes(`${base}/a`, [0xff]))
    writeFileSync(bytes(`${inner}/`, [0xff], '.jpg'), '')
    assert.deepEqual((await ask()).body.folders, counts(['a\ufffd', 0], ['ü', 2]))
  })

  it('are the first 1,000', async () => {
    for (let i = 3004; i >= 0; i--) mkdirSync(join(base, `f ${String(i).padStart(4, '0')}`))
    const { folders } = (await ask()).body
    const expected = Array.from({ length: 1000 }, (_, i) => `f ${String(i).padStart(4, '0')}`)
    assert.deepEqual(
      folders.map(({ name }: { name: string }) => name),
      expected,
    )
  })

  it('have at most 10,000 files counted', async () => {
    const full = fill('full', 10_001)
    fill('next', 1)
    const folder = await openImportFolder(library.deps.config, undefined)
    const { signal } = new AbortController()
    assert.deepEqual(await listFolders(folder, signal), counts(['full', null], ['next', 1]))
    rmSync(join(full, '0.jpg'))
    assert.deepEqual(await listFolders(folder, signal), counts(['full', 10_000], ['next', 1]))
    await folder.close()
    assert.deepEqual(stillOpen(), [])
  })
})

describe('a folder whose files are not counted', () => {
  it('is one that the server can’t read', async () => {
    for (const name of ['a', 'b', 'c']) fill(name, 1)
    const folder = await openImportFolder(library.deps.config, undefined)
    const closed = join(base, 'b')
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
    for (const name of ['a', 'b', 'c']) fill(name, 1)
    const folder = await openImportFolder(library.deps.config, undefined)
    const time = new AbortController()
    const asked: string[] = []
    const slow: ImportFolder = {
      ...folder,
      folder: (name) => {
        asked.push(name)
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
    for (const name of ['a', 'b']) fill(name, 1)
    const handle = await open(base)
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
      const begun = performance.now()
      assert.deepEqual((await ask()).body.folders, counts(['a', null], ['b', null]))
      const took = performance.now() - begun
      assert.ok(took > 1900 && took < 10_000, `${took} ms`)
      assert.equal(stillOpen().length, 1)
      // Nothing more is opened meanwhile.
      assert.deepEqual((await ask()).body.folders, counts(['a', null], ['b', null]))
      assert.equal(stillOpen().length, 1)
    } finally {
      clearInterval(alive)
      prototype.stat = stat
      goOn()
    }
    while (stillOpen().length > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('folders that are swapped for links', { skip: withoutExchange }, () => {
  let inner: string
  let link: string
  beforeEach(() => {
    fill('inner/ours', 1)
    inner = fill('inner', 3)
    fill('theirs', 7, outside)
    fill('', 7, outside)
    link = join(base, 'link')
    symlinkSync(outside, link)
  })

  it('are still those that were opened', async () => {
    const { signal } = new AbortController()
    const folder = await openImportFolder(library.deps.config, 'inner')
    exchange(inner, link)
    assert.deepEqual(await listFolders(folder, signal), counts(['ours', 1]))
    await folder.close()
  })

  it('are not opened after they were seen', async () => {
    const { signal } = new AbortController()
    for (const options of [{}, { descriptors: '/nowhere' }]) {
      const folder = await openImportFolder(library.deps.config, undefined, options)
      const swapped: ImportFolder = {
        ...folder,
        folder: async (name) => {
          exchange(inner, link)
          try {
            return await folder.folder(name)
          } finally {
            exchange(inner, link)
          }
        },
      }
      assert.deepEqual(await listFolders(swapped, signal), counts(['inner', null]))
      await folder.close()
    }
    assert.deepEqual(stillOpen(), [])
  })

  it('show nothing from outside, however often they change places', async () => {
    const seen = { ours: 0, refused: 0, counted: 0 }
    const swapping = await keepExchanging(inner, link)
    try {
      while (seen.ours < 30 || seen.refused < 30 || seen.counted < 30) {
        const one = await ask('inner')
        if (one.status === 200) {
          // It may have changed places while its real path was looked for.
          assert.ok(['inner', 'link'].includes(one.body.path), one.text)
          assert.deepEqual(one.body.folders, counts(['ours', 1]))
          seen.ours++
        } else {
          assertError(one, 400, 'validation_error', ['path'])
          seen.refused++
        }
        for (const { name, files } of (await ask()).body.folders) {
          assert.ok(
            ['inner', 'link'].includes(name) && [3, null].includes(files),
            `${name} ${files}`,
          )
          if (files === 3) seen.counted++
        }
      }
    } finally {
      await swapping.stop()
    }
    assert.deepEqual(stillOpen(), [])
  })
})

describe('a disk that does not tell what its entries are', { skip: withoutOldDisk() }, () => {
  it('is listed like any other', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'tagstead-disk-'))
    mountOldDisk(disk, base)
    try {
      fill('grün', 2)
      mkdirSync(Buffer.concat([Buffer.from(`${base}/`), Buffer.from([0xff])]))
      symlinkSync(outside, join(base, 'link'))
      putFile(base, 'a.jpg', 'x')
      assert.deepEqual((await ask()).body.folders, counts(['grün', 2], ['lost+found', 0]))
    } finally {
      execFileSync('umount', ['--lazy', base])
      rmSync(disk, { recursive: true })
    }
  })
})

/** Mounts a file system whose folders hold names alone; `disk` is a folder for its bytes. */
function mountOldDisk(disk: string, path: string): void {
  const image = join(disk, 'disk')
  execFileSync('mkfs.ext2', ['-q', '-O', '^filetype', image, '2048'], { stdio: 'pipe' })
  execFileSync('mount', ['-o', 'loop', image, path], { stdio: 'pipe' })
}

/** For a test's `skip`: false when such a file system can be mounted. */
function withoutOldDisk(): string | false {
  const disk = mkdtempSync(join(tmpdir(), 'tagstead-disk-'))
  const path = join(disk, 'mounted')
  mkdirSync(path)
  try {
    mountOldDisk(disk, path)
    execFileSync('umount', [path])
    return false
  } catch {
    return 'no right to mount on this machine'
  } finally {
    rmSync(disk, { recursive: true })
  }
}

async function* named(...names: string[]) {
  for (const name of names) yield { name, kind: 'folder' as const }
}
