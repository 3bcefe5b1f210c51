import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pack } from '../../src/audit/packed.ts'
import { audit } from '../../src/audit/record.ts'
import type { User } from '../../src/base/user.ts'
import { openDatabase } from '../../src/db/client.ts'
import { type Operation, type Tx, write } from '../../src/db/write.ts'
import { undoOperation } from '../../src/operations/undo.ts'
import { addFiles, loadAddedFiles, removeFiles } from '../../src/pools/arrange.ts'
import { insertAt } from '../../src/pools/positions.ts'
import { loadPool } from '../../src/pools/queries.ts'
import { filesFrom, lengthOf, positionsOf } from '../../src/pools/ranks.ts'
import { reorderFiles } from '../../src/pools/reorder.ts'
import { idAt } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertPool, storedPool } from '../support/object-rows.ts'
import { fc } from '../support/property.ts'
import { entriesOf } from '../support/undo/undoing.ts'

const POOL = idAt(Date.UTC(2026, 0, 1), 99)
const [FILES, HELD] = [3500, 3000]

let library: Library
let ann: User
let ben: User
/** Of all files, of which the pool has the first, the last of these in front. */
let ids: string[]

before(async () => {
  library = await openLibrary()
  const users = [await library.join('ben'), await library.join('ann')]
  const [first, second] = users.map(({ id }) => ({
    id,
    name: 'somebody',
    is_admin: false,
    can_create: true,
  }))
  ben = first!
  ann = second!
})
after(() => library.close())

/** Makes a pool of most of Ann's files, with some of Ben's in between. */
function startAfresh({ bens = 97 } = {}): void {
  const { db } = library.deps
  write(db, { now: 0 }, (tx) => {
    db.run('DELETE FROM files')
    db.run('DELETE FROM pools')
    ids = addManyFiles(db, FILES, { owner: ann.id })
    db.run('UPDATE files SET creator_id = ? WHERE rid % ? = 0', ben.id, bens)
    insertPool(db, { id: POOL, name: 'pool', owner: ann.id, files: [] })
    insertAt(tx, pool().rid, rids(ids.slice(0, HELD).toReversed()), 0)
  })
}

const pool = () => loadPool(library.deps.db, ann, POOL, 'edit')
const order = () => storedPool(library.deps.db, POOL).map(([id]) => id)
/** The ids of made files end with their row numbers. */
const rids = (of: string[]) => of.map((id) => Number.parseInt(id.slice(-12), 16))

/** Does something as one operation, and returns its number. */
function act(work: (tx: Tx) => void): number {
  const operation: Operation = { number: null }
  write(library.deps.db, { now: 1, operation }, (tx) => void work(tx))
  return operation.number ?? 0
}

const remove = (named: string[]) => act((tx) => removeFiles(tx, ann, pool(), named))
const reorder = (named: string[]) => act((tx) => reorderFiles(tx, ann, pool(), { file_ids: named }))
const add = (named: string[], position: number) =>
  act((tx) => addFiles(tx, ann, pool(), { files: loadAddedFiles(tx, ann, named), position }))

/** Takes an operation back; returns the number of the undo, and how many objects it took back. */
function undo(operation: number): { operation: number; undone: number } {
  let undone = 0
  const number = act((tx) => {
    const begun = undoOperation(tx, ann, operation)
    assert.ok('result' in begun)
    undone = begun.result.undone
  })
  return { operation: number, undone }
}

/** Checks that the pool has the files in this order, and that each has its position. */
function assertOrder(expected: string[]): void {
  const { db } = library.deps
  assert.deepEqual(order(), expected)
  const inOrder = rids(expected)
  assert.deepEqual(
    positionsOf(db, pool().rid, inOrder.toReversed()),
    inOrder.map((file, position) => ({ file, position })),
  )
  assert.deepEqual(db.all('SELECT * FROM pool_files WHERE order_key >= 1 << 60'), [])
}

/** What is done: with the files at these places, or at a place. */
interface Step {
  do: (typeof DONE)[number]
  places: number[]
  at: number
}

const DONE = [
  ...['add', 'crowd', 'remove', 'reorder', 'far', 'undo'],
  ...['trash', 'restore', 'purge', 'fail'],
] as const

/** A pool as a plain array, and what takes the last step back. */
interface Model {
  files: string[]
  trashed: Set<string>
  last: { operation: number; before: string[] } | null
}

/** Does a step to the library and to the model. */
function take(model: Model, { do: what, places, at }: Step): void {
  const { db } = library.deps
  const before = model.files
  const isAnns = (id: string) => rids([id])[0]! % 97 > 0
  const isSeen = (id: string) => isAnns(id) && !model.trashed.has(id)
  const chosen = [...new Set(places.map((place) => before[place % before.length]!))]
  const list = JSON.stringify(rids(chosen))
  const position = Math.min(at, before.length)
  const known = new Set(
    db.all<{ rid: number }>('SELECT rid FROM files').map(({ rid }) => ids[rid - 1]!),
  )
  const held = new Set(before)
  const absent = ids.filter((id) => !held.has(id) && known.has(id) && isAnns(id))
  const done = (operation: number, files: string[]) => {
    model.files = files
    model.last = { operation, before }
  }
  if (what === 'add') {
    const added = absent.slice(0, places.length)
    done(add(added, position), before.toSpliced(position, 0, ...added))
  } else if (what === 'crowd') {
    // One after the other into one place, until it has no room.
    const added = absent.slice(0, 60)
    const operation = act((tx) => {
      for (const id of added) {
        addFiles(tx, ann, pool(), { files: loadAddedFiles(tx, ann, [id]), position })
      }
    })
    done(operation, before.toSpliced(position, 0, ...added.toReversed()))
  } else if (what === 'remove') {
    done(
      remove(chosen),
      before.filter((id) => !chosen.includes(id) || !isAnns(id)),
    )
  } else if (what === 'reorder' || what === 'far') {
    const front = what === 'far' ? [] : before.slice(0, at % 40)
    const named = [...new Set([...chosen, ...front])].filter(isSeen)
    const others = before.filter((id) => isSeen(id) && !named.includes(id))
    const arranged = [...named, ...others]
    const files = before.map((id) => (isSeen(id) ? arranged.shift()! : id))
    const operation = reorder(named)
    done(operation, files)
    const moved = files.filter((id, place) => before[place] !== id).length
    const entries = entriesOf(db, operation)
    assert.deepEqual(
      entries.map(({ details }) => details.moved),
      moved > 0 ? [moved] : [],
    )
  } else if (what === 'undo') {
    if (model.last) {
      if (model.last.operation > 0) undo(model.last.operation)
      model.files = model.last.before
    }
    model.last = null
  } else if (what === 'purge') {
    db.run('DELETE FROM files WHERE rid IN (SELECT value FROM json_each(?))', list)
    model.files = before.filter((id) => !chosen.includes(id))
    model.last = null
  } else if (what === 'fail') {
    const full = new Error('the disk is full')
    const fails = () =>
      act((tx) => {
        insertAt(tx, pool().rid, rids(absent.slice(0, 300)), position)
        removeFiles(tx, ann, pool(), chosen)
        reorderFiles(tx, ann, pool(), {
          file_ids: before.filter((id) => isSeen(id) && !chosen.includes(id)).slice(-2),
        })
        throw full
      })
    assert.throws(fails, full)
  } else {
    const is_deleted = what === 'trash'
    db.run(
      'UPDATE files SET is_deleted = ? WHERE rid IN (SELECT value FROM json_each(?))',
      Number(is_deleted),
      list,
    )
    for (const id of chosen) is_deleted ? model.trashed.add(id) : model.trashed.delete(id)
  }
}

describe('the order of a pool', () => {
  it('is that of a plain array, whatever is done, taken back or fails', () => {
    const step: fc.Arbitrary<Step> = fc.record({
      do: fc.constantFrom(...DONE),
      places: fc.array(fc.nat(HELD), { minLength: 1, maxLength: 8 }),
      at: fc.nat(HELD),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 8, maxLength: 16 }), (steps) => {
        startAfresh()
        const model: Model = { files: order(), trashed: new Set(), last: null }
        for (const step of steps) {
          take(model, step)
          assertOrder(model.files)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('is right where hundreds were put into one place', () => {
    startAfresh()
    const start = order()
    const added = ids.slice(HELD, HELD + 400).filter((id) => rids([id])[0]! % 97 > 0)
    for (const id of added) add([id], 1500)
    assertOrder(start.toSpliced(1500, 0, ...added.toReversed()))
  })

  it('counts no file that has lost its place', () => {
    startAfresh()
    const { db } = library.deps
    const [lost] = rids([order()[10]!])
    db.run('UPDATE pool_files SET order_key = (1 << 60) + file_rid WHERE file_rid = ?', lost!)
    const last = rids(ids.slice(HELD, HELD + 2))
    for (const [n, file] of last.entries()) {
      const position = HELD - 1 + n
      assert.equal(lengthOf(db, pool().rid), position)
      act((tx) => insertAt(tx, pool().rid, [file], Number.MAX_SAFE_INTEGER))
      assert.deepEqual(filesFrom(db, pool().rid, position - 1, 5).slice(1), [file])
      assert.deepEqual(positionsOf(db, pool().rid, [file]), [{ file, position }])
    }
  })

  it('is counted as another connection has left it', () => {
    startAfresh()
    const start = order()
    const other = openDatabase(join(library.folder, 'tagstead.sqlite'))
    try {
      const [first, second, third] = rids(ids.slice(HELD)) as [number, number, number]
      const { rid } = pool()
      write(other, { now: 1 }, (tx) => insertAt(tx, rid, [first], 10))
      act((tx) => insertAt(tx, rid, [second], 5))
      write(other, { now: 1 }, (tx) => insertAt(tx, rid, [third], 0))
      const expected = start.toSpliced(10, 0, ids[first - 1]!).toSpliced(5, 0, ids[second - 1]!)
      assertOrder([ids[third - 1]!, ...expected])
    } finally {
      other.close()
    }
  })
})

describe('the undo of a file that went past thousands', () => {
  const [FROM, FIRST] = [2500, 0]
  let start: string[]
  let file: string
  const without = (gone: string[]) => start.filter((id) => !gone.includes(id))

  /** Moves the file from far behind to the front. */
  function goFar(): number {
    startAfresh({ bens: FILES + 1 })
    start = order()
    file = start[FROM]!
    const operation = reorder([file])
    assertOrder([file, ...without([file])])
    assert.equal(entriesOf(library.deps.db, operation)[0]!.details.moved, FROM + 1)
    return operation
  }

  it('is exact, as are its undo and that again', () => {
    let operation = goFar()
    const end = order()
    for (const expected of [start, end, start, end]) {
      const taken = undo(operation)
      assert.equal(taken.undone, 1)
      assertOrder(expected)
      operation = taken.operation
    }
  })

  it('puts it where it was when others are gone since, before it and beside it', () => {
    const operation = goFar()
    const gone = [...start.slice(5, 30), ...start.slice(FROM - 3, FROM), start[FROM + 1]!]
    remove(gone)
    assert.equal(undo(operation).undone, 1)
    assertOrder(without(gone))
  })

  it('puts it before what was behind it when all near it that were before it are gone', () => {
    const operation = goFar()
    const gone = start.slice(FROM - 60, FROM)
    remove(gone)
    assert.equal(undo(operation).undone, 1)
    assertOrder(without(gone))
  })

  it('puts it where it was when others have come since, before it and beside it', () => {
    const operation = goFar()
    const [x, y] = ids.slice(HELD) as [string, string]
    add([x], FIRST)
    add([y], FROM + 2)
    const now = order()
    assert.equal(undo(operation).undone, 1)
    const back = now.filter((id) => id !== file)
    assertOrder(back.toSpliced(back.indexOf(start[FROM - 1]!) + 1, 0, file))
  })

  it('is refused when all that was near it is gone, or the order is another one', () => {
    let operation = goFar()
    remove(start.slice(FROM - 60, FROM + 61).filter((id) => id !== file))
    let now = order()
    assert.equal(undo(operation).undone, 0)
    assertOrder(now)
    operation = goFar()
    reorder([start[0]!])
    now = order()
    assert.equal(undo(operation).undone, 0)
    assertOrder(now)
  })

  it('is exact for two of them, and with hidden files in between', () => {
    for (const bens of [FILES + 1, 97, 3]) {
      startAfresh({ bens })
      start = order()
      const [later, ...named] = [2950, 2902, 2401].map((place) => start[place]!)
      const seen = (of: string[]) => of.filter((id) => rids([id])[0]! % bens !== 0)
      const operation = reorder(named)
      assert.deepEqual(seen(order()).slice(0, 2), named)
      assert.equal(undo(operation).undone, 1)
      assertOrder(start)
      // Where somebody who sees all of them has put another one in front since, it is there still.
      if (bens > FILES) continue
      const again = reorder(named)
      reorder([later!])
      assert.equal(undo(again).undone, 1)
      const others = seen(start).filter((id) => id !== later)
      assert.deepEqual(seen(order()), [later, ...others])
    }
  })

  it('is exact for thousands of them, every fifth of a pool', () => {
    startAfresh({ bens: FILES + 1 })
    start = order()
    const operation = reorder(start.filter((_, place) => place % 5 === 4))
    assert.equal(undo(operation).undone, 1)
    assertOrder(start)
  })

  it('reads the entries of before, which list all that it passed', () => {
    startAfresh({ bens: FILES + 1 })
    start = order()
    file = start[FROM]!
    const moved = [file, ...start.slice(0, FROM)]
    const operation = act((tx) => {
      const files = rids(moved)
      const former = [...files.keys()].map((index) => (index + 1) % files.length)
      const details = { moved: moved.length, count: 1, file_ids: [file] }
      const lists = { files: pack(files), former: pack(former) }
      audit(tx, ann, 'file_pool_reorder', { type: 'pool', id: POOL }, { ...details, ...lists })
    })
    // What it did, of which the entry itself is of no use here.
    reorder([file])
    const gone = start.slice(5, 30)
    remove(gone)
    assert.equal(undo(operation).undone, 1)
    assertOrder(without(gone))
  })
})
