import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db, SqlValue } from '../../src/db/client.ts'
import { listFiles } from '../../src/files/list.ts'
import { FileListQuery } from '../../src/files/schema.ts'
import type { User } from '../../src/user.ts'
import {
  fileSeed,
  handmade,
  idAt,
  insertFiles,
  ORDERS,
  SORTS,
  tiedFiles,
} from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const INDEXES = {
  created: { index: 'files_created', seek: 'is_deleted=? AND id{}?', key: null },
  content_datetime: {
    index: 'files_content_datetime',
    seek: 'is_deleted=? AND (content_datetime,id){}(?,?)',
    key: 5,
  },
  original_name: {
    index: 'files_original_name',
    seek: 'is_deleted=? AND (name_key,id){}(?,?)',
    key: 'a.jpg',
  },
  mime: {
    index: 'files_mime',
    seek: 'is_deleted=? AND (mime_type,id){}(?,?)',
    key: 'image/png',
  },
}
const MIDDLE = '018bcfe5-6805-7000-8000-000000000040'

let library: Library
const admin: User = { id: 1, name: 'Root', is_admin: true, can_create: false }
const user: User = { id: 2, name: 'Ann', is_admin: false, can_create: false }

interface Asked {
  sql: string
  params: SqlValue[]
}

/** Lists files and returns the statements that looked for them. */
async function statements(viewer: User, query: Record<string, string>): Promise<Asked[]> {
  const { db } = library.deps
  const asked: Asked[] = []
  const record = (sql: string, params: SqlValue[]) => {
    if (/INDEXED BY|files_fts| AS key\b/.test(sql)) asked.push({ sql, params })
  }
  const recording: Db = {
    ...db,
    all: <Row>(sql: string, ...params: SqlValue[]) => {
      record(sql, params)
      return db.all<Row>(sql, ...params)
    },
    get: <Row>(sql: string, ...params: SqlValue[]) => {
      record(sql, params)
      return db.get<Row>(sql, ...params)
    },
  }
  await listFiles(recording, viewer, FileListQuery.parse(query))
  return asked
}

/** Returns the plan of a statement, but for how the rows that it finds are made one. */
function planOf({ sql, params }: Asked): string[] {
  return library.deps.db
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
    .map((row) => row.detail)
    .filter((detail) => !/^(CO-ROUTINE|SCAN) \(subquery-\d+\)$/.test(detail))
}

interface Page {
  sort: (typeof SORTS)[number]
  deep: boolean
  query: Record<string, string>
}

/** The pages of a sort at its ends and in the middle, each way. */
function* everyPage(): Generator<Page> {
  for (const sort of SORTS) {
    for (const order of ORDERS) {
      for (const direction of ['forward', 'backward']) {
        yield { sort, deep: false, query: { sort, order, direction } }
        for (const side of ['before', 'after']) {
          const cursor = handmade(['files', sort, order, INDEXES[sort].key, MIDDLE, side])
          yield { sort, deep: true, query: { cursor, direction } }
        }
      }
    }
  }
}

describe('the plan of SQLite for a list of files', () => {
  before(async () => {
    library = await openLibrary()
    await library.addUser('Root', { is_admin: true })
    await library.addUser('Ann')
    await library.addUser('Bob')
    insertFiles(library.deps.db, tiedFiles([2, 3]))
  })
  after(() => library.close())

  it('walks the index of the sort alone, and begins at the place of the page', async () => {
    for (const viewer of [admin, user]) {
      for (const { sort, deep, query } of everyPage()) {
        const asked = await statements(viewer, { ...query, limit: '5' })
        // The page itself, and from a place on also what lies behind it.
        assert.ok(asked.length >= (deep ? 2 : 1))
        for (const statement of asked) {
          const plan = planOf(statement)
          const said = `${viewer.name} ${JSON.stringify(query)}: ${plan.join('; ')}`
          checkWalk(plan, { sort, deep }, said)
          const rest = plan.filter((line) => !line.startsWith('SEARCH f ')).join('; ')
          assert.match(rest, viewer.is_admin ? ALONE : WITH_ACL, said)
        }
      }
    }
  })

  it('sorts nothing while it walks a filtered list', async () => {
    for (const viewer of [admin, user]) {
      for (const { sort, deep, query } of everyPage()) {
        for (const filter of ['{r=1}', '{m~image/%}', '{t=00000000-0000-0000-0000-000000000000}']) {
          const asked = await statements(viewer, { ...query, filter, limit: '2' })
          const walks = asked.filter(({ sql }) => sql.includes('INDEXED BY'))
          assert.ok(walks.length > 0)
          for (const statement of walks) {
            const plan = planOf(statement)
            checkWalk(plan, { sort, deep }, `${viewer.name} ${filter}: ${plan.join('; ')}`)
          }
        }
      }
    }
  })

  it('asks the full-text index for a seldom name of three code points', async () => {
    const fillers = Array.from({ length: 5001 }, (_, index) => fileSeed(idAt(1.8e12, index)))
    insertFiles(library.deps.db, fillers)
    const asked = await statements(admin, { search: 'ж.p', limit: '200' })
    const plans = asked.map((statement) => planOf(statement).join('; '))
    assert.ok(
      plans.some((plan) => plan.includes('files_fts VIRTUAL TABLE INDEX 0:M')),
      plans.join('\n'),
    )
  })
})

// What a walk passes may be asked for the caller's own entry in the ACL, by its whole key.
const ALONE = /^(CO-ROUTINE f; SCAN f)?$/
const WITH_ACL =
  /^(CO-ROUTINE f; SCAN f)?(; )?(CORRELATED SCALAR SUBQUERY \d+; SEARCH acl USING PRIMARY KEY \(user_id=\? AND object_type=\? AND object_rid=\?\))?$/

function checkWalk(plan: string[], { sort, deep }: Omit<Page, 'query'>, said: string) {
  const { index, seek } = INDEXES[sort]
  const walk = plan.find((line) => line.startsWith('SEARCH f ')) ?? ''
  const [, used, by] = /^SEARCH f USING COVERING INDEX (\w+) \((.*)\)$/.exec(walk) ?? []
  assert.equal(used, index, said)
  // Of a list that is confined to some types, the other end is one more condition.
  const place = by?.replace(/(\?\)) AND \(mime_type,id\)[<>]\(\?,\?\)$/, '$1').replace(/[<>]/, '{}')
  // A walk that begins at an end of the list may go on from a place.
  assert.ok(place === seek || (!deep && place === 'is_deleted=?'), said)
  assert.ok(!plan.join().includes('TEMP B-TREE'), said)
}
