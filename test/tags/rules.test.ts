import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addTag, assertError, grant } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

type User = { id: number; token: string }
type Tag = { id: string; name: string }

let library: Library
let root: User
let ann: User
let bob: User
let made = 0
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
})
after(() => library.close())

const tag = (user = ann, fields = {}): Promise<Tag> =>
  addTag(library, user.token, `tag ${String(++made).padStart(4, '0')}`, fields)
const tags = async (count: number) => {
  const all: Tag[] = []
  while (all.length < count) all.push(await tag())
  return all
}
const call = (user: User, method: string, path: string, body?: unknown) =>
  library.call(method, path, { token: user.token, body })
const rule = (when: Tag, then: Tag, fields = {}, user = ann) =>
  call(user, 'POST', `/tags/${when.id}/rules`, { then_tag_id: then.id, ...fields })
const patch = (when: Tag, then: Tag, body: unknown, user = ann) =>
  call(user, 'PATCH', `/tags/${when.id}/rules/${then.id}`, body)
const rules = async (when: Tag, user = ann) =>
  (await call(user, 'GET', `/tags/${when.id}/rules`)).body
const upload = async (user: User, ...carried: Tag[]): Promise<string> => {
  const tag_ids = idsOf(carried).join()
  return (await library.upload(user.token, await picture(), 'a.jpg', { tag_ids })).body.id
}
const put = (file: string, one: Tag, user = ann) =>
  call(user, 'PUT', `/files/${file}/tags/${one.id}`)
const carried = async (file: string, user = root): Promise<string[]> =>
  idsOf((await call(user, 'GET', `/files/${file}/tags`)).body)
const idsOf = (all: Tag[]) => all.map((one) => one.id)
const newEntries = async (work: () => Promise<unknown>) => {
  const before = library.audit().length
  await work()
  return library
    .audit()
    .slice(before)
    .map(({ user_name, action, details }) => ({ user_name, action, details }))
}

describe('a tag rule', () => {
  let when: Tag
  let then: Tag
  beforeEach(async () => {
    when = await tag()
    then = await tag()
  })

  it('is active by default, and holds for every file that carries the when-tag', async () => {
    await call(ann, 'PATCH', `/tags/${when.id}`, { is_public: true })
    const [mine, trashed, bobs] = [
      await upload(ann, when),
      await upload(ann, when),
      await upload(bob, when),
    ]
    await call(ann, 'DELETE', `/files/${trashed}`)
    const both = await upload(ann, when, then)
    const other = await upload(ann)
    const entries = await newEntries(async () => {
      const answer = await rule(when, then)
      const { id: when_tag_id } = when
      const shown = { then_tag_id: then.id, then_tag_name: then.name, is_active: true }
      assert.deepEqual([answer.status, answer.body], [201, { when_tag_id, ...shown }])
    })
    for (const file of [mine, trashed, bobs, both]) {
      assert.deepEqual(await carried(file), idsOf([when, then]))
    }
    assert.deepEqual(await carried(other), [])
    const byRule = { tag_ids: [then.id], by_rule: [then.id] }
    const added = { user_name: 'Ann', action: 'file_tag_add', details: byRule }
    const details = {
      then_tag_id: then.id,
      then_tag_name: then.name,
      is_active: true,
      files_changed: 3,
    }
    const created = { user_name: 'Ann', action: 'tag_rule_create', details }
    assert.deepEqual(entries, [added, added, added, created])
  })

  it('leaves existing files alone when asked to, or when it is created inactive', async () => {
    const file = await upload(ann, when)
    const entries = await newEntries(() => rule(when, then, { apply_to_existing: false }))
    assert.deepEqual([entries.length, entries[0]?.details.files_changed], [1, 0])
    assert.deepEqual(await carried(file), [when.id])
    assert.deepEqual(await carried(await upload(ann, when)), idsOf([when, then]))
    const third = await tag()
    const answer = await rule(when, third, { is_active: false, apply_to_existing: true })
    assert.equal(answer.body.is_active, false)
    assert.deepEqual(await carried(file), [when.id])
    assert.deepEqual(await carried(await upload(ann, when)), idsOf([when, then]))
  })

  it('is switched without touching files, unless that is asked for with the switching on', async () => {
    await rule(when, then, { is_active: false })
    const file = await upload(ann, when)
    const named = { then_tag_id: then.id, then_tag_name: then.name }
    const edited = (from: boolean, to: boolean, files_changed: number) => ({
      user_name: 'Ann',
      action: 'tag_rule_edit',
      details: { ...named, is_active: { from, to }, files_changed },
    })
    const on = await newEntries(async () => {
      const answer = await patch(when, then, { is_active: true })
      assert.deepEqual([answer.status, answer.body], [200, (await rules(when))[0]])
      assert.equal(answer.body.is_active, true)
    })
    assert.deepEqual(on, [edited(false, true, 0)])
    assert.deepEqual(await carried(file), [when.id])
    const off = await newEntries(() =>
      patch(when, then, { is_active: false, apply_to_existing: true }),
    )
    assert.deepEqual(off, [edited(true, false, 0)])
    assert.deepEqual(await carried(file), [when.id])
    const applied = await newEntries(() =>
      patch(when, then, { is_active: true, apply_to_existing: true }),
    )
    assert.deepEqual(applied.at(-1), edited(false, true, 1))
    assert.equal(applied.length, 2)
    assert.deepEqual(await carried(file), idsOf([when, then]))
    await patch(when, then, { is_active: false })
    assert.deepEqual(await carried(file), idsOf([when, then]), 'what was put on stays')
  })

  it('that is active already is applied again, and writes nothing where nothing changes', async () => {
    const file = await upload(ann, when)
    await rule(when, then, { apply_to_existing: false })
    const again = () => patch(when, then, { is_active: true, apply_to_existing: true })
    assert.equal((await newEntries(again)).length, 2)
    assert.deepEqual(await carried(file), idsOf([when, then]))
    assert.deepEqual(await newEntries(again), [])
  })

  it('is listed by the name of its then-tag, for those who see both tags', async () => {
    const [first, second] = [
      await tag(bob, { is_public: true }),
      await tag(bob, { is_public: true }),
    ]
    await call(ann, 'PATCH', `/tags/${when.id}`, { is_public: true })
    for (const one of [second, then, first]) await rule(when, one)
    const listed = async (user: User) =>
      (await rules(when, user)).map((one: { then_tag_id: string }) => one.then_tag_id)
    assert.deepEqual(await listed(ann), idsOf([then, first, second]))
    assert.deepEqual(await listed(bob), idsOf([first, second]))
    assert.deepEqual(await rules(first, bob), [])
    assertError(await call(bob, 'GET', `/tags/${then.id}/rules`), 403, 'forbidden')
    assertError(await call(ann, 'GET', `/tags/${UNKNOWN}/rules`), 404, 'not_found')
    assertError(await call(ann, 'GET', '/tags/x/rules'), 400, 'validation_error', ['tag_id'])
  })

  it('is among all rules, for those who see both tags, and no longer once a tag is gone', async () => {
    const open = await tag(bob, { is_public: true })
    const secret = await tag(bob)
    await call(ann, 'PATCH', `/tags/${when.id}`, { is_public: true })
    await rule(open, secret, {}, bob)
    await rule(open, when, { is_active: false }, bob)
    await rule(when, open)
    await rule(when, then)
    const named = [when, then, open, secret]
    const listed = async (user: User): Promise<[string, string, boolean][]> => {
      const answer = await call(user, 'GET', '/tags/rules')
      assert.equal(answer.status, 200)
      return answer.body
        .filter((one: { when_tag_id: string }) => idsOf(named).includes(one.when_tag_id))
        .map((one: { when_tag_id: string; then_tag_name: string; is_active: boolean }) => {
          const { name } = named.find(({ id }) => id === one.when_tag_id)!
          return [name, one.then_tag_name, one.is_active]
        })
    }
    const seenByBob = [
      [when.name, open.name, true],
      [open.name, when.name, false],
      [open.name, secret.name, true],
    ]
    assert.deepEqual(await listed(bob), seenByBob)
    assert.deepEqual(await listed(ann), [[when.name, then.name, true], ...seenByBob.slice(0, 2)])
    assert.deepEqual((await listed(root)).length, 4)
    await call(bob, 'DELETE', `/tags/${open.id}`)
    assert.deepEqual(await listed(bob), [])
    assert.deepEqual(await listed(ann), [[when.name, then.name, true]])
    assert.equal((await library.call('GET', '/tags/rules')).status, 401)
  })

  it('is among all rules only with the first 5,000', async () => {
    const { db } = library.deps
    const rids = (count: number) =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`
    db.run(
      `INSERT INTO tags (id, name, name_key, creator_id, is_public)
       SELECT randomblob(16), 'many ' || i, 'many ' || i, ?, 0 FROM (${rids(80)})`,
      ann.id,
    )
    db.run(`INSERT INTO tag_rules SELECT a.rid, b.rid, 0 FROM tags a, tags b
      WHERE a.name LIKE 'many %' AND b.name LIKE 'many %' AND a.rid <> b.rid`)
    const all = (await call(ann, 'GET', '/tags/rules')).body
    assert.equal(all.length, 5000)
    db.run("DELETE FROM tags WHERE name LIKE 'many %'")
    assert.ok((await call(ann, 'GET', '/tags/rules')).body.length < 5000)
  })

  it('needs edit on its when-tag and view on its then-tag', async () => {
    await rule(when, then)
    const hidden = await tag(bob)
    const attempts = (user: User, other = then) => [
      rule(when, other, {}, user),
      patch(when, other, { is_active: false }, user),
      call(user, 'DELETE', `/tags/${when.id}/rules/${other.id}`),
    ]
    for (const attempt of attempts(bob)) assertError(await attempt, 403, 'forbidden')
    grant(library, bob.id, 'tag', when.id)
    grant(library, bob.id, 'tag', then.id)
    for (const attempt of attempts(bob)) assertError(await attempt, 403, 'forbidden')
    for (const attempt of attempts(ann, hidden)) assertError(await attempt, 403, 'forbidden')
    assert.equal((await rules(when))[0].is_active, true)
    library.deps.db.run('UPDATE acl SET can_edit = 1')
    assert.equal((await patch(when, then, { is_active: false }, bob)).status, 200)
    assert.equal((await call(bob, 'DELETE', `/tags/${when.id}/rules/${then.id}`)).status, 204)
    assert.equal((await rule(when, hidden, {}, bob)).status, 201)
    assert.deepEqual(await rules(when), [], 'Ann does not see what it leads to')
  })

  it('is refused for a tag itself, twice, and with what is missing or malformed', async () => {
    const nothing = await newEntries(async () => {
      assertError(await rule(when, when), 400, 'validation_error', ['then_tag_id'])
      const unknown = { id: UNKNOWN, name: '' }
      assertError(await rule(unknown, unknown), 400, 'validation_error', ['then_tag_id'])
      assertError(await rule(when, unknown), 404, 'not_found')
      assertError(await rule(unknown, then), 404, 'not_found')
      assertError(await patch(when, then, { is_active: true }), 404, 'not_found')
      assertError(await patch(when, unknown, { is_active: true }), 404, 'not_found')
      const path = `/tags/${when.id}/rules`
      assertError(await call(ann, 'DELETE', `${path}/${then.id}`), 404, 'not_found')
      assertError(await patch(when, then, {}), 400, 'validation_error', ['is_active'])
      const wrong = { then_tag_id: 'x', is_active: 1, apply_to_existing: null }
      assertError(await call(ann, 'POST', path, wrong), 400, 'validation_error', Object.keys(wrong))
      assertError(await call(ann, 'POST', path, {}), 400, 'validation_error', ['then_tag_id'])
      const bad = await call(ann, 'PATCH', '/tags/x/rules/y', { is_active: true })
      assertError(bad, 400, 'validation_error', ['tag_id', 'then_tag_id'])
    })
    assert.deepEqual(nothing, [])
    assert.equal((await rule(when, then, { is_active: false })).status, 201)
    assertError(await rule(when, then), 409, 'conflict')
    assert.equal((await rules(when))[0].is_active, false)
    assert.equal((await rule(then, when)).status, 201, 'the other way round is another rule')
  })

  it('is deleted alone, or with either of its tags, and files keep what they carry', async () => {
    const third = await tag()
    const file = await upload(ann, when)
    await rule(when, then)
    await rule(then, third)
    const entries = await newEntries(() => call(ann, 'DELETE', `/tags/${when.id}/rules/${then.id}`))
    const details = { then_tag_id: then.id, then_tag_name: then.name, is_active: true }
    assert.deepEqual(entries, [{ user_name: 'Ann', action: 'tag_rule_delete', details }])
    assert.deepEqual(await rules(when), [])
    assert.deepEqual(await carried(file), idsOf([when, then, third]))
    await call(ann, 'DELETE', `/tags/${third.id}`)
    assert.deepEqual(await rules(then), [])
    assert.equal(
      library.deps.db.all(
        'SELECT 1 FROM tag_rules WHERE then_tag_rid NOT IN (SELECT rid FROM tags)',
      ).length,
      0,
    )
  })
})

describe('what follows from a tag', () => {
  const chain = async (length: number) => {
    const links = await tags(length)
    for (const [index, then] of links.slice(1).entries()) await rule(links[index]!, then)
    return links
  }

  it('is put on with it by a chain of 50, whichever way it comes', async () => {
    const links = await chain(50)
    const [first] = links as [Tag]
    const all = idsOf(links)
    assert.deepEqual(await carried(await upload(ann, first)), all)

    const file = await upload(ann)
    const one = await put(file, first)
    assert.deepEqual([one.status, idsOf(one.body)], [200, all])
    const entry = library.audit().at(-1)
    assert.deepEqual([entry?.action, entry?.details.tag_ids.length], ['file_tag_add', 50])

    const whole = await upload(ann)
    const replaced = await call(ann, 'PUT', `/files/${whole}/tags`, { tag_ids: [first.id] })
    assert.deepEqual(idsOf(replaced.body), all)

    const files = [await upload(ann), await upload(ann)]
    const body = { file_ids: files, action: 'add', tag_ids: [first.id] }
    const bulk = await call(ann, 'POST', '/files/bulk/tags', body)
    assert.deepEqual(new Set(bulk.body.applied_tag_ids), new Set(all))
    for (const one of files) assert.deepEqual(await carried(one), all)

    const head = await tag()
    const before = await upload(ann, head)
    await rule(head, first)
    assert.deepEqual(new Set(await carried(before)), new Set([head.id, ...all]))
  })

  it('ends in cycles and comes once through diamonds', async () => {
    const [top, left, right, bottom] = (await tags(4)) as [Tag, Tag, Tag, Tag]
    for (const [when, then] of [
      [top, left],
      [top, right],
      [left, bottom],
      [right, bottom],
      [bottom, top],
    ] as const) {
      assert.equal((await rule(when, then)).status, 201)
    }
    const all = idsOf([top, left, right, bottom])
    assert.deepEqual(await carried(await upload(ann, top)), all)
    assert.deepEqual(await carried(await upload(ann, bottom)), all)
    const file = await upload(ann)
    await put(file, left)
    assert.deepEqual(await carried(file), all)
    assert.deepEqual(library.audit().at(-1)?.details.tag_ids.length, 4)
    const head = await tag()
    const older = await upload(ann, head)
    await rule(head, right)
    assert.deepEqual(await carried(older), [...all, head.id])
  })

  it('stops at an inactive link, also when the rule before it is applied to files', async () => {
    const [a, b, c, d] = (await chain(4)) as [Tag, Tag, Tag, Tag]
    await patch(b, c, { is_active: false })
    assert.deepEqual(await carried(await upload(ann, a)), idsOf([a, b]))
    const head = await tag()
    const file = await upload(ann, head)
    await rule(head, a)
    assert.deepEqual(await carried(file), [...idsOf([a, b]), head.id])
    await patch(b, c, { is_active: true, apply_to_existing: true })
    assert.deepEqual(await carried(file), [...idsOf([a, b, c, d]), head.id])
  })

  it('needs no right of its own, and is shown to those who may view it', async () => {
    const when = await tag(ann, { is_public: true })
    const [hidden, open] = [await tag(), await tag(ann, { is_public: true })]
    await rule(when, hidden)
    await rule(hidden, open)
    const file = await upload(bob)
    assert.deepEqual(idsOf((await put(file, when, bob)).body), idsOf([when, open]))
    assert.deepEqual(await carried(file), idsOf([when, hidden, open]))
    const body = { file_ids: [file], action: 'add', tag_ids: [when.id] }
    const bulk = await call(bob, 'POST', '/files/bulk/tags', body)
    assert.deepEqual(bulk.body.applied_tag_ids, idsOf([when, open]))
  })

  it('is not taken off with the tag, and does not come back by itself', async () => {
    const [when, then] = (await chain(2)) as [Tag, Tag]
    const file = await upload(ann, when)
    await call(ann, 'DELETE', `/files/${file}/tags/${then.id}`)
    assert.deepEqual(await carried(file), [when.id])
    await put(file, then)
    await call(ann, 'DELETE', `/files/${file}/tags/${when.id}`)
    assert.deepEqual(await carried(file), [then.id])
  })
})
