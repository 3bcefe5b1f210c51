import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readFolder } from '../../src/imports/entries.ts'
import { openImportFolder } from '../../src/imports/folder.ts'
import { prepareEntry } from '../../src/imports/prepare.ts'
import { inventory } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders, withoutMounts } from '../support/import-folders.ts'
import { expectedEvents, journalOf, leaveSource, putFile, runImport } from '../support/imports.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

const run = (path?: string) => runImport(on.library, on.admin, path, { recursive: true })
/** Makes a folder in the import folder, and returns its path. */
const make = (path: string) => on.fill(path, 0)
/** Returns the paths of all that is left in the import folder, through no link. */
const left = () =>
  execFileSync('find', [on.base, '-mindepth', '1', '-printf', '%P\n'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .sort()

describe('an import of subfolders', () => {
  it('takes the oldest of the whole tree first, and leaves the folders', async () => {
    putFile(on.base, 'c.jpg', await picture(1), 3)
    putFile(make('2019/Rome'), 'a.jpg', await picture(2), 1)
    putFile(make('2019'), 'd.jpg', await picture(3), 4)
    putFile(make('2018'), 'b.jpg', await picture(4), 2)
    putFile(make('2020'), 'b.jpg', await picture(5), 2)
    make('empty')
    assert.deepEqual(
      await run(),
      expectedEvents([
        ['2019/Rome/a.jpg', 'imported'],
        ['2018/b.jpg', 'imported'],
        ['2020/b.jpg', 'imported'],
        ['c.jpg', 'imported'],
        ['2019/d.jpg', 'imported'],
      ]),
    )
    assert.deepEqual(left(), ['2018', '2019', '2019/Rome', '2020', 'empty'])
    const { items } = (await on.library.call('GET', '/files?limit=5', { token: on.admin })).body
    assert.deepEqual(
      items.map((file: { original_name: string }) => file.original_name),
      ['d.jpg', 'c.jpg', 'b.jpg', 'b.jpg', 'a.jpg'],
    )
    assert.deepEqual(journalOf(on.library), [])
    assert.deepEqual(on.stillOpen(), [])
  })

  it('is told by paths from the folder that is named', async () => {
    putFile(make('2019/Rome/Forum'), 'a.jpg', await picture(1))
    assert.deepEqual(await run('2019'), expectedEvents([['Rome/Forum/a.jpg', 'imported']]))
  })

  it('follows no link, and goes into no hidden folder', async () => {
    const inner = make('inner')
    symlinkSync(on.base, join(inner, 'loop'))
    symlinkSync(on.outside, join(inner, 'out'))
    putFile(on.outside, 'theirs.jpg', await picture(1))
    symlinkSync(join(on.outside, 'theirs.jpg'), join(inner, 'link.jpg'))
    putFile(make('inner/.thumbs'), 'hidden.jpg', await picture(2))
    putFile(inner, '.hidden.jpg', await picture(2))
    execFileSync('mkfifo', [join(inner, 'pipe.jpg')])
    const before = left()
    const events = await run()
    assert.deepEqual(
      events
        .slice(1, -1)
        .map(({ filename, status, reason }) => [filename, status, reason])
        .sort(),
      [
        ['inner/.hidden.jpg', 'skipped', 'hidden'],
        ['inner/.thumbs', 'skipped', 'hidden'],
        ['inner/link.jpg', 'skipped', 'a symbolic link'],
        ['inner/loop', 'skipped', 'a symbolic link'],
        ['inner/out', 'skipped', 'a symbolic link'],
        ['inner/pipe.jpg', 'skipped', 'not a regular file'],
      ],
    )
    assert.deepEqual(left(), before)
  })

  it('goes into 64 levels', async () => {
    const levels = Array.from({ length: 65 }, (_, n) => `${n}`)
    putFile(make(levels.slice(0, 64).join('/')), 'a.jpg', await picture(3))
    putFile(make(levels.join('/')), 'b.jpg', await picture(4))
    const events = await run()
    const outcomes = events
      .slice(1, -1)
      .map(({ filename, status, reason }) => [filename?.split('/').at(-1), status, reason])
    assert.deepEqual(outcomes.sort(), [
      ['64', 'skipped', 'a folder too far down'],
      ['a.jpg', 'imported', undefined],
    ])
  })

  it('imports no source again that a crash left in a subfolder, and forgets those that are gone', async () => {
    const crashed = async (path: string, bytes: Uint8Array) =>
      leaveSource(on.library, on.admin, {
        path: join(on.base, path),
        known: join('import', path),
        bytes,
      })
    make('a/b')
    make('c')
    await crashed('a/b/left.jpg', await picture(5))
    await crashed('a/gone.jpg', await picture(6))
    await crashed('c/away.jpg', await picture(7))
    putFile(make('a'), 'new.jpg', await picture(8), 1)
    rmSync(join(on.base, 'a/gone.jpg'))
    rmSync(join(on.base, 'c/away.jpg'))
    assert.deepEqual(
      await run(),
      expectedEvents([
        ['a/b/left.jpg', 'skipped', 'already imported'],
        ['a/new.jpg', 'imported'],
      ]),
    )
    // An empty folder may be the place of a disk that is away.
    assert.deepEqual(journalOf(on.library), ['import/c/away.jpg'])
    assert.deepEqual(left(), ['a', 'a/b', 'c'])
  })

  it('leaves what is in a folder that became a link, or is gone, before its turn', async () => {
    putFile(make('inner'), 'a.jpg', await picture(1))
    putFile(on.outside, 'a.jpg', await picture(1))
    const folder = await openImportFolder(on.library.deps.config, undefined)
    const [entry] = await readFolder(folder, { recursive: true })
    const outcome = async () =>
      (await prepareEntry(on.library.deps, entry!)).finish(() => assert.fail('nothing is written'))
    const before = inventory(on.library)
    renameSync(join(on.base, 'inner'), join(on.base, 'moved'))
    assert.deepEqual(await outcome(), { status: 'skipped', reason: 'no longer there' })
    symlinkSync(on.outside, join(on.base, 'inner'))
    assert.deepEqual(await outcome(), { status: 'skipped', reason: 'no longer there' })
    await folder.close()
    assert.deepEqual(inventory(on.library), before)
    assert.deepEqual(readdirSync(on.outside), ['a.jpg'])
    assert.deepEqual(on.stillOpen(), [])
  })

  it("never goes into the library's own folders", { skip: withoutMounts() }, async () => {
    await on.library.upload(on.admin, await picture(9))
    const before = inventory(on.library)
    const mounted = make('inner')
    putFile(on.base, 'other.jpg', await picture(10))
    for (const own of ['.', 'files', 'thumbnails']) {
      execFileSync('mount', ['--bind', join(on.library.folder, own), mounted])
      try {
        const events = await run()
        const failed = events.filter(({ filename }) => filename?.startsWith('inner'))
        assert.deepEqual(
          failed.map(({ filename, status }) => [filename, status]),
          [['inner', 'error']],
          own,
        )
      } finally {
        execFileSync('umount', [mounted])
      }
    }
    assert.equal(inventory(on.library).blobs, before.blobs + 1)
  })
})

describe('an import without subfolders', () => {
  it('is what is done unless they are asked for', async () => {
    putFile(make('inner'), 'a.jpg', await picture(1))
    for (const options of [undefined, {}, { recursive: false }]) {
      assert.deepEqual(
        await runImport(on.library, on.admin, undefined, options),
        expectedEvents([['inner', 'skipped', 'a folder']]),
      )
    }
  })

  it('is refused when it is not said by true or false', async () => {
    const body = { recursive: 'yes' }
    const answer = await on.library.call('POST', '/files/import', { token: on.admin, body })
    assert.deepEqual([answer.status, answer.body.details[0].field], [400, 'recursive'])
  })
})
