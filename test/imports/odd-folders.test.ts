import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { listFolders } from '../../src/imports/list-folders.ts'
import { exchange, keepExchanging, withoutExchange } from '../support/exchange.ts'
import { assertError } from '../support/files.ts'
import { counts, type Folders, openFolders } from '../support/import-folders.ts'
import { putFile } from '../support/imports.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

describe('folders that are swapped for links', { skip: withoutExchange }, () => {
  let inner: string
  let link: string
  beforeEach(() => {
    on.fill('inner/ours', 1)
    inner = on.fill('inner', 3)
    on.fill('theirs', 7, on.outside)
    on.fill('', 7, on.outside)
    link = join(on.base, 'link')
    symlinkSync(on.outside, link)
  })

  it('are still those that were opened', async () => {
    const { signal } = new AbortController()
    const folder = await openImportFolder(on.library.deps.config, 'inner')
    exchange(inner, link)
    assert.deepEqual(await listFolders(folder, signal), counts(['ours', 1]))
    await folder.close()
  })

  it('are not opened after they were seen', async () => {
    const { signal } = new AbortController()
    for (const options of [{}, { descriptors: '/nowhere' }]) {
      const folder = await openImportFolder(on.library.deps.config, undefined, options)
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
    assert.deepEqual(on.stillOpen(), [])
  })

  it('show nothing from outside, however often they change places', async () => {
    const seen = { ours: 0, refused: 0, counted: 0 }
    const swapping = await keepExchanging(inner, link)
    try {
      while (seen.ours < 30 || seen.refused < 30 || seen.counted < 30) {
        const one = await on.ask('inner')
        if (one.status === 200) {
          // It may have changed places while its real path was looked for.
          assert.ok(['inner', 'link'].includes(one.body.path), one.text)
          assert.deepEqual(one.body.folders, counts(['ours', 1]))
          seen.ours++
        } else {
          assertError(one, 400, 'validation_error', ['path'])
          seen.refused++
        }
        for (const { name, files } of (await on.ask()).body.folders) {
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
    assert.deepEqual(on.stillOpen(), [])
  })
})

describe('a disk that does not tell what its entries are', { skip: withoutOldDisk() }, () => {
  it('is listed like any other', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'tagstead-disk-'))
    mountOldDisk(disk, on.base)
    try {
      on.fill('grün', 2)
      mkdirSync(Buffer.concat([Buffer.from(`${on.base}/`), Buffer.from([0xff])]))
      symlinkSync(on.outside, join(on.base, 'link'))
      putFile(on.base, 'a.jpg', 'x')
      assert.deepEqual((await on.ask()).body.folders, counts(['grün', 2], ['lost+found', 0]))
    } finally {
      execFileSync('umount', ['--lazy', on.base])
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
    return 'needs the right to mount'
  } finally {
    rmSync(disk, { recursive: true })
  }
}
