import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
})
after(() => library.close())

const KINDS = {
  categories: { most: 1000, columns: '', values: '' },
  pools: {
    most: 10_000,
    columns: ', sort_key, sort_order',
    values: ", 'manual', 'asc'",
  },
}

/** Makes objects without a request for each. */
function makeMany(kind: keyof typeof KINDS, count: number, creator: number) {
  const { columns, values } = KINDS[kind]
  library.deps.db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO ${kind} (id, name, name_key, creator_id, is_public${columns})
     SELECT unhex('018bcfe568007000' || printf('%04x%012x', 32768 + u.id, i)),
     'many ' || u.id || ' ' || i, 'many', u.id, 0${values} FROM n CROSS JOIN users u WHERE u.id = ?`,
    count,
    creator,
  )
}

for (const [kind, { most }] of Object.entries(KINDS)) {
  describe(`a user who has made ${most} ${kind}`, () => {
    const make = ({ token }: User, name: string) =>
      library.call('POST', `/${kind}`, { token, body: { name } })

    it('makes no more, unless they are an admin, and gets none back by an undo', async () => {
      makeMany(kind as keyof typeof KINDS, most - 1, ann.id)
      makeMany(kind as keyof typeof KINDS, most, root.id)
      const last = await make(ann, 'the last')
      assert.equal(last.status, 201)
      const refusal = await make(ann, 'one more')
      assertError(refusal, 409, 'conflict')
      assert.match(refusal.body.message, new RegExp(`at most ${most} ${kind}`))
      assert.equal((await make(root, 'one more')).status, 201)

      const gone = await library.call('DELETE', `/${kind}/${last.body.id}`, ann)
      assert.equal(gone.status, 204)
      assert.equal((await make(ann, 'another')).status, 201)
      const undo = await library.call(
        'POST',
        `/operations/${gone.headers.get('Operation')}/undo`,
        ann,
      )
      assert.deepEqual(undo.body.kept, [
        {
          object_type: kind === 'pools' ? 'pool' : 'category',
          object_id: last.body.id,
          reason: 'conflict',
        },
      ])
    })
  })
}
