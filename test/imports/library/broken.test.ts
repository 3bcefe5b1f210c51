import assert from 'node:assert/strict'
import { existsSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '../../../src/base/errors.ts'
import { openImportFolder } from '../../../src/imports/folder.ts'
import { importFiles } from '../../../src/imports/import.ts'
import {
  FIRST,
  type Line,
  madeIn,
  openExample,
  putText,
  SECOND,
  WHOLE,
} from '../../support/exported.ts'
import { picture } from '../../support/harness.ts'
import { journalOf, namesIn, putFile, runImport } from '../../support/imports.ts'

let on: Awaited<ReturnType<typeof openExample>>
const open = async () => {
  on = await openExample()
}

const NOT_THERE = 'library.json names it, but it is not there'
// What becomes of the example without its first two files, and of what lies there besides.
const withoutTwo = (second: string, others: string[][]) => [
  [FIRST, 'error', NOT_THERE],
  [SECOND, 'error', second],
  WHOLE[2],
  ...others,
  WHOLE[3],
]

describe('an import of an exported library', () => {
  beforeEach(open)
  afterEach(() => on.close())

  it('comes once where the sources stay, and makes nothing again that was deleted since', async () => {
    await on.everything()
    const options = { create_users: true, leave_sources: true }
    assert.deepEqual(await on.outcomes(options), WHOLE)
    const before = madeIn(on.library)
    const again = await on.outcomes(options)
    assert.deepEqual(
      again,
      WHOLE.map(([path]) => [path, 'skipped', 'already imported']),
    )
    assert.deepEqual(madeIn(on.library), before)

    const as = { token: on.admin }
    const { body } = await on.library.call('GET', '/pools?sort=created&order=asc', as)
    await on.library.call('DELETE', `/pools/${body.items[2].id}`, as)
    on.library.deps.db.run('DELETE FROM tag_rules')
    on.library.deps.db.run('DELETE FROM duplicate_dismissals')
    on.library.deps.db.run('DELETE FROM pool_files WHERE pool_rid = 1')
    const changed = madeIn(on.library)
    await on.outcomes(options)
    assert.deepEqual(madeIn(on.library), changed)

    // Without the option, the sources go, and what is recorded of them.
    const last = await on.outcomes()
    assert.deepEqual(last, again)
    assert.deepEqual(journalOf(on.library), [])
    assert.deepEqual(on.rows('SELECT * FROM import_lines'), [])
    assert.equal(existsSync(join(on.base, FIRST)), false)
  })

  it('goes on where it was cut off, at whatever step', { timeout: 120_000 }, async () => {
    await on.everything()
    await on.outcomes()
    const whole = madeIn(on.library)
    for (const leave_sources of [false, true]) {
      await on.close()
      await open()
      await on.everything()
      const user = { id: 1, name: 'ada', is_admin: true, can_create: true }
      const options = { create_users: true, leave_sources, signal: new AbortController().signal }
      let type: string | undefined
      for (let steps = 3; type !== 'done'; steps += leave_sources ? 5 : 1) {
        const folder = await openImportFolder(on.library.deps.config, undefined)
        let left = steps
        const caller = () => {
          if (left-- > 0) return user
          throw new AppError('forbidden', 'no longer')
        }
        for await (const event of importFiles(on.library.deps, { folder, caller, ...options })) {
          type = event.type
        }
        await folder.close()
      }
      assert.deepEqual(madeIn(on.library), whole)
    }
  })

  it('tells what is missing, differs or has no line, imports the rest, and later what was missing', async () => {
    await on.everything()
    const [away, other] = [join(on.library.folder, 'away.jpg'), join(on.base, '2019/2019-07/x.jpg')]
    renameSync(join(on.base, FIRST), away)
    putFile(on.base, SECOND, await picture(9))
    putFile(on.base, '2019/2019-07/x.jpg', await picture(10))
    putFile(on.base, `${SECOND}.xmp`, '<x/>')
    symlinkSync(away, join(on.base, '2019/link.jpg'))
    assert.deepEqual(
      await on.outcomes(),
      withoutTwo('its bytes are not those that library.json names', [
        ['2019/2019-07/x.jpg', 'skipped', 'library.json does not name it'],
        ['2019/link.jpg', 'skipped', 'a symbolic link'],
      ]),
    )
    assert.ok(existsSync(other))
    assert.equal(madeIn(on.library).files.length, 1)

    renameSync(away, join(on.base, FIRST))
    putFile(on.base, SECOND, await picture(2))
    const again = await on.outcomes()
    assert.deepEqual(again.slice(0, 2), WHOLE.slice(0, 2))
    const { pools, dismissals, rules } = madeIn(on.library)
    const counts = pools.map(({ files }) => JSON.parse(files).length)
    assert.deepEqual([counts, dismissals.length, rules.length], [[2, 0, 2], 1, 1])
    assert.deepEqual(journalOf(on.library), [])
  })

  it('follows no link at a path that it names', async () => {
    await on.everything()
    const outside = join(on.library.folder, 'outside')
    renameSync(join(on.base, '2019'), outside)
    symlinkSync(outside, join(on.base, '2019'))
    assert.deepEqual(
      await on.outcomes(),
      withoutTwo(NOT_THERE, [['2019', 'skipped', 'a symbolic link']]),
    )
    assert.deepEqual(namesIn(join(outside, '2019-07')), ['a.jpg', 'b.jpg'])
  })

  it('takes a library.json of others as any other file', async () => {
    putFile(on.base, 'library.json', '[{"type":"library"}]')
    putFile(on.base, 'a.jpg', await picture(1), 1)
    assert.deepEqual(await on.outcomes(), [
      ['library.json', 'skipped', 'The file is not a picture or video of a known type'],
      ['a.jpg', 'imported', undefined],
    ])
  })
})

describe('a library.json that is not right', () => {
  before(open)
  after(() => on.close())
  beforeEach(() => on.clear())

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
      putFile(on.base, 'a.jpg', await picture(1))
      putText(on.base, elements)
      const [event, ...more] = await runImport(on.library, on.admin)
      assert.equal(more.length, 0)
      assert.equal(event?.type, 'error')
      assert.match(event?.reason ?? '', new RegExp(`^library\\.json, line ${line}: `))
      assert.deepEqual(on.rows('SELECT name FROM users'), [{ name: 'ada' }])
      assert.deepEqual(on.rows('SELECT * FROM files'), [])
    })
  }

  it('ends too early: nothing is imported', async () => {
    putFile(on.base, 'library.json', `[\n${HEAD},\n${file('2020/2020-05/a.jpg')},\n`)
    const [event] = await runImport(on.library, on.admin)
    assert.deepEqual(event, { type: 'error', reason: 'library.json, line 3: ends too early' })
  })

  it('has a line without end: it is not kept in memory', async () => {
    putFile(on.base, 'library.json', `[\n${HEAD},\n"${'x'.repeat(2 ** 24)}"\n]`)
    const [event] = await runImport(on.library, on.admin)
    const reason = 'library.json has a line that is too long'
    assert.deepEqual(event, { type: 'error', reason })
  })
})
