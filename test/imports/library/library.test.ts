import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { madeIn, openExample, WHOLE } from '../../support/exported.ts'
import { journalOf, namesIn } from '../../support/imports.ts'

let on: Awaited<ReturnType<typeof openExample>>
beforeEach(async () => {
  on = await openExample()
})
afterEach(() => on.close())

describe('an import of an exported library', () => {
  it('makes everything that it names, in its order, and removes it', async () => {
    await on.everything()
    assert.deepEqual(await on.outcomes(), WHOLE)
    const made = madeIn(on.library)
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
      on.rows('SELECT name, is_admin, can_create, is_blocked FROM users WHERE id > 1'),
      [
        { name: 'kim', is_admin: 0, can_create: 0, is_blocked: 1 },
        { name: 'lee', is_admin: 0, can_create: 0, is_blocked: 1 },
      ],
    )
    // All of it is what the admin did, in one operation.
    const log = on.rows(
      "SELECT DISTINCT user_name, operation FROM audit_log WHERE action <> 'user_login'",
    )
    assert.equal(log.length, 1)
    assert.deepEqual(namesIn(on.base), ['2019', '2020'])
    assert.deepEqual(journalOf(on.library), [])
    assert.deepEqual(on.rows('SELECT * FROM import_lines'), [])
  })

  it('lets nobody sign in as a user whom it has made', async () => {
    await on.everything()
    await on.outcomes()
    on.library.deps.db.run('UPDATE users SET is_blocked = 0')
    for (const password of ['', 'password of kim']) {
      const answer = await on.library.login('kim', password)
      assert.ok(answer.status === 401 || answer.status === 400, answer.text)
    }
  })

  it('gives the admin what is of users who do not exist, and drops their rights', async () => {
    await on.everything()
    const [, , , last] = (await on.outcomes({})) as string[][]
    assert.deepEqual(last, [
      'library.json',
      'imported',
      'there is no user "kim", "lee": what is theirs got another owner',
    ])
    const { users, files, tags, pools } = madeIn(on.library)
    assert.deepEqual(users, [{ name: 'ada' }])
    for (const { creator, rights } of [...files, ...tags, ...pools] as Record<string, unknown>[]) {
      assert.deepEqual([creator, rights], ['ada', '[]'])
    }
    assert.deepEqual((files as { favourite_of: string }[])[0]!.favourite_of, '[]')
  })

  it('uses tags and categories that their owners see, as they are, and names others after the owner', async () => {
    await on.library.join('kim', { can_create: true })
    const max = await on.library.join('max', { can_create: true })
    const tag = async (token: string, body: object) =>
      (await on.library.call('POST', '/tags', { token, body })).body
    await on.library.call('POST', '/categories', { token: max.token, body: { name: 'Places' } })
    await tag(max.token, { name: 'Italy', notes: 'of max' })
    await tag(max.token, { name: 'Rome', is_public: true, color: '0000ff' })
    await on.everything()
    assert.deepEqual(await on.outcomes(), WHOLE)
    const { tags, categories, files } = madeIn(on.library)
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
    assert.equal(madeIn(on.library).rules.length, 1)
    assert.equal((tags as { category: string }[])[2]!.category, 'Places (kim)')
    assert.deepEqual(
      (files as { tags: string }[]).map((file) => file.tags),
      ['["Italy (kim) 0","Rome 1"]', '["Italy (kim) 1"]', '[]'],
    )
  })

  it('makes no rule on a tag that the owner of the exported one may only see', async () => {
    await on.library.join('kim', { can_create: true })
    const max = await on.library.join('max', { can_create: true })
    await on.library.call('POST', '/tags', {
      token: max.token,
      body: { name: 'Rome', is_public: true },
    })
    await on.everything()
    const path = join(on.base, 'library.json')
    const ofKim = readFileSync(path, 'utf8').replace(
      '"name":"Rome","creator":"ada"',
      '"name":"Rome","creator":"kim"',
    )
    assert.match(ofKim, /"name":"Rome","creator":"kim"/)
    writeFileSync(path, ofKim)
    assert.deepEqual(await on.outcomes(), WHOLE)
    assert.deepEqual(madeIn(on.library).rules, [])
  })

  it('is left alone as a part of another import', async () => {
    const inner = join(on.base, 'export')
    mkdirSync(inner)
    await on.everything(inner)
    const alone = [['export', 'skipped', 'an exported library, which is imported by itself']]
    assert.deepEqual(await on.outcomes({ recursive: true }), alone)
    assert.deepEqual(await on.outcomes({ create_users: true }, 'export'), WHOLE)
  })

  it('says in a dry run what would come, and makes nothing', async () => {
    await on.everything()
    assert.deepEqual(await on.outcomes({ dry_run: true, create_users: true }), WHOLE.slice(0, 3))
    assert.deepEqual(on.rows('SELECT * FROM tags'), [])
    assert.ok(existsSync(join(on.base, 'library.json')))
  })
})
