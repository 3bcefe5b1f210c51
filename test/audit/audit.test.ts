import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AuditFilters, countEntries, listEntries } from '../../src/audit/queries.ts'
import type { Db } from '../../src/db/client.ts'
import type { SqlValue } from '../../src/db/driver.ts'
import { queryText } from '../support/file-rows.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const START = Date.UTC(2026, 5, 7, 8, 9, 10, 11)
const OBJECTS = ['018bcfe5-6800-7000-8000-00000000000a', '018bcfe5-6800-7000-8000-00000000000b']
const ACTIONS = { file: 'file_edit', tag: 'tag_edit', category: 'category_edit', pool: 'pool_edit' }

/** An entry as it is asked for. */
interface Entry {
  user_id: number
  action: string
  object_type: string | null
  object_id: string | null
  /** Milliseconds. */
  time: number
}

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let entries: (Entry & { id: number })[]
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  library.deps.db.run('DELETE FROM audit_log')
  entries = makeEntries()
})
after(() => library.close())

/** Fills the log with entries of which three each share their time, not in its order. */
function makeEntries() {
  const types = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]
  return Array.from({ length: 120 }, (_, index) => {
    const object_type = index % 7 === 0 ? null : types[index % 4]!
    const entry: Entry = {
      user_id: index % 3 === 0 ? root.id : ann.id,
      action: object_type ? ACTIONS[object_type] : 'user_login',
      object_type,
      object_id: object_type && OBJECTS[index % 5 === 0 ? 0 : 1]!,
      time: START + Math.floor(((index * 37) % 120) / 3) * 1000,
    }
    const { id } = library.deps.db.get<{ id: number }>(
      `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
       VALUES (?, ?, ?, ?, unhex(?), ?, ?) RETURNING id`,
      entry.user_id,
      `user ${entry.user_id}`,
      entry.action,
      object_type,
      entry.object_id?.replaceAll('-', '') ?? null,
      object_type && JSON.stringify({ index }),
      entry.time,
    )!
    return { ...entry, id }
  })
}

const read = (query: Record<string, string | number>) =>
  library.call('GET', `/audit?${queryText(query)}`, root)
const idsOf = (items: { id: number }[]) => items.map((entry) => entry.id)
const iso = (ms: number) => new Date(ms).toISOString()
/** The ids of the entries that must be found, newest first. */
const expected = (matches: (entry: Entry) => boolean) =>
  idsOf(entries.filter(matches).toSorted((a, b) => b.time - a.time || b.id - a.id))

describe('the audit log', () => {
  it('is read newest first, with ties by id, and by page', async () => {
    const all = expected(() => true)
    const { body } = await read({})
    assert.deepEqual(idsOf(body.items), all.slice(0, 50))
    assert.deepEqual([body.total, body.offset, body.limit], [120, 0, 50])
    const seen: number[] = []
    for (let offset = 0; offset < 130; offset += 25) {
      const page = (await read({ offset, limit: 25 })).body
      assert.deepEqual([page.total, page.offset, page.limit], [120, offset, 25])
      seen.push(...idsOf(page.items))
    }
    assert.deepEqual(seen, all)
  })

  it('shows whole entries', async () => {
    const shown = (await read({ limit: 200 })).body.items
    for (const index of [0, 1]) {
      const { time, ...entry } = entries[index]!
      const found = shown.find((one: { id: number }) => one.id === entry.id)
      assert.deepEqual(found, {
        ...entry,
        user_name: `user ${entry.user_id}`,
        details: index === 0 ? null : { index },
        performed_at: iso(time),
        operation: null,
      })
    }
  })

  it('is narrowed by each filter, and by any of them together', async () => {
    const filters: [Record<string, string | number>, (entry: Entry) => boolean][] = [
      [{ user_id: root.id }, (entry) => entry.user_id === root.id],
      [{ action: 'tag_edit' }, (entry) => entry.action === 'tag_edit'],
      [{ object_type: 'tag' }, (entry) => entry.object_type === 'tag'],
      [{ object_id: OBJECTS[0]!.toUpperCase() }, (entry) => entry.object_id === OBJECTS[0]],
      [{ from: iso(START + 9000) }, (entry) => entry.time >= START + 9000],
      [{ to: iso(START + 30_000) }, (entry) => entry.time <= START + 30_000],
    ]
    let found = 0
    for (let set = 0; set < 2 ** filters.length; set++) {
      const chosen = filters.filter((_, index) => set & (1 << index))
      const query = Object.assign({}, ...chosen.map(([parameters]) => parameters))
      const ids = expected((entry) => chosen.every(([, matches]) => matches(entry)))
      const { body } = await read({ ...query, limit: 200 })
      assert.deepEqual(idsOf(body.items), ids, queryText(query))
      assert.equal(body.total, ids.length, queryText(query))
      if (ids.length > 0) found++
    }
    assert.ok(found > 50, `${found} of them find something`)
  })

  it('has each entry on one page, with filters too, though the clock was set back between them', async () => {
    const from = START + 3000
    const mine = (entry: Entry) => entry.user_id === ann.id && entry.time >= from
    const narrowed: [Record<string, string | number>, number[]][] = [
      [{ user_id: ann.id, from: iso(from) }, expected(mine)],
      [
        { user_id: ann.id, from: iso(from), action: 'tag_edit' },
        expected((entry) => mine(entry) && entry.action === 'tag_edit'),
      ],
    ]
    for (const [query, ids] of narrowed) {
      assert.ok(ids.length > 14, `${ids.length} entries`)
      for (let offset = 0; offset < ids.length + 14; offset += 7) {
        const { body } = await read({ ...query, offset, limit: 7 })
        assert.deepEqual(idsOf(body.items), ids.slice(offset, offset + 7), queryText(query))
        assert.equal(body.total, ids.length, queryText(query))
      }
    }
  })

  it('takes times in any zone, and both ends of a range', async () => {
    const total = async (query: Record<string, string>) => (await read(query)).body.total
    const at = iso(START + 5000)
    assert.equal(await total({ from: at, to: at }), 3)
    assert.equal(await total({ from: '2026-06-07T10:09:15.011+02:00', to: at }), 3)
    assert.equal(await total({ from: iso(START + 5001), to: iso(START + 5999) }), 0)
  })

  it('has an empty page for an action, a user or an object that nobody knows', async () => {
    const empty = { items: [], total: 0, offset: 0, limit: 50 }
    assert.deepEqual((await read({ action: 'file_explode' })).body, empty)
    assert.deepEqual((await read({ user_id: 99 })).body, empty)
    assert.deepEqual((await read({ object_id: OBJECTS[0]!.replaceAll('a', 'c') })).body, empty)
    assert.equal((await read({ object_type: 'tag', action: 'file_edit' })).body.total, 0)
  })

  it('refuses a malformed filter, naming each', async () => {
    const wrong = {
      user_id: 'x',
      object_type: 'user',
      object_id: 'x',
      from: 'yesterday',
      to: '2026-06-07T08:09:10',
      offset: -1,
      limit: 201,
    }
    const answer = await read(wrong)
    const fields = answer.body.details.map((detail: { field: string }) => detail.field)
    assert.deepEqual([answer.status, fields.toSorted()], [400, Object.keys(wrong).toSorted()])
    for (const [name, value] of [
      ['user_id', ''],
      ['user_id', '1.5'],
      ['user_id', '-1'],
      ['from', '2026-13-01T00:00:00Z'],
      ['to', '2026-06-07'],
      ['limit', 0],
    ] as const) {
      assertError(await read({ [name]: value }), 400, 'validation_error', [name])
    }
    const twice = await library.call('GET', '/audit?action=a&action=b', root)
    assertError(twice, 400, 'validation_error', ['action'])
  })

  it('is for admins alone', async () => {
    assertError(await library.call('GET', '/audit?limit=x', ann), 403, 'forbidden')
    assertError(await library.call('GET', '/audit'), 401, 'unauthorized')
  })
})

describe('the plan of SQLite for the audit log', () => {
  const values: AuditFilters = {
    user_id: 1,
    action: 'file_edit',
    object_type: 'file',
    object_id: OBJECTS[0],
    from: START,
    to: START + 1,
  }
  const indexes = {
    object_id: 'audit_log_object',
    action: 'audit_log_action',
    user_id: 'audit_log_user',
    object_type: 'audit_log_object_type',
  }

  /** The plans of all statements of a call, the one with the answer at the end. */
  function planned(call: (db: Db) => unknown): string[][] {
    const { db } = library.deps
    const asked: [string, SqlValue[]][] = []
    const recording: Db = {
      ...db,
      all: <Row>(sql: string, ...params: SqlValue[]) => {
        asked.push([sql, params])
        return db.all<Row>(sql, ...params)
      },
      get: <Row>(sql: string, ...params: SqlValue[]) => {
        asked.push([sql, params])
        return db.get<Row>(sql, ...params)
      },
    }
    call(recording)
    return asked.map(([sql, params]) =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
        .map((row) => row.detail)
        .filter((step) => !step.includes('(subquery')),
    )
  }

  const plansOf = (filters: AuditFilters) => [
    planned((db) => listEntries(db, { ...filters, offset: 0, limit: 50 })),
    planned((db) => countEntries(db, filters)),
  ]

  it('walks one index in the order of the answer, from the place where the filters begin', () => {
    const names = Object.keys(values) as (keyof typeof values)[]
    for (let set = 0; set < 2 ** names.length; set++) {
      const chosen = names.filter((_, index) => set & (1 << index))
      const request = Object.fromEntries(chosen.map((name) => [name, values[name]]))
      const times = [
        ...(chosen.includes('from') ? ['performed_at>?'] : []),
        ...(chosen.includes('to') ? ['performed_at<?'] : []),
      ]
      const filters = Object.entries(indexes).filter(([name]) => name in request)
      const searches = filters.map(([column, index]) => ({
        index,
        seek: [`${column}=?`, ...times],
      }))
      if (filters.length === 0) searches.push({ index: 'audit_log_time', seek: times })
      const plans = plansOf(request).flat()
      assert.equal(plans.length, 2 * (1 + (filters.length > 1 ? filters.length : 0)))
      for (const [plan, ...others] of plans) {
        assert.deepEqual(others, [], 'nothing is sorted')
        const found = /^(\w+) audit_log USING (?:COVERING )?INDEX (\w+)(?: \((.*)\))?$/.exec(plan!)
        const [, verb, used, seek = ''] = found ?? assert.fail(plan)
        const search = searches.find(({ index }) => index === used) ?? assert.fail(plan)
        assert.equal(seek, search.seek.join(' AND '), plan)
        assert.equal(verb, seek === '' ? 'SCAN' : 'SEARCH', plan)
      }
    }
  })

  it('walks the index of the filter that admits fewest, whichever that is', () => {
    const used = (filters: AuditFilters) =>
      plansOf(filters).map((plans) => /INDEX (\w+)/.exec(plans.at(-1)![0]!)?.[1])
    const twice = (index: string) => [index, index]
    assert.deepEqual(used({ user_id: 1, action: 'file_edit' }), twice('audit_log_action'))
    assert.deepEqual(used({ user_id: 99, action: 'file_edit' }), twice('audit_log_user'))
    assert.deepEqual(used({ user_id: 1, object_type: 'pool' }), twice('audit_log_object_type'))
  })
})
