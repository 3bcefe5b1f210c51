import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { expectedEvents, journalOf, rest, runImport } from '../support/imports.ts'

let library: Library
let folder: string
let admin: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  folder = join(library.folder, 'import')
  admin = await library.join('ada', { is_admin: true })
})
after(() => library.close())
beforeEach(() => mkdirSync(folder))
// The runtimes remove no folder whose name is not UTF-8.
afterEach(() => execFileSync('rm', ['-r', folder]))

const bytesOf = (path: string) => Buffer.from(path, 'latin1')
/** Makes a file with its folders; each letter of the path is one byte. */
const put = async (path: string, n: number) => {
  const whole = Buffer.concat([Buffer.from(`${folder}/`), bytesOf(path)])
  const parent = whole.subarray(0, whole.lastIndexOf(0x2f))
  mkdirSync(parent, { recursive: true })
  writeFileSync(whole, await picture(n))
  rest(whole, n)
}
/** Returns the paths of all files that are left, each letter one byte. */
const left = () =>
  execFileSync('find', [folder, '-type', 'f', '-printf', '%P\\n'], { encoding: 'latin1' })
    .split('\n')
    .filter(Boolean)
    .sort()
const run = (options: object = {}) => runImport(library, admin.token, undefined, options)
const names = async (count: number) => {
  const { items } = (await library.call('GET', `/files?limit=${count}`, admin)).body
  return items.map((file: { original_name: string }) => file.original_name).reverse()
}

/** What Latin-1 makes "K\u00fcche.jpg", and what UTF-8 makes it. */
const LATIN1 = 'K\xfcche.jpg'
const UTF8 = 'K\xc3\xbcche.jpg'

describe('a name that is not UTF-8', () => {
  it('is read as Latin-1, or made where that is not printable, and its source goes', async () => {
    await put(LATIN1, 0)
    await put('\x8e\xca\x90^.jpg', 1)
    await put('\xff\x07', 2)
    const [, first, second, third, done] = await run()
    assert.deepEqual(first, expectedEvents([['K\u00fcche.jpg', 'imported']])[1])
    assert.match(second!.filename!, /^unnamed-[0-9a-f]{8}\.jpg$/)
    assert.match(third!.filename!, /^unnamed-[0-9a-f]{8}$/)
    assert.equal(done!.imported, 3)
    assert.deepEqual(
      await names(3),
      [first, second, third].map((event) => event!.filename),
    )
    assert.deepEqual([left(), journalOf(library)], [[], []])
  })

  it('is told from one that reads the same, in folders too', async () => {
    const paths = [`a/${LATIN1}`, `a/${UTF8}`, `K\xfc/${LATIN1}`, `K\xc3\xbc/${LATIN1}`]
    for (const [index, path] of paths.entries()) await put(path, 3 + index)
    const both = { recursive: true, leave_sources: true }
    const readable = [
      'a/K\u00fcche.jpg',
      'a/K\u00fcche.jpg',
      'K\u00fc/K\u00fcche.jpg',
      'K\u00fc/K\u00fcche.jpg',
    ]
    const events = (outcome: [string, string?]) =>
      expectedEvents(readable.map((name) => [name, ...outcome]))
    assert.deepEqual(await run(both), events(['imported']))
    assert.equal(new Set(journalOf(library)).size, paths.length)
    assert.deepEqual(await run(both), events(['skipped', 'already imported']))
    assert.deepEqual(left(), paths.sort())
    assert.deepEqual(await run({ recursive: true }), events(['skipped', 'already imported']))
    assert.deepEqual([left(), journalOf(library)], [[], []])
  })

  it('is forgotten by the journal when its source is gone', async () => {
    await put(LATIN1, 7)
    await run({ leave_sources: true })
    assert.equal(journalOf(library).length, 1)
    execFileSync('find', [folder, '-type', 'f', '-delete'])
    await put('other.jpg', 8)
    await run({ leave_sources: true })
    assert.deepEqual(journalOf(library), ['import/other.jpg'])
  })

  it('is looked at by a dry run, hidden by its dot, and a tag where it is a folder', async () => {
    await put('K\xfc/a.jpg', 9)
    await put('.K\xfc.jpg', 10)
    await put('K\xfc.part', 11)
    const told = async (options: object) =>
      (await run({ recursive: true, folder_tags: true, ...options }))
        .filter(({ type }) => type === 'file')
        .map(({ filename, status, reason }) => [filename, status, reason])
    const expected = [
      ['K\u00fc/a.jpg', 'imported', undefined],
      ['.K\u00fc.jpg', 'skipped', 'hidden'],
      ['K\u00fc.part', 'skipped', 'a part of a file'],
    ]
    assert.deepEqual(await told({ dry_run: true }), expected)
    assert.deepEqual(await told({}), expected)
    const { items } = (await library.call('GET', '/tags', admin)).body
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      ['K\u00fc'],
    )
    assert.deepEqual(left(), ['.K\xfc.jpg', 'K\xfc.part'])
  })
})
