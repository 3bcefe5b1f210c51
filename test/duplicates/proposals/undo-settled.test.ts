import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { everything } from '../../support/duplicates/everything.ts'
import { addPictures, type MadeFile } from '../../support/duplicates/pictures.ts'
import { idAt } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import {
  allow,
  insertPool,
  insertTag,
  putTags,
  ridOf,
  storedPool,
} from '../../support/object-rows.ts'
import { noteMade } from '../../support/undo/undoing.ts'

type Who = { id: number; token: string }

const TAGS = [idAt(2, 1), idAt(2, 2), idAt(2, 3)]
const [SEEN, HIDDEN] = [idAt(4, 1), idAt(4, 2)]

let library: Library
let ann: Who
let ben: Who
let root: Who
before(async () => {
  library = await openLibrary()
  ann = await library.join('ann')
  ben = await library.join('ben')
  root = await library.join('root', { is_admin: true })
})
after(() => library.close())
beforeEach(() => {
  const { db } = library.deps
  for (const table of ['files', 'tags', 'pools', 'audit_log']) db.run(`DELETE FROM ${table}`)
})

const call = async (method: string, path: string, { token } = ann, body?: object) => {
  const answer = await library.call(method, path, { token, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
const add = (made: MadeFile[]) => addPictures(library.deps.db, ann.id, made)
const settle = async (keep: string, discard: string[]): Promise<number> => {
  const path = '/files/duplicates/proposals/settle'
  return (await call('POST', path, ann, { items: [{ keep, discard }] })).operation
}
const undo = (operation: number) => call('POST', `/operations/${operation}/undo`)
const places = () =>
  [SEEN, HIDDEN].map((id) => storedPool(library.deps.db, id).map(([file]) => file))

/** Makes the third of equal files the one in a pool of Ann's and one of Ben's, which Ann does not see. */
function makeThree(): [string, string, string] {
  const { db } = library.deps
  const ids = add([
    { content: 'a', metadata: { k: 1 } },
    { content: 'a', metadata: { l: 2 } },
    { content: 'a', notes: 'noted', isPublic: true, date: { time: 2000, source: 'given' } },
  ]) as [string, string, string]
  noteMade(db, ann, ids[2])
  // One with more tags is kept.
  for (const id of TAGS) insertTag(db, { id, name: id, owner: ann.id })
  putTags(db, ids[0], TAGS.slice(1))
  putTags(db, ids[2], TAGS.slice(0, 1))
  insertPool(db, { id: SEEN, name: 'seen', owner: ann.id, files: [ids[2]] })
  insertPool(db, { id: HIDDEN, name: 'hidden', owner: ben.id, files: [ids[2]] })
  allow(db, ben.id, 'file', ids[2], 'view')
  return ids
}

describe('the undo of settled proposals', () => {
  it('leaves on the kept file what came from one that is gone for good', async () => {
    const [first, second, third] = makeThree()
    const operation = await settle(first, [second, third])
    const merged = await call('GET', `/files/${first}`)
    assert.equal(merged.notes, 'noted')
    await call('DELETE', `/files/${third}/permanent`)

    const { kept } = await undo(operation)
    const gone = [first, third].map((id) => `file ${id} gone`)
    assert.deepEqual(
      kept
        .map((one: Record<string, string>) => `${one.object_type} ${one.object_id} ${one.reason}`)
        .toSorted(),
      [...gone, `pool ${SEEN} changed`].toSorted(),
    )
    // What came from the other one goes.
    assert.deepEqual(await call('GET', `/files/${first}`), { ...merged, metadata: { k: 1 } })
    assert.deepEqual(places(), [[first], [first]])
    assert.deepEqual((await call('GET', `/acl/file/${first}`)).length, 1)
    assert.equal((await call('GET', `/files/${second}`)).is_deleted, false)
  })

  it('leaves the kept file in the pool of somebody who took the other one out since', async () => {
    const [first, ...others] = makeThree()
    const operation = await settle(first, others)
    const body = { file_ids: [others[1]] }
    await call('POST', `/pools/${HIDDEN}/files/remove`, ben, body)
    assert.deepEqual(places(), [[others[1], first], [first]])
    await undo(operation)
    assert.deepEqual(places(), [[others[1]], [first]])
  })

  it('tells nothing of a kept file that the caller has no right to any more', async () => {
    const { db } = library.deps
    const [first, second, third] = makeThree()
    const operation = await settle(first, [second, third])
    await call('DELETE', `/files/${third}/permanent`)
    db.run(
      'UPDATE files SET creator_id = ?, is_public = 0 WHERE rid = ?',
      ben.id,
      ridOf(db, 'file', first),
    )
    const { kept } = await undo(operation)
    assert.deepEqual(
      kept.map(
        (one: Record<string, string>) => `${one.object_type} ${one.object_id} ${one.reason}`,
      ),
      ['file null forbidden', `pool ${SEEN} changed`, `file ${third} gone`],
    )
  })

  it('counts a file once that it takes several portions to take back', async () => {
    const { db } = library.deps
    // The entries tell what each of them adds to more and more metadata: more than 4 MiB in all.
    const text = 'x'.repeat(1550)
    const made = ['a', 'b'].flatMap((content) =>
      Array.from({ length: 40 }, (_, n) => ({ content, metadata: { [`k${n}`]: text } })),
    )
    const ids = add(made)
    const items = [0, 40].map((n) => ({ keep: ids[n], discard: ids.slice(n + 1, n + 40) }))
    const apart = everything(db)
    const path = '/files/duplicates/proposals/settle'
    const { operation, settled, skipped } = await call('POST', path, ann, { items })
    assert.deepEqual([settled, skipped], [2, []])
    const { undone, kept } = await undo(operation)
    assert.deepEqual([undone, kept], [made.length, []])
    assert.deepEqual(everything(db), apart)
  })

  it('is not undone itself, whoever asks; the files can be settled once more', async () => {
    const { db } = library.deps
    const [first, ...others] = makeThree()
    const apart = everything(db)
    const operation = await settle(first, others)
    const together = everything(db)
    const undone = await undo(operation)
    assert.deepEqual([undone.kept, everything(db)], [[], apart])
    for (const { token } of [ann, root]) {
      const path = `/operations/${undone.operation}/undo`
      const answer = await library.call('POST', path, { token })
      assertError(answer, 409, 'conflict')
      assert.match(answer.body.message, /merge the files again/)
      assert.deepEqual(everything(db), apart)
    }
    const again = await settle(first, others)
    assert.deepEqual(everything(db), together)
    await undo(again)
    assert.deepEqual(everything(db), apart)
  })
})
