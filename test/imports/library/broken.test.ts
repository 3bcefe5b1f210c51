import assert from 'node:assert/strict'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '../../../src/base/errors.ts'
import { openImportFolder } from '../../../src/imports/folder.ts'
import { importFiles } from '../../../src/imports/import.ts'
import {
  exampleFiles,
  exampleNames,
  FIRST,
  type Line,
  madeIn,
  outcomesOf,
  putExample,
  putLines,
  putText,
  SECOND,
  THIRD,
  WHOLE,
} from '../../support/exported.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { journalOf, namesIn, putFile, runImport } from '../../support/imports.ts'

let library: Library
let folder: string
let token: string

async function open() {
  library = await openLibrary()
  folder = join(library.folder, 'import')
  mkdirSync(folder)
  token = (await library.join('ada', { is_admin: true })).token
}

const close = () => library.close()

const outcomes = (options?: Parameters<typeof outcomesOf>[2], path?: string) =>
  outcomesOf(library, token, options, path)
const rows = (sql: string) => library.deps.db.all(sql)
const everything = () => putExample(folder)

describe('an import of an exported library', () => {
  beforeEach(open)

  it('comes once where the sources stay, and makes nothing again that was deleted since', async () => {
    await everything()
    const options = { create_users: true, leave_sources: true }
    assert.deepEqual(await outcomes(options), WHOLE)
    const before = madeIn(library)
    const again = await outcomes(options)
    assert.deepEqual(
      again,
      WHOLE.map(([path]) => [path, 'skipped', 'already imported']),
    )
    assert.deepEqual(madeIn(library), before)

    const pools = (await library.call('GET', '/pools?sort=created&order=asc', { token })).body.items
    await library.call('DELETE', `/pools/${pools[2].id}`, { token })
    library.deps.db.run('DELETE FROM tag_rules')
    library.deps.db.run('DELETE FROM duplicate_dismissals')
    library.deps.db.run('DELETE FROM pool_files WHERE pool_rid = 1')
    const changed = madeIn(library)
    await outcomes(options)
    assert.deepEqual(madeIn(library), changed)

    // Without the option, the sources go, and what is recorded of them.
    const last = await outcomes()
    assert.deepEqual(last, again)
    assert.deepEqual(journalOf(library), [])
    assert.deepEqual(rows('SELECT * FROM import_lines'), [])
    assert.equal(existsSync(join(folder, FIRST)), false)
    await close()
  })

  it('goes on where it was cut off, at whatever step', { timeout: 120_000 }, async () => {
    await everything()
    await outcomes()
    const whole = madeIn(library)
    await close()
    for (const leave_sources of [false, true]) {
      await open()
      await everything()
      const user = { id: 1, name: 'ada', is_admin: true, can_create: true }
      const options = { create_users: true, leave_sources, signal: new AbortController().signal }
      let type: string | undefined
      for (let steps = 3; type !== 'done'; steps += leave_sources ? 5 : 1) {
        const folder = await openImportFolder(library.deps.config, undefined)
        let left = steps
        const caller = () => {
          if (left-- > 0) return user
          throw new AppError('forbidden', 'no longer')
        }
        for await (const event of importFiles(library.deps, { folder, caller, ...options })) {
          type = event.type
        }
        await folder.close()
      }
      assert.deepEqual(madeIn(library), whole)
      await close()
    }
  })

  it('tells what is missing, differs or has no line, imports the rest, and later what was missing', async () => {
    const lines = await everything()
    const [away, other] = [join(library.folder, 'away.jpg'), join(folder, '2019/2019-07/x.jpg')]
    renameSync(join(folder, FIRST), away)
    putFile(folder, SECOND, await picture(9))
    putFile(folder, '2019/2019-07/x.jpg', await picture(10))
    putFile(folder, `${SECOND}.xmp`, '<x/>')
    symlinkSync(away, join(folder, '2019/link.jpg'))
    const told = await outcomes()
    assert.deepEqual(told, [
      [FIRST, 'error', 'library.json names it, but it is not there'],
      [SECOND, 'error', 'its bytes are not those that library.json names'],
      [THIRD, 'imported', undefined],
      ['2019/2019-07/x.jpg', 'skipped', 'library.json does not name it'],
      ['2019/link.jpg', 'skipped', 'a symbolic link'],
      ['library.json', 'imported', undefined],
    ])
    assert.ok(existsSync(other))
    assert.equal(madeIn(library).files.length, 1)

    renameSync(away, join(folder, FIRST))
    putFile(folder, SECOND, await picture(2))
    const again = await outcomes()
    assert.deepEqual(again.slice(0, 2), WHOLE.slice(0, 2))
    const { pools, dismissals, rules } = madeIn(library)
    const counts = pools.map(({ files }) => JSON.parse(files).length)
    assert.deepEqual([counts, dismissals.length, rules.length], [[2, 0, 2], 1, 1])
    assert.deepEqual(journalOf(library), [])
    assert.ok(lines.length > 0)
    await close()
  })

  it('follows no link at a path that it names', async () => {
    const lines = [...exampleNames(), ...(await exampleFiles(folder))]
    putLines(folder, lines)
    const outside = join(library.folder, 'outside')
    renameSync(join(folder, '2019'), outside)
    symlinkSync(outside, join(folder, '2019'))
    const told = await outcomes()
    assert.deepEqual(told, [
      [FIRST, 'error', 'library.json names it, but it is not there'],
      [SECOND, 'error', 'library.json names it, but it is not there'],
      [THIRD, 'imported', undefined],
      ['2019', 'skipped', 'a symbolic link'],
      ['library.json', 'imported', undefined],
    ])
    assert.deepEqual(namesIn(join(outside, '2019-07')), ['a.jpg', 'b.jpg'])
    await close()
  })

  it('takes a library.json of others as any other file', async () => {
    putFile(folder, 'library.json', '[{"type":"library"}]')
    putFile(folder, 'a.jpg', await picture(1), 1)
    assert.deepEqual(await outcomes(), [
      ['library.json', 'skipped', 'The file is not a picture or video of a known type'],
      ['a.jpg', 'imported', undefined],
    ])
    await close()
  })
})

describe('a library.json that is not right', () => {
  before(open)
  after(close)
  beforeEach(() => {
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
  })

  const HEAD = '{"type":"library","format":1}'
  const file = (path: string) =>
    JSON.stringify({
      type: 'file',
      path,
      size: 1,
      sha256: '0'.repeat(64),
      creator: 'ada',
      date: { time: '2020-05-06T07:08:09.000Z' },
    } satisfies Line)
  const deep = `{"type":"tag","name":"x","creator":"ada","metadata":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`
  const WRONG: [name: string, elements: string[], line: number][] = [
    ['has a newer format', ['{"type":"library","format":2}'], 2],
    ['has two heads', [HEAD, HEAD], 3],
    ['has an unknown line', [HEAD, '{"type":"spell"}'], 3],
    ['has a line that is no JSON', [HEAD, '{"type":"user","name":"kim"'], 3],
    ['has a line that is nested deeply', [HEAD, deep], 3],
    [
      'has lines in another order',
      [HEAD, file('2020/2020-05/a.jpg'), '{"type":"user","name":"kim"}'],
      4,
    ],
    ['has files of no pool', [HEAD, '{"type":"pool_files","files":["2020/2020-05/a.jpg"]}'], 3],
    ['names a file twice', [HEAD, file('2020/2020-05/a.jpg'), file('2020/2020-05/a.jpg')], 4],
    ['names a path above', [HEAD, file('../2020/2020-05/a.jpg')], 3],
    ['names an absolute path', [HEAD, file('/2020/2020-05/a.jpg')], 3],
    ['names a folder above', [HEAD, file('2020/2020-05/..')], 3],
    ['names a path with NUL', [HEAD, file('2020/2020-05/a\0.jpg')], 3],
    ['has a name without end', [HEAD, `{"type":"user","name":"${'x'.repeat(33)}"}`], 3],
  ]
  for (const [name, elements, line] of WRONG) {
    it(`${name}: nothing is imported`, async () => {
      putFile(folder, 'a.jpg', await picture(1))
      putText(folder, elements)
      const [event, ...more] = await runImport(library, token)
      assert.equal(more.length, 0)
      assert.equal(event?.type, 'error')
      assert.match(event?.reason ?? '', new RegExp(`^library\\.json, line ${line}: `))
      assert.deepEqual(rows('SELECT name FROM users'), [{ name: 'ada' }])
      assert.deepEqual(rows('SELECT * FROM files'), [])
    })
  }

  it('ends too early: nothing is imported', async () => {
    putFile(folder, 'library.json', `[\n${HEAD},\n${file('2020/2020-05/a.jpg')},\n`)
    const [event] = await runImport(library, token)
    assert.deepEqual(event, { type: 'error', reason: 'library.json, line 3: ends too early' })
  })

  it('has a line without end: it is not kept in memory', async () => {
    putFile(folder, 'library.json', `[\n${HEAD},\n"${'x'.repeat(2 ** 24)}"\n]`)
    const [event] = await runImport(library, token)
    const reason = 'library.json has a line that is too long'
    assert.deepEqual(event, { type: 'error', reason })
  })
})
