import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Db } from '../../../src/db/client.ts'
import { emptyLog } from '../../../src/db/upkeep.ts'
import { KINDS } from '../../../src/keep/check/finding.ts'
import { openToCheck } from '../../../src/keep/check/open.ts'
import { CACHES } from '../../../src/keep/check/row-queries.ts'
import {
  assertFound,
  changePage,
  type Furnished,
  findingsOf,
  openFurnished,
  rootOf,
  without,
} from '../../support/checking.ts'

describe('a check of the database', () => {
  let furnished: Furnished
  let db: Db
  beforeEach(async () => {
    furnished = await openFurnished()
    db = furnished.library.deps.db
  })
  afterEach(() => furnished.library.close())

  const ofFile = (id: string) =>
    db.get<{ rid: number }>('SELECT rid FROM files WHERE id = unhex(?)', id.replaceAll('-', ''))!
      .rid

  /** The damage is found, is found again, is mended when asked for, and is then not found any more. */
  async function assertMended(kind: (typeof KINDS)[number], subject: string) {
    const { library } = furnished
    for (const _ of [1, 2]) await assertFound(library, [{ kind, subject, repaired: false }])
    await assertFound(library, [{ kind, subject, repaired: true }], { repair: true })
    await assertFound(library, [])
  }
  async function assertKept(kind: (typeof KINDS)[number], subject: string) {
    const { library } = furnished
    await assertFound(library, [{ kind, subject, repaired: false }])
    await assertFound(library, [{ kind, subject, repaired: false }], { repair: true })
  }

  it('finds nothing in a sound library', async () => {
    await assertFound(furnished.library, [])
    await assertFound(furnished.library, [], { read: 'none' })
    await assertFound(furnished.library, [], { repair: true })
  })

  it('mends how many tags a file has', async () => {
    const id = furnished.files[0]!
    db.run('UPDATE files SET tag_count = 7 WHERE rid = ?', ofFile(id))
    const [found] = await findingsOf(furnished.library)
    assert.equal(found!.sentence, 'The file is said to have 7 tags, and has 2')
    await assertMended('tag_count', id)
    assert.equal(db.get<{ n: number }>('SELECT max(tag_count) AS n FROM files')!.n, 2)
  })

  it('mends on how many files a tag is', async () => {
    const [tag] = furnished.tags
    db.run('UPDATE tags SET file_count = 0 WHERE id = unhex(?)', tag!.replaceAll('-', ''))
    await assertMended('tag_file_count', tag!)
    const { body } = await furnished.library.call('GET', `/tags/${tag}`, {
      token: furnished.token,
    })
    assert.equal(body.file_count ?? 2, 2)
  })

  for (const change of [
    'UPDATE usage SET bytes = bytes + 1 WHERE user_id = ?',
    'UPDATE usage SET file_count = 0 WHERE user_id = ?',
    'DELETE FROM usage WHERE user_id = ?',
  ]) {
    it(`mends what a user has after ${change}`, async () => {
      const right = db.all('SELECT * FROM usage ORDER BY user_id')
      db.run(change, furnished.user)
      await assertMended('usage', String(furnished.user))
      assert.deepEqual(db.all('SELECT * FROM usage ORDER BY user_id'), right)
    })
  }

  it('mends counters that stand still', async () => {
    db.run('PRAGMA foreign_keys = 0')
    db.run('INSERT INTO set_counting VALUES (0)')
    db.run('PRAGMA foreign_keys = 1')
    await assertMended('counting_stopped', 'set_counting')
  })

  it('places a file of a pool that has no place', async () => {
    db.run(
      'UPDATE pool_files SET order_key = (1 << 60) + file_rid WHERE file_rid = ?',
      ofFile(furnished.files[1]!),
    )
    await assertMended('order_key', furnished.pool)
    const { files, pool, token, library } = furnished
    const { body } = await library.call('GET', `/pools/${pool}/files`, { token })
    const shown = body.items.map((file: { id: string }) => file.id)
    assert.deepEqual(shown, [files[0], files[2], files[4], files[1]])
  })

  it('mends keys that are doubled behind the back of their index', async () => {
    const { library, pool } = furnished
    const path = join(library.folder, 'tagstead.sqlite')
    const place = rootOf(db, 'pool_files')
    const keys = () =>
      db.all(
        'SELECT file_rid FROM pool_files INDEXED BY sqlite_autoindex_pool_files_1 ORDER BY order_key, file_rid',
      )
    const before = keys()
    emptyLog(db)
    // The keys are 1 and 2 times 2^20, of three bytes each.
    changePage(path, place, (page) => {
      const at = page.lastIndexOf(Buffer.from([0x20, 0, 0]))
      assert.ok(at > 0)
      page[at] = 0x10
    })
    await library.restart()
    db = library.deps.db
    const told = await findingsOf(library)
    assert.deepEqual(
      told
        .filter(({ kind }) => kind === 'order_key' || kind === 'index_damaged')
        .map((one) => one.subject),
      [pool, 'pool_files_order'],
    )
    const mended = await findingsOf(library, { repair: true })
    assert.ok(mended.every(({ repaired }) => repaired))
    await assertFound(library, [])
    assert.deepEqual(keys(), before)
  })

  it('mends an index that differs from its table', async () => {
    const { library } = furnished
    const path = join(library.folder, 'tagstead.sqlite')
    const place = rootOf(db, 'files_mime_type')
    emptyLog(db)
    changePage(path, place, (page) => page.write('x', page.lastIndexOf('image/jpeg')))
    await library.restart()
    db = library.deps.db
    await assertMended('index_damaged', 'files_mime_type')
  })

  for (const name of ['files_phash', 'files_usage_delete']) {
    it(`makes ${name} anew when it is missing`, async () => {
      const { type } = db.get<{ type: string }>(
        'SELECT type FROM sqlite_schema WHERE name = ?',
        name,
      )!
      db.run(`DROP ${type} ${name}`)
      await assertMended('schema_missing', name)
    })
  }

  it('makes the version of a cache anew', async () => {
    const names = db.all<{ name: string }>('SELECT name FROM cache_versions ORDER BY name')
    assert.deepEqual(
      names.map(({ name }) => name),
      CACHES,
    )
    db.run("DELETE FROM cache_versions WHERE name = 'contents'")
    await assertMended('schema_missing', 'contents')
  })

  it('mends a full-text index that lacks a name', async () => {
    without(db, ['files_fts_update'], () => {
      db.run(
        "UPDATE files SET name_key = 'dlib 0 – 😀.jpg' WHERE rid = ?",
        ofFile(furnished.files[0]!),
      )
    })
    await assertMended('full_text_index', 'files_fts')
    const search = await furnished.library.call('GET', '/files?search=DLIB', {
      token: furnished.token,
    })
    assert.deepEqual(
      search.body.items.map((file: { id: string }) => file.id),
      [furnished.files[0]],
    )
  })

  it('mends a full-text index that is damaged', async () => {
    const { library } = furnished
    const path = join(library.folder, 'tagstead.sqlite')
    const place = rootOf(db, 'files_fts_data')
    emptyLog(db)
    changePage(path, place, (page) =>
      page.fill(0xff, page.lastIndexOf('.jp') - 4, page.lastIndexOf('.jp') + 9),
    )
    await library.restart()
    db = library.deps.db
    await assertMended('full_text_index', 'files_fts')
  })

  it('keeps the content of a file from being removed', async () => {
    const { blob } = db.get<{ blob: string }>('SELECT blob FROM file_details LIMIT 1')!
    db.run('INSERT INTO removals (blob) VALUES (?)', blob)
    await assertMended('removal_of_known', blob)
  })

  it('tells pairs that begin with the higher number', async () => {
    db.run('PRAGMA ignore_check_constraints = 1')
    db.run('UPDATE duplicate_dismissals SET file_rid_a = file_rid_b, file_rid_b = file_rid_a')
    db.run('PRAGMA ignore_check_constraints = 0')
    const kinds = (await findingsOf(furnished.library, { repair: true })).map((one) => one.kind)
    assert.deepEqual(kinds, ['database_damaged', 'pair_order'])
  })

  it('tells rows that name others that are not there', async () => {
    db.run('PRAGMA foreign_keys = 0')
    db.run("INSERT INTO owed_work VALUES (999, 'looks')")
    db.run('PRAGMA foreign_keys = 1')
    await assertKept('foreign_key', 'owed_work')
  })

  it('tells permissions for what is not there', async () => {
    db.run(
      "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, 'tag', 999, 1, 0)",
      furnished.user,
    )
    await assertKept('stray_permission', 'tag')
  })

  describe('what people see through a pool', () => {
    let pool: number
    let file: string
    let viewer: { id: number; token: string }
    beforeEach(async () => {
      const { library, user } = furnished
      file = furnished.files[0]!
      viewer = await library.join('viewer')
      const token = (await library.join('boss', { is_admin: true })).token
      const body = { name: 'shared', shares_files: true }
      const { id } = (await library.call('POST', '/pools', { token, body })).body
      const permissions = [{ user_id: viewer.id, can_edit: true }]
      await library.call('PUT', `/acl/pool/${id}`, { token, body: { permissions } })
      const file_ids = [file]
      await library.call('POST', `/pools/${id}/files`, { token, body: { file_ids } })
      assert.notEqual(user, viewer.id)
      pool = db.get<{ rid: number }>('SELECT max(rid) AS rid FROM pools')!.rid
      assert.equal(await statusOf(), 200)
      await assertFound(library, [])
    })
    const statusOf = async () =>
      (await furnished.library.call('GET', `/files/${file}`, { token: viewer.token })).status

    for (const [what, damage] of [
      ['is not in it', () => without(db, ['pool_files_acl_delete'], leave)],
      ['is shared by it no more', () => db.run('UPDATE pools SET shares_files = 0')],
      ['is not shared with them', () => db.run("DELETE FROM acl WHERE object_type = 'pool'")],
      [
        'is shared with those who may view it',
        () => db.run("UPDATE acl SET can_view = 0, can_edit = 0 WHERE object_type = 'pool'"),
      ],
      ['is of no pool', () => db.run('UPDATE acl SET pool_rid = 7777 WHERE pool_rid <> 0')],
    ] as const) {
      it(`ends where the file ${what}`, async () => {
        damage()
        const { last } = db.get<{ last: number }>('SELECT max(pool_rid) AS last FROM acl')!
        await assertMended('permission_through_pool', String(last))
        assert.equal(await statusOf(), 403)
      })
    }
    const leave = () => db.run('DELETE FROM pool_files WHERE pool_rid = ?', pool)

    it('never lets them edit', async () => {
      db.run('UPDATE acl SET can_edit = 1 WHERE pool_rid <> 0')
      await assertMended('permission_through_pool', String(pool))
    })

    it('is left to a change of it that is under way', async () => {
      db.run('UPDATE pools SET shares_files = 0')
      db.run(
        `INSERT INTO long_changes (kind, subject, user_id, user_name, operation, state, started_at)
         VALUES ('share_pool', 's', 1, 'u', 1, json_object('pool', ?), 0)`,
        pool,
      )
      await assertFound(furnished.library, [])
    })
  })

  it('tells a file whose content nobody knows', async () => {
    const { rid } = db.get<{ rid: number }>("SELECT rid FROM files WHERE original_name = 'a.jpg'")!
    const blob = db.get<{ blob: string }>('SELECT blob FROM file_details WHERE file_rid = ?', rid)!
    without(db, ['file_details_delete'], () => {
      db.run('UPDATE usage SET file_count = 0, bytes = 0 WHERE user_id <> ?', furnished.user)
      db.run('DELETE FROM file_details WHERE file_rid = ?', rid)
    })
    const { id } = db.get<{ id: string }>(
      'SELECT lower(hex(id)) AS id FROM files WHERE rid = ?',
      rid,
    )!
    const told = (await findingsOf(furnished.library)).map(({ kind, subject }) => [
      kind,
      subject.replaceAll('-', ''),
    ])
    assert.deepEqual(told, [
      ['details_missing', id],
      ['content_unknown', blob.blob],
    ])
  })

  it('tells a pool that fills itself and has files of its own, or a filter that is none', async () => {
    const { rid, id } = db.get<{ rid: number; id: string }>(
      'SELECT rid, lower(hex(id)) AS id FROM pools WHERE rid = (SELECT max(pool_rid) FROM pool_files)',
    )!
    const set = (filter: string) =>
      db.run("UPDATE pools SET sort_key = 'created', filter = ? WHERE rid = ?", filter, rid)
    const told = async () =>
      (await findingsOf(furnished.library)).map(({ kind, subject }) => [
        kind,
        subject.replaceAll('-', ''),
      ])
    set('{r=1}')
    assert.deepEqual(await told(), [['pool_filter', id]])
    db.run('DELETE FROM pool_files WHERE pool_rid = ?', rid)
    assert.deepEqual(await told(), [])
    set('{r=7}')
    assert.deepEqual(await told(), [['pool_filter', id]])
  })

  it('tells that no admin can sign in', async () => {
    db.run('UPDATE users SET is_blocked = 1 WHERE is_admin = 1')
    await assertKept('no_admin', 'users')
  })

  it('tells a damaged table, and goes on', async () => {
    const { library } = furnished
    const path = join(library.folder, 'tagstead.sqlite')
    const place = rootOf(db, 'sessions')
    emptyLog(db)
    changePage(path, place, (page) => page.fill(0xff))
    await library.restart()
    db = library.deps.db
    db.run('UPDATE usage SET bytes = 0')
    const kinds = new Set((await findingsOf(library)).map(({ kind }) => kind))
    assert.ok(kinds.has('database_damaged'))
    assert.ok(kinds.has('usage'))
  })

  it('opens a database for reading only, unless it is to be repaired', async () => {
    const { config } = furnished.library.deps
    const change = 'UPDATE usage SET bytes = 0'
    const read = openToCheck(config, { repair: false })
    assert.ok('run' in read)
    assert.throws(() => read.run(change), /readonly/)
    await assertFound({ ...furnished.library, deps: { ...furnished.library.deps, db: read } }, [])
    read.close()
    const written = openToCheck(config, { repair: true })
    assert.ok('run' in written)
    written.run(change)
    written.close()
  })

  it('has each kind explained', () => {
    const page = readFileSync('docs/check.md', 'utf8')
    for (const kind of KINDS) assert.ok(page.includes(`| \`${kind}\` |`), kind)
  })
})
