import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { viewTags } from '../../src/tags/cache.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { fc, SEED } from '../support/property.ts'

type User = { id: number; token: string }

let library: Library
let ann: User
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { is_admin: true })
})
after(() => library.close())

const viewer = () => ({ id: ann.id, name: 'Ann', is_admin: true, can_create: true })
const call = (method: string, path: string, body?: object) =>
  library.call(method, path, { token: ann.token, body })
const made = async (path: string, body: object) => (await call('POST', path, body)).body

/** All tags as a connection shows them that has read them anew. */
function readAnew() {
  const db = openDatabase(`${library.folder}/tagstead.sqlite`, {
    migrations: 'drizzle',
    memory: { cacheSize: 2 ** 20 },
  })
  try {
    return shownBy(db)
  } finally {
    db.close()
  }
}

function shownBy(db: Library['deps']['db']) {
  const view = viewTags(db, viewer())
  const tags = view.visible()
  return tags.map((tag, n) => [
    view.texts([tag])[0],
    tag.rank === n,
    view.bytesOf(tag),
    view.byId(tag.id) === tag,
    view.byRid(tag.rid) === tag,
  ])
}

describe('tags in memory', () => {
  it('are read once, until a tag, a category or a name of a user changes', async () => {
    const { db } = library.deps
    const bob = await library.join('Bob', { can_create: true })
    const category = await made('/categories', { name: 'places' })
    const [kept, other] = [
      await made('/tags', { name: 'kept' }),
      await made('/tags', { name: 'b' }),
    ]
    const known = () => viewTags(db, viewer()).byId(kept.id)
    const first = known()
    db.run('UPDATE tags SET file_count = file_count')
    assert.equal(known(), first)
    const steps: [string, string, object?][] = [
      ['PATCH', `/tags/${other.id}`, { name: 'z', category_id: category.id }],
      ['PATCH', `/categories/${category.id}`, { name: 'spots' }],
      ['DELETE', `/categories/${category.id}`],
      ['POST', '/tags', { name: 'another' }],
      ['DELETE', `/tags/${other.id}`],
    ]
    for (const [method, path, body] of steps) {
      assert.ok((await call(method, path, body)).status < 300, path)
      assert.deepEqual(shownBy(db), readAnew(), `${method} ${path}`)
    }
    await library.call('PATCH', '/users/me', { token: bob.token, body: { name: 'Rob' } })
    assert.deepEqual(shownBy(db), readAnew())
  })

  it('are as the database has them after any changes', async () => {
    const { db } = library.deps
    const number = fc.nat({ max: 7 })
    const step = fc.record({
      what: fc.constantFrom(
        'add',
        'name',
        'group',
        'category',
        'ungroup',
        'remove',
        'user',
        'none',
      ),
      a: number,
      b: number,
      isUndone: fc.boolean(),
    })
    const run = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { what, a, b, isUndone } of steps) {
        try {
          write(db, { now: 0 }, () => {
            change(what, a, b)
            // A view in the middle of what is taken back afterwards.
            viewTags(db, viewer()).visible()
            if (isUndone) throw new Error('undone')
          })
        } catch (error) {
          if (!/undone|UNIQUE/.test(String(error))) throw error
        }
        if (a % 2 === 0) shownBy(db)
      }
      assert.deepEqual(shownBy(db), readAnew())
    })
    await fc.assert(run, { seed: SEED, numRuns: 60 })
  })
})

/** Changes a tag or a category by its number, in the database itself. */
function change(what: string, a: number, b: number): void {
  const { db } = library.deps
  const id = (kind: number, n: number) => `018bcfe5-6800-7000-8${kind}00-00000000000${n}`
  const hex = (kind: number, n: number) => id(kind, n).replaceAll('-', '')
  switch (what) {
    case 'add':
      db.run(
        `INSERT OR IGNORE INTO categories (id, name, name_key, creator_id, is_public) VALUES (unhex(?), ?, ?, ?, 1)`,
        hex(2, b),
        `c${b}`,
        `c${b}`,
        ann.id,
      )
      db.run(
        `INSERT INTO tags (id, name, name_key, creator_id, is_public, category_rid)
         VALUES (unhex(?), ?, ?, ?, 1, (SELECT rid FROM categories WHERE id = unhex(?)))`,
        hex(1, a),
        `t${a}`,
        `t${a}`,
        ann.id,
        hex(2, b),
      )
      break
    case 'name':
      db.run(
        'UPDATE tags SET name = ?, name_key = ? WHERE id = unhex(?)',
        `n${b}${a}`,
        `n${b}`,
        hex(1, a),
      )
      break
    case 'group':
      db.run(
        'UPDATE tags SET category_rid = (SELECT rid FROM categories WHERE id = unhex(?)) WHERE id = unhex(?)',
        hex(2, b),
        hex(1, a),
      )
      break
    case 'category':
      db.run(
        'UPDATE categories SET name = ?, name_key = name WHERE id = unhex(?)',
        `c${b}${a}`,
        hex(2, a),
      )
      break
    case 'ungroup':
      db.run('DELETE FROM categories WHERE id = unhex(?)', hex(2, a))
      break
    case 'remove':
      db.run('DELETE FROM tags WHERE id = unhex(?)', hex(1, a))
      break
    case 'user':
      db.run('UPDATE users SET name = ? WHERE id = ?', `Ann ${b}`, ann.id)
      break
  }
}
