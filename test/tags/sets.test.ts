import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { addToFiles, removeFromFiles } from '../../src/tags/sets.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'

const FILES = 12
const TAGS = 9

let library: Library
let actor: { id: number; name: string }
let files: number[]
let tags: number[]
before(async () => {
  library = await openLibrary()
  const { db } = library.deps
  actor = { id: await library.addUser('Ann', { can_create: true }), name: 'Ann' }
  write(db, { now: 0 }, () => addManyFiles(db, FILES, { owner: actor.id }))
  files = db.all<{ rid: number }>('SELECT rid FROM files').map((row) => row.rid)
  tags = Array.from({ length: TAGS }, (_, n) => {
    const row = db.get<{ rid: number }>(
      `INSERT INTO tags (id, name, name_key, creator_id, is_public)
       VALUES (randomblob(16), ?, '', ?, 1) RETURNING rid`,
      `tag ${n}`,
      actor.id,
    )
    return row!.rid
  })
})
after(() => library.close())

const change = (work: Parameters<typeof write<void>>[2]) => write(library.deps.db, { now: 0 }, work)
const count = (from: string) =>
  library.deps.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)!.n
const placed = () =>
  library.deps.db
    .all<{ file_rid: number; tag_rid: number; by_hand: number }>('SELECT * FROM file_tags')
    .map((row) => `${row.file_rid} ${row.tag_rid} ${row.by_hand}`)
    .sort()

function assertCounted(): void {
  const wrong = [
    'files WHERE tag_count <> (SELECT count(*) FROM file_tags WHERE file_rid = files.rid)',
    'tags WHERE file_count <> (SELECT count(*) FROM file_tags WHERE tag_rid = tags.rid)',
  ]
  for (const from of wrong) assert.equal(count(from), 0, from)
}

/** Returns a function that gives whole numbers below one, the same in each run. */
function generator() {
  let state = 20_260_101
  return (n: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * n)
  }
}

describe('tags put on sets of files and taken off', () => {
  it('stand as one by one they would, and are counted, recorded and versioned', () => {
    const { db } = library.deps
    const below = generator()
    const some = (rids: number[]) => rids.filter(() => below(2) === 0)
    const model = new Map<string, 0 | 1>()
    for (let round = 0; round < 120; round++) {
      const [which, all] = [some(files), some(tags)]
      const named = some(all)
      const isAdd = below(3) > 0
      const before = new Map(model)
      for (const file of which) {
        for (const tag of all) {
          const key = `${file} ${tag}`
          if (!isAdd) model.delete(key)
          else if (named.includes(tag)) model.set(key, 1)
          else if (!model.has(key)) model.set(key, 0)
        }
      }
      const entries = count('audit_log')
      change((tx) => {
        if (isAdd) addToFiles(tx, actor, which, { all, named })
        else removeFromFiles(tx, actor, which, all)
        // What the triggers count in the same write.
        if (round % 10 === 0) tx.run('DELETE FROM file_tags WHERE file_rid = ?', files[0]!)
      })
      if (round % 10 === 0) for (const tag of tags) model.delete(`${files[0]} ${tag}`)
      const expected = [...model].map(([key, by_hand]) => `${key} ${by_hand}`).sort()
      assert.deepEqual(placed(), expected)
      assertCounted()
      const gained = (file: number) => tags.filter((tag) => before.has(`${file} ${tag}`)).length
      if (round % 10 === 0) continue
      const now = (file: number) => tags.filter((tag) => model.has(`${file} ${tag}`)).length
      const changed = files.filter((file) => gained(file) !== now(file)).length
      assert.equal(count('audit_log') - entries, changed)
    }
    assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
  })

  it('are as they were when the write fails, and the triggers count again', () => {
    const before = placed()
    assert.throws(
      () =>
        change((tx) => {
          removeFromFiles(tx, actor, files, tags)
          addToFiles(tx, actor, files, { all: [...tags, 999], named: [] })
        }),
      /FOREIGN KEY/,
    )
    assert.deepEqual(placed(), before)
    assert.equal(count('set_counting'), 0)
    change((tx) => void tx.run('DELETE FROM file_tags WHERE tag_rid = ?', tags[0]!))
    assertCounted()
  })

  it('can not leave the triggers standing still', () => {
    const leave = () => change((tx) => void tx.run('INSERT INTO set_counting VALUES (0)'))
    assert.throws(leave, /FOREIGN KEY/)
    assert.equal(count('set_counting'), 0)
  })
})
