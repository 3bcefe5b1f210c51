import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { assertError } from '../support/files.ts'
import { type Answer, picture } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { allRows } from '../support/object-rows.ts'
import {
  entriesOf,
  file,
  files,
  noteMade,
  operationOf,
  POOL,
  TAG,
  type User,
  useUndoing,
} from '../support/undo/undoing.ts'

const DAY = 86_400_000

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown) => undoing.ask(method, path, body)
const note = async (notes: string) =>
  operationOf(await ask('PATCH', `/files/${file(1)}`, { notes }))
const notes = async () => (await ask('GET', `/files/${file(1)}`)).body.notes

/** An undo that is refused changes nothing, and names no operation. */
async function assertRefused(
  operation: number | string,
  status: number,
  code: string,
  by: User = undoing.ann,
): Promise<Answer> {
  const rows = allRows(undoing.db)
  const answer = await undoing.undo(operation, by)
  assertError(answer, status, code, code === 'validation_error' ? ['operation'] : undefined)
  assert.equal(answer.headers.get('Operation'), null)
  assert.deepEqual(allRows(undoing.db), rows)
  return answer
}

describe('the header Operation', () => {
  it('names the entries of what a request changed, all of it', async () => {
    const { db } = undoing
    const body = { ...files(1, 2, 3, 4), action: 'add', tag_ids: [TAG.sand] }
    const operation = operationOf(await ask('POST', '/files/bulk/tags', body))
    const entries = entriesOf(db, operation)
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.object]).toSorted(),
      [1, 3, 4].map((n) => ['file_tag_add', `file ${file(n)}`]),
    )
    const { last } = db.get<{ last: number }>('SELECT max(id) AS last FROM audit_log')!
    assert.equal(entries.at(-1)?.id, last)
    assert.equal(await note('next'), operation + 1)
  })

  it('goes on by one for each user, whatever others do', async () => {
    const { ann, root } = undoing
    const operation = await note('one')
    for (const notes of ['a', 'b', 'c']) {
      const answer = await undoing.ask('PATCH', `/files/${file(1)}`, { notes }, root)
      assert.notEqual(operationOf(answer), operation + 1)
    }
    assert.equal(await note('two'), operation + 1)
    // Nor is it told whether somebody else has done so much.
    const ofRoot = operationOf(
      await undoing.ask('PATCH', `/files/${file(1)}`, { notes: 'd' }, root),
    )
    for (const number of [ofRoot, ofRoot + 1, operation + 2]) {
      await assertRefused(number, 403, 'forbidden', ann)
    }
  })

  it('is absent when nothing changed, from errors and from reads', async () => {
    const { library, ann } = undoing
    await note('same')
    for (const [method, path, body] of [
      ['GET', `/files/${file(1)}`],
      ['GET', '/files'],
      ['PATCH', `/files/${file(1)}`, { notes: 'same' }],
      ['PUT', `/files/${file(1)}/tags/${TAG.sun}`],
      ['DELETE', `/files/${file(7)}`],
      ['POST', '/files/bulk/delete', files(7, 8)],
      ['POST', '/files/bulk/tags', { ...files(1), action: 'remove', tag_ids: [TAG.beach] }],
      ['POST', `/pools/${POOL.box}/files`, files(1)],
      ['POST', '/tags', { name: 'sun' }],
      ['PATCH', `/files/${file(9)}`, { notes: 'of Ben' }],
      ['DELETE', `/files/${file(1)}/permanent`],
      ['POST', '/operations/x/undo'],
    ] as [string, string, unknown?][]) {
      const answer = await library.call(method, path, { ...ann, body })
      assert.equal(answer.headers.get('Operation'), null, `${method} ${path}: ${answer.status}`)
    }
  })
})

describe('an operation is undone once', () => {
  it('and not again, whatever becomes of its undo', async () => {
    await note('former')
    const operation = await note('latter')
    const undo = await undoing.undone(operation)
    assert.equal(await notes(), 'former')
    await assertRefused(operation, 409, 'conflict')
    const redo = await undoing.undone(undo.operation)
    assert.equal(await notes(), 'latter')
    await assertRefused(operation, 409, 'conflict')
    await assertRefused(undo.operation, 409, 'conflict')
    await undoing.undone(redo.operation)
    assert.equal(await notes(), 'former')
  })

  it('or not yet, when nothing could be taken back; also when the clock went back since', async () => {
    const former = await notes()
    const operation = await note('first')
    await note('second')
    assert.equal((await undoing.undone(operation)).undone, 0)
    await note('first')
    assert.equal((await undoing.undone(operation)).undone, 1)
    assert.equal(await notes(), former)
    await assertRefused(operation, 409, 'conflict')

    const { time } = undoing.library
    const third = await note('third')
    time.now -= 60_000
    await undoing.undone(third)
    await assertRefused(third, 409, 'conflict')
    time.now += 60_000
  })

  it('an operation before another, which stays', async () => {
    const former = await notes()
    const operation = await note('n')
    const later = operationOf(await ask('PATCH', `/files/${file(1)}`, { is_public: true }))
    await undoing.undone(operation)
    const file1 = async () => (await ask('GET', `/files/${file(1)}`)).body
    assert.deepEqual([await notes(), (await file1()).is_public], [former, true])
    await undoing.undone(later)
    assert.equal((await file1()).is_public, false)
  })
})

describe('an undo is refused, and nothing changes', () => {
  it('401 without a token, 400 for what is no number', async () => {
    const operation = await note('n')
    const answer = await undoing.library.call('POST', `/operations/${operation}/undo`)
    assertError(answer, 401, 'unauthorized')
    for (const garbage of ['x', '-1', '1.5', '0x1', '1e1', '%20', `${operation}x`]) {
      await assertRefused(garbage, 400, 'validation_error')
    }
  })

  it('404 for a number that is not that of an operation', async () => {
    const { db, library } = undoing
    const operation = operationOf(await ask('POST', '/files/bulk/delete', files(1, 2)))
    const [, second] = entriesOf(db, operation)
    const old = db.get<{ id: number }>(
      `INSERT INTO audit_log (user_id, user_name, action, performed_at) VALUES (?, 'Ann', 'file_delete', ?)
       RETURNING id`,
      undoing.ann.id,
      library.time.now,
    )!
    for (const number of [second!.id, old.id, old.id + 1, operation + 1, 2 ** 40]) {
      await assertRefused(number, 404, 'not_found', undoing.root)
      await assertRefused(number, 403, 'forbidden')
    }
  })

  it('403 for what somebody else did, but to admins', async () => {
    const operation = await note('n')
    await assertRefused(operation, 403, 'forbidden', undoing.ben)
    assert.equal((await undoing.undone(operation, undoing.root)).undone, 1)
    await assertRefused(operation, 403, 'forbidden', undoing.ben)
    const path = `/files/${file(1)}`
    const answer = await undoing.ask('PATCH', path, { notes: 'of Root' }, undoing.root)
    await assertRefused(operationOf(answer), 403, 'forbidden')
  })

  it('403 for what is more than a day ago, but to admins', async () => {
    const { library, ann, root } = undoing
    const { time } = library
    const start = time.now
    const again = async (user: User, name: string) => ({
      ...user,
      token: (await library.signIn(name)).access_token,
    })
    const [exactly, longAgo] = [await note('a day'), await note('more than a day')]
    time.now = start + DAY
    const then = await again(ann, 'Ann')
    assert.equal((await undoing.undo(exactly, then)).status, 200)
    time.now = start + DAY + 1
    await assertRefused(longAgo, 403, 'forbidden', then)
    assert.equal((await undoing.undo(longAgo, await again(root, 'Root'))).status, 200)
    time.now = start
  })
})

describe('an undo', () => {
  it('tells of at most 1,000 things that it kept, and how many there were', async () => {
    const { db, ann } = undoing
    const many = write(db, { now: 0 }, () => addManyFiles(db, 1200, { owner: ann.id }))
    for (const id of many) noteMade(db, ann, id)
    const body = { file_ids: [...many, file(4)], action: 'add', tag_ids: [TAG.sand] }
    const operation = operationOf(await ask('POST', '/files/bulk/tags', body))
    db.run("DELETE FROM files WHERE original_name LIKE 'img_%'")
    const { undone, kept, kept_total } = await undoing.undone(operation)
    assert.deepEqual([undone, kept.length, kept_total], [1, 1000, 1200])
    const named = new Set(kept.map(({ object_id }) => object_id))
    assert.deepEqual([named.size, many.filter((id) => named.has(id)).length], [1000, 1000])
    const kinds = new Set(kept.map(({ object_type, reason }) => `${object_type} ${reason}`))
    assert.deepEqual([...kinds], ['file gone'])
  })

  it('that fails leaves nothing behind, and may be tried again', async () => {
    const { db, state } = undoing
    const fields = { notes: 'discard', tags: 'both', pools: 'both' }
    await ask('PATCH', `/files/${file(1)}`, { notes: 'merged' })
    const start = await state()
    const merge = { keep: file(5), discard: file(1), fields }
    const operation = operationOf(await ask('POST', '/files/duplicates/resolve', merge))
    const rows = allRows(db)
    // The pool is what an undo comes to last, since it takes back the newest first.
    db.run(
      `CREATE TEMP TRIGGER full BEFORE DELETE ON main.pool_files
       BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
    )
    const answer = await undoing.undo(operation)
    db.run('DROP TRIGGER full')
    assertError(answer, 500, 'internal_error')
    assert.equal(answer.headers.get('Operation'), null)
    assert.deepEqual(allRows(db), rows)
    const { kept } = await undoing.undone(operation)
    assert.deepEqual(kept, [])
    assert.deepEqual(await state(), start)
  })

  it('of an upload is there for whoever may not create any more', async () => {
    const { db, ann, library } = undoing
    const answer = await library.upload(ann.token, await picture(3))
    db.run('UPDATE users SET can_create = 0 WHERE id = ?', ann.id)
    assert.equal((await undoing.undone(operationOf(answer))).undone, 1)
    db.run('UPDATE users SET can_create = 1 WHERE id = ?', ann.id)
  })
})
