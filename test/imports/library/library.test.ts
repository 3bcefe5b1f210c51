import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '../../../src/base/errors.ts'
import { openImportFolder } from '../../../src/imports/folder.ts'
import { importFiles } from '../../../src/imports/import.ts'
import {
  exampleFiles,
  exampleNames,
  examplePools,
  FIRST,
  type Line,
  madeIn,
  putLines,
  putText,
  SECOND,
  THIRD,
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

beforeEach(open)
const close = () => library.close()

type Options = Parameters<typeof runImport>[3]
const run = async (options: Options = { create_users: true }, path?: string) =>
  (await runImport(library, token, path, options)).map(({ filename, status, reason, ...event }) =>
    event.type === 'file' ? [filename, status, reason] : { ...event, reason },
  )
const outcomes = async (...args: Parameters<typeof run>) => (await run(...args)).slice(1, -1)
const rows = (sql: string) => library.deps.db.all(sql)
const everything = async () => {
  const lines = [...exampleNames(), ...(await exampleFiles(folder)), ...examplePools()]
  putLines(folder, lines)
  return lines
}
const WHOLE = [
  [FIRST, 'imported', undefined],
  [SECOND, 'imported', undefined],
  [THIRD, 'imported', undefined],
  ['library.json', 'imported', undefined],
]

describe('an import of an exported library', () => {
  it('makes everything that it names, in its order, and removes it', async () => {
    await everything()
    assert.deepEqual(await outcomes(), WHOLE)
    const made = madeIn(library)
    const [first, second, third] = made.files as { sha256: string }[]
    assert.deepEqual(made, {
      users: [{ name: 'ada' }, { name: 'kim' }, { name: 'lee' }],
      categories: [
        {
          name: 'Places',
          notes: null,
          color: '00ff00',
          metadata: null,
          is_public: 1,
          creator: 'kim',
          rights: '[]',
        },
      ],
      tags: [
        {
          ...{
            name: 'Italy',
            notes: 'a boot',
            color: null,
            metadata: '{"x":1}',
            is_public: 0,
          },
          ...{ creator: 'kim', rights: '["lee 10 "]', category: 'Places' },
        },
        {
          ...{
            name: 'Rome',
            notes: null,
            color: 'ff0000',
            metadata: null,
            is_public: 1,
          },
          ...{ creator: 'ada', rights: '[]', category: null },
        },
      ],
      rules: [{ when_tag_rid: 'Rome', then_tag_rid: 'Italy', is_active: 1 }],
      files: [
        {
          ...{
            sha256: first!.sha256,
            original_name: 'Rome: the Forum.jpg',
            name_key: 'rome: the forum.jpg',
          },
          ...{
            content_datetime: Date.UTC(1987, 6, 2, 12),
            content_offset: 120,
            date_source: 'given',
          },
          ...{ date_precision: 'year', is_public: 1, needs_review: 0, tag_count: 2, rotation: 90 },
          ...{
            notes: 'sunny',
            metadata: '{"b":[1],"a":null}',
            mime_type: 'image/jpeg',
            creator: 'kim',
          },
          ...{ rights: '["lee 10 Holidays","lee 11 "]', tags: '["Italy 0","Rome 1"]' },
          favourite_of: '["kim","lee"]',
        },
        {
          ...{ sha256: second!.sha256, original_name: null, name_key: '' },
          ...{
            content_datetime: Date.UTC(2020, 4, 6, 7, 8, 9),
            content_offset: null,
            date_source: null,
          },
          ...{ date_precision: null, is_public: 0, needs_review: 1, tag_count: 1, rotation: 0 },
          ...{ notes: null, metadata: null, mime_type: 'image/jpeg', creator: 'ada' },
          ...{ rights: '[]', tags: '["Italy 1"]', favourite_of: '[]' },
        },
        {
          ...{ sha256: third!.sha256, original_name: null, name_key: '' },
          ...{
            content_datetime: Date.UTC(2020, 4, 6, 7, 8, 9),
            content_offset: null,
            date_source: null,
          },
          ...{ date_precision: null, is_public: 0, needs_review: 0, tag_count: 0, rotation: 0 },
          ...{ notes: null, metadata: null, mime_type: 'image/jpeg', creator: 'ada' },
          ...{ rights: '[]', tags: '[]', favourite_of: '[]' },
        },
      ],
      pairs: [],
      pools: [
        {
          ...{
            name: 'Holidays',
            notes: null,
            metadata: null,
            is_public: 0,
            sort_key: 'manual',
            sort_order: 'asc',
          },
          ...{ shares_files: 1, filter: null, creator: 'kim', rights: '["lee 10 "]' },
          files: JSON.stringify([second!.sha256, first!.sha256]),
        },
        {
          ...{
            name: 'Romans',
            notes: null,
            metadata: null,
            is_public: 0,
            sort_key: 'created',
            sort_order: 'desc',
          },
          ...{ shares_files: 0, creator: 'ada', rights: '[]', files: '[]' },
          filter: '{t=Rome,&,p=Holidays,&,u=kim,|,c=nothing}',
        },
        {
          ...{
            name: 'Holidays',
            notes: null,
            metadata: null,
            is_public: 0,
            sort_key: 'manual',
            sort_order: 'desc',
          },
          ...{ shares_files: 0, filter: null, creator: 'ada', rights: '[]' },
          files: JSON.stringify([third!.sha256, first!.sha256]),
        },
      ],
      dismissals: [{ one: first!.sha256, other: second!.sha256 }],
    })
    assert.deepEqual(
      rows('SELECT name, is_admin, can_create, is_blocked FROM users WHERE id > 1'),
      [
        { name: 'kim', is_admin: 0, can_create: 0, is_blocked: 1 },
        { name: 'lee', is_admin: 0, can_create: 0, is_blocked: 1 },
      ],
    )
    // All of it is what the admin did, in one operation.
    const log = rows(
      "SELECT DISTINCT user_name, operation FROM audit_log WHERE action <> 'user_login'",
    )
    assert.equal(log.length, 1)
    assert.deepEqual(namesIn(folder), ['2019', '2020'])
    assert.deepEqual(journalOf(library), [])
    assert.deepEqual(rows('SELECT * FROM import_lines'), [])
    await close()
  })

  it('lets nobody sign in as a user whom it has made', async () => {
    await everything()
    await run()
    library.deps.db.run('UPDATE users SET is_blocked = 0')
    for (const password of ['', 'password of kim']) {
      const answer = await library.login('kim', password)
      assert.ok(answer.status === 401 || answer.status === 400, answer.text)
    }
    await close()
  })

  it('gives the admin what is of users who do not exist, and drops their rights', async () => {
    await everything()
    const [, , , last] = (await outcomes({})) as string[][]
    assert.deepEqual(last, [
      'library.json',
      'imported',
      'there is no user "kim", "lee": what is theirs got another owner',
    ])
    const { users, files, tags, pools } = madeIn(library)
    assert.deepEqual(users, [{ name: 'ada' }])
    for (const { creator, rights } of [...files, ...tags, ...pools] as Record<string, unknown>[]) {
      assert.deepEqual([creator, rights], ['ada', '[]'])
    }
    assert.deepEqual((files as { favourite_of: string }[])[0]!.favourite_of, '[]')
    await close()
  })

  it('uses tags and categories that their owners see, as they are, and names others after the owner', async () => {
    await library.join('kim', { can_create: true })
    const max = await library.join('max', { can_create: true })
    const tag = async (token: string, body: object) =>
      (await library.call('POST', '/tags', { token, body })).body
    await library.call('POST', '/categories', { token: max.token, body: { name: 'Places' } })
    await tag(max.token, { name: 'Italy', notes: 'of max' })
    await tag(max.token, { name: 'Rome', is_public: true, color: '0000ff' })
    await everything()
    assert.deepEqual(await outcomes(), WHOLE)
    const { tags, categories, files } = madeIn(library)
    const shown = (list: unknown[]) =>
      (list as Record<string, unknown>[]).map(({ name, creator }) => [name, creator])
    assert.deepEqual(shown(categories), [
      ['Places', 'max'],
      ['Places (kim)', 'kim'],
    ])
    assert.deepEqual(shown(tags), [
      ['Italy', 'max'],
      ['Rome', 'max'],
      ['Italy (kim)', 'kim'],
    ])
    assert.equal((tags as { color: string }[])[1]!.color, '0000ff')
    // An admin, as whom the exported tag comes, may edit that of max.
    assert.equal(madeIn(library).rules.length, 1)
    assert.equal((tags as { category: string }[])[2]!.category, 'Places (kim)')
    assert.deepEqual(
      (files as { tags: string }[]).map((file) => file.tags),
      ['["Italy (kim) 0","Rome 1"]', '["Italy (kim) 1"]', '[]'],
    )
    await close()
  })

  it('makes no rule on a tag that the owner of the exported one may only see', async () => {
    await library.join('kim', { can_create: true })
    const max = await library.join('max', { can_create: true })
    await library.call('POST', '/tags', {
      token: max.token,
      body: { name: 'Rome', is_public: true },
    })
    await everything()
    const path = join(folder, 'library.json')
    const ofKim = readFileSync(path, 'utf8').replace(
      '"name":"Rome","creator":"ada"',
      '"name":"Rome","creator":"kim"',
    )
    assert.match(ofKim, /"name":"Rome","creator":"kim"/)
    writeFileSync(path, ofKim)
    assert.deepEqual(await outcomes(), WHOLE)
    assert.deepEqual(madeIn(library).rules, [])
    await close()
  })

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
    await run()
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

  it('is left alone as a part of another import', async () => {
    const inner = join(folder, 'export')
    mkdirSync(inner)
    putLines(inner, [...exampleNames(), ...(await exampleFiles(inner)), ...examplePools()])
    const alone = [['export', 'skipped', 'an exported library, which is imported by itself']]
    assert.deepEqual(await outcomes({ recursive: true }), alone)
    assert.deepEqual(await outcomes({ create_users: true }, 'export'), WHOLE)
    await close()
  })

  it('says in a dry run what would come, and makes nothing', async () => {
    await everything()
    assert.deepEqual(await outcomes({ dry_run: true, create_users: true }), WHOLE.slice(0, 3))
    assert.deepEqual(rows('SELECT * FROM tags'), [])
    assert.ok(existsSync(join(folder, 'library.json')))
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
