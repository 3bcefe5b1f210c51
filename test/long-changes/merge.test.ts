import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addTag, assertError, grant } from '../support/files.ts'
import { type Answer, picture } from '../support/harness.ts'
import { countRows, makeFiles, operationOf } from '../support/long-changes/portions.ts'
import { FILES, useLongChanges } from '../support/long-changes/use-long-changes.ts'

const world = useLongChanges()
const { ask, filtered, entries, meanwhile, waiting } = world

/** Merges `beach`, by default into `sea`. */
const merge = (into = world.sea, old = world.beach) => ask('POST', `/tags/${old}/merge`, { into })

/** The tags that a file has, by name. */
async function tagsOf(file: string): Promise<string[]> {
  const { tags } = (await ask('GET', `/files/${file}`)).body
  return tags.map((tag: { name: string }) => tag.name)
}

/** Does something while a merge is under way, which succeeds, and returns what the file has at once. */
async function putWhileMerging(put: (file: string) => Promise<Answer>): Promise<string[]> {
  const [bare] = makeFiles(world.library, 1, { owner: world.ann.id })
  const merging = merge()
  const found = await meanwhile(merging, async () => {
    const answer = await put(bare!)
    assert.ok(answer.status < 300, answer.text)
    return tagsOf(bare!)
  })
  assert.equal((await merging).status, 200)
  assert.deepEqual(await tagsOf(bare!), found)
  assert.equal(await filtered(`{t=${world.sea}}`), FILES + 1)
  return found
}

describe('while a tag is merged into another one', () => {
  it('each file has the one or the other, and the rules are moved at once', async () => {
    await ask('POST', `/tags/${world.beach}/rules`, {
      then_tag_id: world.sun,
      apply_to_existing: false,
    })
    const merging = merge()
    await meanwhile(merging, async () => {
      const [old, into] = [await filtered(`{t=${world.beach}}`), await filtered(`{t=${world.sea}}`)]
      assert.ok(old > 0 && into > 0, `${old} ${into}`)
      assert.equal(old + into, FILES)
      assert.deepEqual((await ask('GET', `/tags/${world.beach}/rules`)).body, [])
      assert.equal((await ask('GET', `/tags/${world.sea}/rules`)).body.length, 1)
    })
    assert.equal((await merging).body.id, world.sea)
    assert.equal(await filtered(`{t=${world.sun}}`), FILES)
    assertError(await ask('GET', `/tags/${world.beach}`), 404, 'not_found')
    const merged = entries().slice(-FILES - 1)
    assert.deepEqual(merged, [...Array(FILES).fill('file_tag_replace'), 'tag_merge'])
  })

  it('neither is deleted, nor merged with any other, by whomever', async () => {
    const merging = merge()
    await meanwhile(merging, async () => {
      const before = countRows(world.library.deps.db, 'audit_log')
      for (const refused of [
        await ask('DELETE', `/tags/${world.beach}`),
        await ask('DELETE', `/tags/${world.sea}`, undefined, world.root),
        await merge(world.sun),
        await merge(world.sun, world.sea),
        await merge(world.beach, world.sea),
        await merge(world.sea, world.sun),
        await merge(world.beach, world.sun),
      ]) {
        assertError(refused, 409, 'conflict')
        assert.match(refused.body.message, /being merged/)
      }
      const rule = { then_tag_id: world.sun }
      assertError(await ask('POST', `/tags/${world.beach}/rules`, rule), 409, 'conflict')
      assert.equal(countRows(world.library.deps.db, 'audit_log'), before)
      assert.equal((await ask('DELETE', `/tags/${world.sun}`)).status, 204)
    })
    assert.equal((await merging).status, 200)
    assert.equal((await ask('DELETE', `/tags/${world.sea}`)).status, 204)
  })

  it('who asks for the same waits for it', async () => {
    const merging = merge()
    const again = await meanwhile(merging, async () => waiting(merge()))
    assert.deepEqual((await again[0]).body, (await merging).body)
    assert.equal(entries().filter((action) => action === 'tag_merge').length, 1)
  })

  it('it follows what is edited of both', async () => {
    const merging = merge()
    await meanwhile(merging, async () => {
      await ask('PATCH', `/tags/${world.beach}`, { name: 'strand' })
      await ask('PATCH', `/tags/${world.sea}`, { name: 'ocean' })
    })
    assert.equal((await merging).body.name, 'ocean')
    const { details } = world.library.audit().at(-1)!
    assert.deepEqual(
      [details.name, details.fields.name, details.into_name],
      ['strand', 'strand', 'ocean'],
    )
  })
})

describe('a rule of the old tag that an undo brings back meanwhile', () => {
  it('is one of the other tag, active when one of both was', async () => {
    const { beach, sea, sun } = world
    const rule = (when: string, then_tag_id: string, is_active: boolean) =>
      ask('POST', `/tags/${when}/rules`, { then_tag_id, is_active })
    await rule(sun, beach, true)
    await rule(sun, sea, false)
    await rule(beach, sun, false)
    await rule(beach, sea, false)
    const deleted = await ask('DELETE', `/tags/${sun}`)
    const merging = merge()
    await meanwhile(merging, async () => {
      const { body } = await ask('POST', `/operations/${operationOf(deleted)}/undo`)
      assert.deepEqual([body.undone, body.kept], [1, []])
    })
    assert.equal((await merging).status, 200)
    const found = await Promise.all(
      [sun, sea].map(async (tag) => (await ask('GET', `/tags/${tag}/rules`)).body),
    )
    assert.deepEqual(found, [
      [{ when_tag_id: sun, then_tag_id: sea, then_tag_name: 'sea', is_active: true }],
      [{ when_tag_id: sea, then_tag_id: sun, then_tag_name: 'sun', is_active: false }],
    ])
  })
})

describe('whoever puts the old tag on a file meanwhile puts the other one on', () => {
  it('as one tag', async () => {
    const put = (file: string) => ask('PUT', `/files/${file}/tags/${world.beach}`)
    assert.deepEqual(await putWhileMerging(put), ['sea'])
  })

  it('as all tags of a file', async () => {
    const tag_ids = () => ({ tag_ids: [world.beach, world.sun, world.sea] })
    const put = (file: string) => ask('PUT', `/files/${file}/tags`, tag_ids())
    assert.deepEqual(await putWhileMerging(put), ['sea', 'sun'])
  })

  it('in bulk', async () => {
    const found = await putWhileMerging(async (file) => {
      const answer = await ask('POST', '/files/bulk/tags', {
        file_ids: [file, ...world.files],
        action: 'add',
        tag_ids: [world.beach],
      })
      assert.deepEqual(answer.body.applied_tag_ids, [world.sea])
      return answer
    })
    assert.deepEqual(found, ['sea'])
  })

  it('by a rule, which was moved', async () => {
    const body = { then_tag_id: world.beach }
    await ask('POST', `/tags/${world.sun}/rules`, body)
    const put = (file: string) => ask('PUT', `/files/${file}/tags/${world.sun}`)
    assert.deepEqual(await putWhileMerging(put), ['sea', 'sun'])
  })

  it('with a file that survives another one', async () => {
    const last = world.files.at(-1)!
    const put = (keep: string) =>
      ask('POST', '/files/duplicates/resolve', {
        keep,
        discard: last,
        fields: { tags: 'both' },
        delete_discarded: false,
      })
    assert.deepEqual(await putWhileMerging(put), ['sea'])
  })

  it('with an upload', async () => {
    const bytes = await picture()
    const merging = merge()
    const uploaded = await meanwhile(merging, () =>
      world.library.upload(world.ann.token, bytes, 'a.jpg', { tag_ids: world.beach }),
    )
    assert.equal(uploaded.status, 201, uploaded.text)
    assert.deepEqual(
      uploaded.body.tags.map((tag: { id: string }) => tag.id),
      [world.sea],
    )
    await merging
  })

  it('by an undo, too, which puts the old one on for a moment', async () => {
    const first = world.files[0]!
    const removed = await ask('DELETE', `/files/${first}/tags/${world.beach}`)
    const merging = merge()
    await meanwhile(merging, async () => {
      const undo = await ask('POST', `/operations/${operationOf(removed)}/undo`)
      assert.equal(undo.body.undone, 1)
    })
    assert.equal((await merging).status, 200)
    assert.deepEqual(await tagsOf(first), ['sea'])
    const { db } = world.library.deps
    assert.deepEqual(
      db.all('SELECT * FROM file_tags WHERE tag_rid NOT IN (SELECT rid FROM tags)'),
      [],
    )
  })
})

describe('a merge', () => {
  it('ends the application of a rule of the old tag, of which its caller is told', async () => {
    const rule = ask('POST', `/tags/${world.beach}/rules`, { then_tag_id: world.sun })
    const merging = await meanwhile(rule, async () => [merge()] as const)
    assertError(await rule, 409, 'conflict')
    assert.equal((await merging[0]).status, 200)
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    assert.equal(await filtered(`{t=${world.sun}}`), FILES)
  })

  it('waits for no tag that is being put back: 409', async () => {
    const deleted = await ask('DELETE', `/tags/${world.beach}`)
    await world.library.deps.longChanges.stop()
    await ask('POST', `/operations/${operationOf(deleted)}/undo`)
    assert.equal(countRows(world.library.deps.db, 'long_changes'), 1)
    assertError(await merge(), 409, 'conflict')
    await world.library.restart()
  })
})

describe('an undo of a merge of more than 10,000 files', () => {
  it('brings back the tag at once and its files in turns, beside what happened since', async () => {
    makeFiles(world.library, 10_500, { owner: world.ann.id, tags: [world.beach] })
    const merged = await merge()
    const [first, second] = world.files
    await ask('DELETE', `/files/${first}/tags/${world.sea}`)
    await ask('DELETE', `/files/${second}`)
    const undo = ask('POST', `/operations/${operationOf(merged)}/undo`)
    await meanwhile(undo, async () => {
      assert.equal((await ask('GET', `/tags/${world.beach}`)).status, 200)
      assert.ok((await filtered(`{t=${world.sea}}`)) > 0)
    })
    const { status, body } = await undo
    assert.equal(status, 200)
    const kept = [{ object_type: 'file', object_id: first, reason: 'changed' }]
    assert.deepEqual(body, { ...body, undone: 10_501 + FILES, kept, kept_total: 1 })
    assert.equal(await filtered(`{t=${world.sea}}`), 0)
    assert.equal(countRows(world.library.deps.db, 'file_tags'), 10_500 + FILES)
    assert.deepEqual(await tagsOf(first!), ['beach'])
  })
})

describe('an undo of a merge', () => {
  const undo = (merged: Answer, by = world.ann) =>
    ask('POST', `/operations/${operationOf(merged)}/undo`, undefined, by)
  const kept = (object_type: string, object_id: string | null, reason: string) => ({
    object_type,
    object_id,
    reason,
  })

  it('gives the tag back to files that the caller may not edit, which keep the other one', async () => {
    const { library, bob, ann } = world
    const [theirs] = makeFiles(library, 1, { owner: bob.id, tags: [world.beach] })
    grant(library, ann.id, 'file', theirs!)
    makeFiles(library, 3, { owner: bob.id, tags: [world.beach] })
    const { body } = await undo(await merge())
    assert.equal(body.undone, FILES + 1)
    assert.deepEqual(body.kept, [
      kept('file', null, 'forbidden'),
      kept('file', theirs!, 'forbidden'),
    ])
    assert.deepEqual(await tagsOf(theirs!), ['beach', 'sea'])
    assert.equal(await filtered(`{t=${world.beach}}`, world.root), FILES + 4)
    assert.equal(await filtered(`{t=${world.sea}}`, world.root), 4)
  })

  it('changes nothing while the name is taken, and may be asked for again', async () => {
    const merged = await merge()
    const other = await addTag(world.library, world.ann.token, 'beach')
    const { body } = await undo(merged)
    assert.deepEqual([body.undone, body.operation], [0, null])
    assert.deepEqual(body.kept[0], kept('tag', world.beach, 'conflict'))
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    await ask('DELETE', `/tags/${other.id}`)
    assert.equal((await undo(merged)).body.undone, FILES + 1)
    assert.equal(await filtered(`{t=${world.beach}}`), FILES)
  })

  it('is for those who could edit the old tag and may edit the other one', async () => {
    const { library, bob } = world
    for (const tag of [world.beach, world.sea]) grant(library, bob.id, 'tag', tag, 'edit')
    const merged = await ask('POST', `/tags/${world.beach}/merge`, { into: world.sea }, bob)
    assert.equal(merged.status, 200)
    await ask('PUT', `/acl/tag/${world.sea}`, { permissions: [] })
    const { body } = await undo(merged, bob)
    assert.deepEqual([body.undone, body.kept[0].reason], [0, 'forbidden'])
    assert.equal(await filtered(`{t=${world.sea}}`), FILES)
    assertError(await undo(merged, world.ann), 403, 'forbidden')
    assert.equal((await undo(merged, world.root)).body.undone, FILES + 1)
  })

  it('is undone with all files of others, which take turns', async () => {
    const { library, bob } = world
    makeFiles(library, FILES, { owner: bob.id, tags: [world.beach] })
    const apart = await undo(await merge())
    const answer = await ask('POST', `/operations/${apart.body.operation}/undo`)
    assert.deepEqual([answer.body.undone, answer.body.kept], [FILES + 1, []])
    assertError(await ask('GET', `/tags/${world.beach}`), 404, 'not_found')
    assert.equal(await filtered(`{t=${world.sea}}`, world.root), 2 * FILES)
    assert.equal(countRows(library.deps.db, 'file_tags'), 2 * FILES)
  })

  it('brings the tag back when the other one is gone since', async () => {
    const merged = await merge()
    await ask('DELETE', `/tags/${world.sea}`)
    const { body } = await undo(merged)
    assert.equal(body.undone, FILES + 1)
    assert.equal(await filtered(`{t=${world.beach}}`), FILES)
  })

  it('leaves rules that were changed since', async () => {
    await ask('POST', `/tags/${world.beach}/rules`, { then_tag_id: world.sun })
    const merged = await merge()
    await ask('PATCH', `/tags/${world.sea}/rules/${world.sun}`, { is_active: false })
    const { body } = await undo(merged)
    assert.deepEqual(body.kept[0], kept('tag', world.beach, 'conflict'))
    const ruleOf = async (tag: string) =>
      (await ask('GET', `/tags/${tag}/rules`)).body.map(
        (rule: { is_active: boolean }) => rule.is_active,
      )
    assert.deepEqual([await ruleOf(world.beach), await ruleOf(world.sea)], [[true], [false]])
  })
})
