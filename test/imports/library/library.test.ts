import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import {
  exampleFiles,
  exampleNames,
  examplePools,
  madeIn,
  outcomesOf,
  putExample,
  putLines,
  WHOLE,
} from '../../support/exported.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { journalOf, namesIn } from '../../support/imports.ts'

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

const outcomes = (options?: Parameters<typeof outcomesOf>[2], path?: string) =>
  outcomesOf(library, token, options, path)
const rows = (sql: string) => library.deps.db.all(sql)
const everything = () => putExample(folder)

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
    await outcomes()
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
})
