import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Db } from '../../../src/db/client.ts'
import { blobToUuid } from '../../../src/db/columns.ts'
import { fileSeed, idAt, insertFiles } from '../file-rows.ts'
import { assertError } from '../files.ts'
import { type Answer, type Library, openLibrary } from '../harness.ts'
import {
  allow,
  allRows,
  insertCategory,
  insertPool,
  insertRule,
  insertTag,
  ridOf,
} from '../object-rows.ts'

export type User = { id: number; token: string }
export type Kept = { object_type: string | null; object_id: string | null; reason: string }
/** What an undo answers, and the actions of its entries. */
interface Undone {
  operation: number
  undone: number
  kept: Kept[]
  kept_total: number
  actions: string[]
}
export type Undoing = Awaited<ReturnType<typeof openUndoing>>

export const file = (n: number) => idAt(1, n)
export const files = (...numbers: number[]) => ({ file_ids: numbers.map(file) })
export const TAG = { sun: idAt(2, 1), sea: idAt(2, 2), sand: idAt(2, 3), beach: idAt(2, 4) }
export const CATEGORY = { places: idAt(3, 1), people: idAt(3, 2) }
export const POOL = { trip: idAt(4, 1), box: idAt(4, 2) }

/** The tags of the files, each with 1 when it is there by hand. */
const CARRIED: [file: number, tag: keyof typeof TAG, byHand: 0 | 1][] = [
  [1, 'sun', 1],
  [1, 'sea', 0],
  [2, 'sun', 0],
  [2, 'sand', 1],
  [3, 'sun', 1],
  [4, 'beach', 1],
  [5, 'beach', 1],
  [6, 'sand', 0],
  [7, 'sun', 0],
]

/**
 * Opens a library with people in it: an admin, Ann, who owns everything but the file 9, and Ben, who
 * owns that one and sees some of the others.
 */
async function openUndoing() {
  const library = await openLibrary()
  const root = await library.join('Root', { is_admin: true })
  const ann = await library.join('Ann', { can_create: true })
  const ben = await library.join('Ben')
  const { db } = library.deps
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) noteMade(db, ann, file(n))

  /** Does something that must succeed. */
  async function ask(method: string, path: string, body?: unknown, { token } = ann) {
    const answer = await library.call(method, path, { token, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }

  const undo = (operation: number | string, { token } = ann) =>
    library.call('POST', `/operations/${operation}/undo`, { token })

  /** Undoes what an answer names, and returns the result after a look at what the log has of it. */
  async function undone(operation: number, user = ann) {
    const answer = await undo(operation, user)
    assert.equal(answer.status, 200, answer.text)
    const { body } = answer
    await assertHidden(library, root)
    if (body.undone === 0) {
      assert.deepEqual([body.operation, answer.headers.get('Operation')], [null, null])
      return { ...body, actions: [] } as Undone
    }
    assert.equal(operationOf(answer), body.operation)
    const entries = entriesOf(db, body.operation)
    assert.ok(entries.length > 0)
    assert.deepEqual([...new Set(entries.map((entry) => entry.user_id))], [user.id])
    const last = entries.pop()
    assert.deepEqual(
      [last?.action, last?.object, last?.details],
      ['operation_undo', null, { operation, undone: body.undone, kept: body.kept_total }],
    )
    assert.equal(new Set(entries.map((entry) => entry.object)).size, body.undone)
    const actions = entries.map((entry) => entry.action).toSorted()
    return { ...body, actions } as Undone
  }

  /** All of the library but what only counts up and the days of the trash and of rights, and what the API shows of it. */
  async function state(): Promise<unknown> {
    const { audit_log, audit_texts, user_changes, cache_versions, ...rows } = allRows(db)
    const without = (table: string, column: string) =>
      (rows[table] as Record<string, unknown>[]).map(({ [column]: _, ...row }) => row)
    const files = without('files', 'trashed_at')
    return {
      ...rows,
      files,
      acl: without('acl', 'granted_at'),
      shown: JSON.parse(
        JSON.stringify(await shown(library, [ann, ben]), (key, value) =>
          key === 'trashed_at' ? undefined : value,
        ),
      ),
    }
  }

  /**
   * Does something, takes it back, takes that back, and that again: each time, everything must be as
   * it was. `taken` is what it looks like when it is taken back, when that is not as before; the undo of a
   * merge of files (`isMerge`) is not taken back.
   */
  async function thereAndBack(
    act: () => Promise<Answer>,
    expected: {
      undone: number
      actions: string[]
      by?: User
      taken?: () => Promise<unknown>
      isMerge?: boolean
    },
  ): Promise<void> {
    const { by = ann } = expected
    const start = await state()
    const operation = operationOf(await act())
    const end = await state()
    assert.notDeepEqual(end, start)
    const before = (await expected.taken?.()) ?? start
    const first = await undone(operation, by)
    assert.deepEqual(first.actions, expected.actions.toSorted())
    const none = { undone: expected.undone, kept: [], kept_total: 0 }
    const { undone: count, kept, kept_total } = first
    assert.deepEqual({ undone: count, kept, kept_total }, none)
    assert.deepEqual(await state(), before)
    if (expected.isMerge) {
      assertError(await undo(first.operation, by), 409, 'conflict')
      assert.deepEqual(await state(), before)
      return
    }
    let { operation: last } = first
    for (const wanted of [end, before, end]) {
      const again = await undone(last, by)
      assert.deepEqual([again.undone, again.kept], [expected.undone, []])
      assert.deepEqual(await state(), wanted)
      last = again.operation
    }
  }

  return { library, root, ann, ben, db, ask, undo, undone, state, thereAndBack }
}

/** Opens such a library for the tests of a file, each of which finds it as the first one does. */
export function useUndoing(): Undoing {
  const undoing = {} as Undoing
  before(async () => {
    Object.assign(undoing, await openUndoing())
  })
  after(() => undoing.library.close())
  beforeEach(() => reset(undoing))
  return undoing
}

/** Writes into the log that a user brought in a file. */
export function noteMade(db: Db, { id }: Pick<User, 'id'>, file: string): void {
  db.run(
    `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
     VALUES (?, 'Ann', 'file_create', 'file', unhex(replace(?, '-', '')), '{}', 0)`,
    id,
    file,
  )
}

/** Puts everything that people made back to where each test begins. */
export function reset({ db, ann, ben }: Undoing): void {
  for (const table of ['files', 'tags', 'categories', 'pools']) db.run(`DELETE FROM ${table}`)
  insertFiles(
    db,
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) =>
      fileSeed(file(n), {
        name: `${n}.jpg`,
        owner: n === 9 ? ben.id : ann.id,
        trashed: n === 7 || n === 8,
        viewers: n === 3 ? [ben.id] : [],
      }),
    ),
  )
  const owner = ann.id
  insertCategory(db, { id: CATEGORY.places, name: 'places', owner, isPublic: true })
  insertCategory(db, { id: CATEGORY.people, name: 'people', owner })
  const { places: category } = CATEGORY
  insertTag(db, { id: TAG.sun, name: 'sun', owner, category })
  insertTag(db, { id: TAG.sea, name: 'sea', owner, category, isPublic: true })
  insertTag(db, { id: TAG.sand, name: 'sand', owner })
  insertTag(db, { id: TAG.beach, name: 'beach', owner })
  insertRule(db, TAG.sun, TAG.sea)
  insertRule(db, TAG.sea, TAG.sand)
  db.run('UPDATE tag_rules SET is_active = 0 WHERE when_tag_rid = ?', ridOf(db, 'tag', TAG.sea))
  insertRule(db, TAG.beach, TAG.sun)
  for (const [n, name, byHand] of CARRIED) {
    const rids = [ridOf(db, 'file', file(n)), ridOf(db, 'tag', TAG[name])]
    db.run('INSERT INTO file_tags (file_rid, tag_rid, by_hand) VALUES (?, ?, ?)', ...rids, byHand)
  }
  insertPool(db, { id: POOL.trip, name: 'trip', owner, files: [3, 1, 9, 7, 2, 6, 5].map(file) })
  insertPool(db, { id: POOL.box, name: 'box', owner, files: [4, 1, 2].map(file) })
  for (const table of ['tags', 'categories', 'pools']) {
    db.run(`UPDATE ${table} SET notes = 'noted', metadata = '{"made":{"by":"hand"}}'`)
  }
  allow(db, ben.id, 'tag', TAG.sun, 'edit')
  allow(db, ben.id, 'category', CATEGORY.people)
  allow(db, ben.id, 'pool', POOL.trip)
}

/** Returns how an undo names something that it kept. */
export const kept = (object_type: string | null, object_id: string | null, reason: string) => ({
  object_type,
  object_id,
  reason,
})

/** Returns the operation that an answer names. */
export function operationOf({ status, headers, text }: Answer): number {
  const number = headers.get('Operation')
  assert.match(number ?? '', /^[1-9]\d*$/, `${status} ${text}`)
  return Number(number)
}

/** Returns the entries of an operation, the first one first. */
export function entriesOf(db: Db, operation: number) {
  return db
    .all<{
      id: number
      user_id: number
      action: string
      object_type: string | null
      object_id: Uint8Array | null
      details: string
    }>('SELECT * FROM audit_log WHERE operation = ? ORDER BY id', operation)
    .map(({ id, user_id, action, object_type, object_id, details }) => {
      const object = object_id && `${object_type} ${blobToUuid(object_id)}`
      return { id, user_id, action, object, details: JSON.parse(details) }
    })
}

async function shown(library: Library, viewers: User[]): Promise<unknown[]> {
  const paths = [
    '/files',
    '/files?trash=true',
    `/files?filter=${encodeURIComponent(`{t=${TAG.sun}}`)}`,
    '/tags',
    `/tags/${TAG.sun}/rules`,
    '/categories',
    '/pools',
    `/pools/${POOL.trip}/files`,
  ]
  const answers: unknown[] = []
  for (const path of paths) {
    for (const { token } of viewers) {
      const { status, body } = await library.call('GET', path, { token })
      answers.push([path, status, body])
    }
  }
  return answers
}

/** The log never shows what only an undo needs: row numbers, lists of them, versions. */
async function assertHidden(library: Library, { token }: User): Promise<void> {
  const { status, text, body } = await library.call('GET', '/audit?limit=200', { token })
  assert.equal(status, 200, text)
  for (const { details } of body.items) {
    assert.doesNotMatch(JSON.stringify(details), /"(internal|packed|\w*rid)":/)
    for (const list of ['files', 'positions', 'former', 'by_hand', 'tags']) {
      const shown = details?.[list]
      if (shown !== undefined) assert.equal(typeof shown, 'number', `${list} of an entry`)
    }
  }
}
