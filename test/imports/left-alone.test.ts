import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { LEFT_FOLDERS, UNFINISHED } from '../../src/imports/entries.ts'
import { inventory } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { expectedEvents, putFile, runImport } from '../support/imports.ts'

const REASON = 'a folder of thumbnails, snapshots or what was thrown away'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

const put = async (path: string, n: number) => {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.split('/').at(-1)!]
  putFile(on.fill(folder, 0), name, await picture(n), n)
}
const left = () =>
  execFileSync('find', [on.base, '-type', 'f', '-printf', '%P\n'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .sort()
const outcomes = async (options: object) =>
  (await runImport(on.library, on.admin, undefined, { recursive: true, ...options }))
    .filter(({ type }) => type === 'file')
    .map(({ filename, status, reason }) => [filename, status, reason])
    .sort()

describe('what storage boxes and systems keep among pictures', () => {
  it('is left alone, with a reason, and gives no tags', async () => {
    const kept = [
      '2019/Rome/@eaDir/IMG_1.jpg/SYNOPHOTO_THUMB_XL.jpg',
      '#recycle/a.jpg',
      '@Recycle/a.jpg',
      '$Recycle.Bin/S-1-5-21/$RABC123.jpg',
      'lost+found/#123.jpg',
      '#snapshot/2024/IMG_1.jpg',
      'System Volume Information/a.jpg',
      '2019/thumbs/a.jpg',
      '.thumbnails/a.jpg',
    ]
    for (const [index, path] of ['2019/Rome/IMG_1.jpg', ...kept].entries()) await put(path, index)
    const folders = kept.map((path) => /^(2019\/(Rome\/)?)?[^/]+/.exec(path)![0])
    const expected = [
      ['2019/Rome/IMG_1.jpg', 'imported', undefined],
      ...folders.map((folder) => [folder, 'skipped', REASON]),
    ].sort()
    for (const dry_run of [true, false]) {
      assert.deepEqual(await outcomes({ folder_tags: true, dry_run }), expected)
    }
    assert.deepEqual(left(), kept.sort())
    const { items } = (await on.library.call('GET', '/tags', { token: on.admin })).body
    assert.deepEqual(items.map(({ name }: { name: string }) => name).sort(), ['2019', 'Rome'])
  })

  it('is imported when it is named itself', async () => {
    await put('#recycle/a.jpg', 1)
    await put('2019/@eaDir/b.jpg', 2)
    assert.deepEqual(
      await runImport(on.library, on.admin, '#recycle'),
      expectedEvents([['a.jpg', 'imported']]),
    )
    assert.deepEqual(
      await runImport(on.library, on.admin, '2019/@eaDir'),
      expectedEvents([['b.jpg', 'imported']]),
    )
  })

  it('is listed in the documentation, as the ends of unfinished names are', () => {
    const text = readFileSync('docs/import.md', 'utf8')
    const missing = [...LEFT_FOLDERS, ...UNFINISHED].filter((name) => !text.includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })
})

describe('a part of a file', () => {
  it('is never taken', async () => {
    const names = ['a.jpg.part', 'b.jpg.CRDOWNLOAD', 'c.tmp', 'd.jpg.filepart', '.e.jpg.Xy12Zz']
    for (const [index, name] of names.entries()) {
      putFile(on.base, name, await picture(index), index)
    }
    const before = inventory(on.library)
    assert.deepEqual(
      await outcomes({}),
      names
        .map((name) => [name, 'skipped', name.startsWith('.') ? 'hidden' : 'a part of a file'])
        .sort(),
    )
    assert.deepEqual([inventory(on.library), left().length], [before, names.length])
  })
})
