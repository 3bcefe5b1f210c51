import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { addTag, assertError, grant } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

type User = { id: number; token: string }
type Tag = { id: string; name: string }

let library: Library
let root: User
let ann: User
let bob: User
let beach: Tag
let city: Tag
let secret: Tag
/** Three of Ann's, one of them in the trash; one of Bob's; one of Bob's that Ann may edit. */
let files: string[]
let trashed: string
let bobs: string
let shared: string
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
  beach = await addTag(library, ann.token, 'beach', { is_public: true })
  city = await addTag(library, ann.token, 'city', { is_public: true })
  secret = await addTag(library, bob.token, 'secret')
})
after(() => library.close())
beforeEach(async () => {
  library.deps.db.run('DELETE FROM files')
  library.deps.db.run('DELETE FROM tag_rules')
  files = makeFiles(3, ann)
  trashed = files[2]!
  ;[bobs, shared] = makeFiles(2, bob) as [string, string]
  grant(library, ann.id, 'file', shared, 'edit')
  grant(library, ann.id, 'file', bobs, 'view')
  await library.call('DELETE', `/files/${trashed}`, ann)
})

const makeFiles = (count: number, owner: User) =>
  write(library.deps.db, { now: 0 }, () =>
    addManyFiles(library.deps.db, count, { owner: owner.id }),
  )
const bulk = (user: User, what: string, body: unknown) =>
  library.call('POST', `/files/bulk/${what}`, { token: user.token, body })
const tag = (user: User, action: 'add' | 'remove', file_ids: string[], tags: Tag[]) =>
  bulk(user, 'tags', { file_ids, action, tag_ids: tags.map((one) => one.id) })
const fileOf = async (id: string) => (await library.call('GET', `/files/${id}`, root)).body
const tagsOf = async (id: string) => (await fileOf(id)).tags.map((one: Tag) => one.name)
/** The entries that the work leaves, each with the file that it is about. */
const newEntries = async (work: () => Promise<unknown>) => {
  const { db } = library.deps
  const { last } = db.get<{ last: number }>('SELECT max(id) AS last FROM audit_log')!
  await work()
  return db
    .all<{ action: string; file: string; details: string }>(
      `SELECT action, lower(hex(object_id)) AS file, details FROM audit_log
       WHERE id > ? AND object_type = 'file' ORDER BY id`,
      last,
    )
    .map((row) => [row.action, row.file, JSON.parse(row.details)])
}
const entry = (action: string, file: string, details: object) => [
  action,
  file.replaceAll('-', ''),
  details,
]
const everyFile = () => [...files, bobs, shared]

describe('tags in bulk', () => {
  it('are put on the files that the caller may edit, with one entry for each that changes', async () => {
    await tag(ann, 'add', [files[0]!], [beach])
    const entries = await newEntries(async () => {
      const named = [...everyFile(), UNKNOWN, files[1]!.toUpperCase(), shared]
      const answer = await tag(ann, 'add', named, [beach, city, beach])
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { applied_tag_ids: [beach.id, city.id] }],
      )
    })
    const both = { tag_ids: [beach.id, city.id], by_rule: [] }
    assert.deepEqual(entries, [
      entry('file_tag_add', files[0]!, { tag_ids: [city.id], by_rule: [] }),
      entry('file_tag_add', files[1]!, both),
      entry('file_tag_add', trashed, both),
      entry('file_tag_add', shared, both),
    ])
    for (const id of [...files, shared]) assert.deepEqual(await tagsOf(id), ['beach', 'city'])
    assert.deepEqual(await tagsOf(bobs), [])
    const again = await newEntries(() => tag(ann, 'add', everyFile(), [beach, city]))
    assert.deepEqual(again, [])
  })

  it('are taken off, where they are', async () => {
    await tag(root, 'add', everyFile(), [beach])
    await tag(root, 'add', [files[0]!], [city])
    const entries = await newEntries(async () => {
      const answer = await tag(ann, 'remove', [files[0]!, files[1]!, bobs], [city, beach])
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { applied_tag_ids: [city.id, beach.id] }],
      )
    })
    assert.deepEqual(entries, [
      entry('file_tag_remove', files[0]!, { tag_ids: [city.id, beach.id], by_rule: [] }),
      entry('file_tag_remove', files[1]!, { tag_ids: [beach.id], by_rule: [] }),
    ])
    const left = await Promise.all(everyFile().map(tagsOf))
    assert.deepEqual(left, [[], [], ['beach'], ['beach'], ['beach']])
    assert.deepEqual(await newEntries(() => tag(ann, 'remove', [files[0]!], [city, beach])), [])
  })

  it('bring along what follows from them, and removing takes only what is named', async () => {
    const rule = { then_tag_id: city.id }
    await library.call('POST', `/tags/${beach.id}/rules`, { token: ann.token, body: rule })
    const answer = await tag(ann, 'add', [files[0]!], [beach])
    assert.deepEqual(answer.body.applied_tag_ids, [beach.id, city.id])
    const removed = await tag(ann, 'remove', [files[0]!], [beach])
    assert.deepEqual(removed.body.applied_tag_ids, [beach.id])
    assert.deepEqual(await tagsOf(files[0]!), ['city'])
  })

  it('are refused when one is unknown or hidden, and then nothing changes', async () => {
    const entries = await newEntries(async () => {
      const unknown = { id: UNKNOWN, name: '' }
      assertError(await tag(ann, 'add', files, [beach, unknown]), 404, 'not_found')
      assertError(await tag(ann, 'remove', files, [beach, secret]), 403, 'forbidden')
      assertError(await tag(ann, 'add', files, [beach, secret]), 403, 'forbidden')
    })
    assert.deepEqual(entries, [])
    assert.deepEqual(await tagsOf(files[0]!), [])
  })

  it('of none, or for no file, do nothing', async () => {
    const entries = await newEntries(async () => {
      assert.deepEqual((await tag(ann, 'add', [], [beach])).body, { applied_tag_ids: [beach.id] })
      assert.deepEqual((await tag(ann, 'add', files, [])).body, { applied_tag_ids: [] })
      assert.deepEqual((await tag(ann, 'remove', files, [])).body, { applied_tag_ids: [] })
      assert.equal((await bulk(ann, 'delete', { file_ids: [] })).status, 204)
      assert.equal((await bulk(ann, 'review', { file_ids: [], needs_review: false })).status, 204)
    })
    assert.deepEqual(entries, [])
  })
})

describe('the limits of bulk operations', () => {
  it('are 10,000 different files', async () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => UNKNOWN.slice(0, -5) + (10_000 + i))
    const [first] = ids as [string]
    const bodies: [string, object][] = [
      ['tags', { action: 'add', tag_ids: [beach.id] }],
      ['delete', {}],
      ['review', { needs_review: false }],
      ['common-tags', {}],
    ]
    for (const [what, body] of bodies) {
      const full = await bulk(ann, what, { ...body, file_ids: [...ids, first] })
      assert.ok([200, 204].includes(full.status), `${what}: ${full.text}`)
      const answer = await bulk(ann, what, { ...body, file_ids: [...ids, UNKNOWN] })
      assertError(answer, 400, 'validation_error', ['file_ids'])
    }
  })

  it('are 1,000 different tags, and 40,000 pairs of a file and a tag after expansion', async () => {
    const { db } = library.deps
    const rids = write(db, { now: 0 }, () => {
      db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         INSERT INTO tags (id, name, name_key, creator_id, is_public)
         SELECT unhex('018bcfe5680070008000' || printf('%012x', i)), 'many ' || i, 'many ' || i, ?, 0
         FROM n`,
        ann.id,
      )
      return db.all<{ rid: number; id: string }>(
        "SELECT rid, lower(hex(id)) AS id FROM tags WHERE name LIKE 'many %' ORDER BY rid",
      )
    })
    const uuid = (hex: string) => hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const many = rids.map(({ id }) => ({ id: uuid(id), name: '' }))
    const rule = { then_tag_id: beach.id }
    await library.call('POST', `/tags/${many[0]!.id}/rules`, { token: ann.token, body: rule })
    const ids = makeFiles(40, ann)
    assertError(await tag(ann, 'add', ids, [...many, beach]), 400, 'validation_error', ['tag_ids'])
    // 40 files and 1,001 tags after expansion; what can not be changed does not count.
    const refused = await tag(ann, 'add', ids, many)
    assertError(refused, 400, 'validation_error', ['file_ids'])
    assert.match(refused.body.message, /at most 40000$/)
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_tags')?.n, 0)
    const [extra] = makeFiles(1, ann) as [string]
    const more = await tag(ann, 'remove', [...ids, extra], many)
    assertError(more, 400, 'validation_error', ['file_ids'])
    const full = await tag(ann, 'remove', [...ids, bobs], many)
    assert.equal(full.body.applied_tag_ids?.length, 1000, full.text)
    // A file may have 1,000 tags, those included that follow.
    assertError(await tag(ann, 'add', ids.slice(0, 10), many), 409, 'conflict')
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_tags')?.n, 0)
    assert.equal((await tag(ann, 'add', ids.slice(0, 10), many.slice(0, 999))).status, 200)
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_tags')?.n, 10 * 1000)
    db.run("DELETE FROM tags WHERE name LIKE 'many %'")
  })

  it('and malformed bodies are 400', async () => {
    const wrong = { file_ids: ['x'], action: 'replace', tag_ids: 'x', needs_review: 1 }
    const refused = async (what: string, fields: string[]) =>
      assertError(await bulk(ann, what, wrong), 400, 'validation_error', fields)
    await refused('tags', ['file_ids.0', 'action', 'tag_ids'])
    await refused('delete', ['file_ids.0'])
    await refused('review', ['file_ids.0', 'needs_review'])
    await refused('common-tags', ['file_ids.0'])
    const missing = await bulk(ann, 'tags', {})
    assertError(missing, 400, 'validation_error', ['file_ids', 'action', 'tag_ids'])
  })
})

describe('deleting in bulk', () => {
  it('moves into the trash what the caller may edit, and leaves what lies there', async () => {
    const entries = await newEntries(async () => {
      const answer = await bulk(ann, 'delete', { file_ids: [...everyFile(), UNKNOWN, files[0]] })
      assert.deepEqual([answer.status, answer.text], [204, ''])
    })
    const states = await Promise.all(everyFile().map(async (id) => (await fileOf(id)).is_deleted))
    assert.deepEqual(states, [true, true, true, false, true])
    const names = await Promise.all(everyFile().map(async (id) => (await fileOf(id)).original_name))
    assert.deepEqual(entries, [
      entry('file_delete', files[0]!, { original_name: names[0] }),
      entry('file_delete', files[1]!, { original_name: names[1] }),
      entry('file_delete', shared, { original_name: names[4] }),
    ])
  })
})

describe('review in bulk', () => {
  it('marks what the caller may edit as done, and as to do again', async () => {
    const review = (needs_review: boolean) =>
      bulk(ann, 'review', { file_ids: [...everyFile(), UNKNOWN], needs_review })
    const states = () => Promise.all(everyFile().map(async (id) => (await fileOf(id)).needs_review))
    const changed = [...files, shared]
    const details = (from: boolean, to: boolean) => ({ needs_review: { from, to } })
    const done = await newEntries(async () => {
      const answer = await review(false)
      assert.deepEqual([answer.status, answer.text], [204, ''])
    })
    assert.deepEqual(await states(), [false, false, false, true, false])
    assert.deepEqual(
      done,
      changed.map((id) => entry('file_review', id, details(true, false))),
    )
    assert.deepEqual(await newEntries(() => review(false)), [])
    const again = await newEntries(() => review(true))
    assert.deepEqual(await states(), [true, true, true, true, true])
    assert.deepEqual(
      again,
      changed.map((id) => entry('file_review', id, details(false, true))),
    )
  })
})

describe('common tags', () => {
  it('are those on all of the files that the caller sees, beside those on some of them', async () => {
    const [other] = makeFiles(1, bob) as [string]
    await tag(root, 'add', [...files, shared, bobs], [city])
    await tag(root, 'add', [files[0]!, bobs], [beach, secret])
    await tag(root, 'add', [other], [beach])
    const common = async (user: User, file_ids: string[]) =>
      (await bulk(user, 'common-tags', { file_ids })).body
    const named = [...everyFile(), files[0]!, other, UNKNOWN]
    assert.deepEqual(await common(ann, named), {
      common_tag_ids: [city.id],
      partial_tag_ids: [beach.id],
    })
    assert.deepEqual(await common(root, named), {
      common_tag_ids: [],
      partial_tag_ids: [beach.id, city.id, secret.id],
    })
    assert.deepEqual(await common(bob, [bobs]), {
      common_tag_ids: [beach.id, city.id, secret.id],
      partial_tag_ids: [],
    })
    const nothing = { common_tag_ids: [], partial_tag_ids: [] }
    assert.deepEqual(await common(ann, []), nothing)
    assert.deepEqual(await common(ann, [other, UNKNOWN]), nothing)
  })
})
