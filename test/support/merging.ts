import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { fileSeed, idAt, insertFiles } from './file-rows.ts'
import { type Library, openLibrary } from './harness.ts'
import { insertRule, insertTag, ridOf } from './object-rows.ts'

interface Person {
  id: number
  token: string
}

export const TAG = {
  old: idAt(1, 1),
  into: idAt(1, 2),
  near: idAt(1, 3),
  far: idAt(1, 4),
  above: idAt(1, 5),
}
type Name = keyof typeof TAG

/** Opens a library for the tests of a file, with these tags of Ann's, made anew for each test. */
export function useMerging() {
  const world = {} as { library: Library; ann: Person; bob: Person }

  before(async () => {
    world.library = await openLibrary()
    world.ann = await world.library.join('Ann', { can_create: true })
    world.bob = await world.library.join('Bob', { can_create: true })
  })
  after(() => world.library.close())
  beforeEach(() => reset())

  function reset(): void {
    const { db } = world.library.deps
    for (const table of ['files', 'tags', 'long_changes']) db.run(`DELETE FROM ${table}`)
    for (const [name, id] of Object.entries(TAG)) insertTag(db, { id, name, owner: world.ann.id })
  }

  const ask = (method: string, path: string, body?: unknown, { token } = world.ann) =>
    world.library.call(method, path, { token, body })

  return Object.assign(world, {
    reset,
    ask,
    /** Merges `old` into `into`, by default. */
    merge: (body: unknown = { into: TAG.into }, by = world.ann, old = TAG.old) =>
      ask('POST', `/tags/${old}/merge`, body, by),

    /** Makes files that carry tags, each with 1 when it is there by hand. */
    makeFiles(
      all: Partial<Record<Name, 0 | 1>>[],
      { owner = world.ann.id, trashed = false } = {},
    ): string[] {
      const { db } = world.library.deps
      const ids = all.map((_, n) => idAt(20 + owner, n + 1))
      insertFiles(
        db,
        ids.map((id) => fileSeed(id, { owner, trashed })),
      )
      for (const [n, tags] of all.entries()) {
        for (const [name, byHand] of Object.entries(tags)) {
          const rids = [ridOf(db, 'file', ids[n]!), ridOf(db, 'tag', TAG[name as Name])]
          db.run(
            'INSERT INTO file_tags (file_rid, tag_rid, by_hand) VALUES (?, ?, ?)',
            ...rids,
            byHand,
          )
        }
      }
      return ids
    },

    /** The tags of a file, each with whether it is there by hand. */
    tagsOf(file: string): Record<string, number> {
      const { db } = world.library.deps
      const rows = db.all<{ name: string; by_hand: number }>(
        'SELECT name, by_hand FROM file_tags JOIN tags ON rid = tag_rid WHERE file_rid = ?',
        ridOf(db, 'file', file),
      )
      return Object.fromEntries(rows.map((row) => [row.name, row.by_hand]))
    },

    /** All rules as `when then`, each with whether it is active. */
    rules(): Record<string, number> {
      const rows = world.library.deps.db.all<{ rule: string; is_active: number }>(
        `SELECT w.name || ' ' || t.name AS rule, is_active FROM tag_rules
         JOIN tags w ON w.rid = when_tag_rid JOIN tags t ON t.rid = then_tag_rid ORDER BY rule`,
      )
      return Object.fromEntries(rows.map((row) => [row.rule, row.is_active]))
    },

    addRule(when: Name, then: Name, isActive = true): void {
      const { db } = world.library.deps
      insertRule(db, TAG[when], TAG[then])
      const rids = [ridOf(db, 'tag', TAG[when]), ridOf(db, 'tag', TAG[then])]
      const update =
        'UPDATE tag_rules SET is_active = ? WHERE when_tag_rid = ? AND then_tag_rid = ?'
      db.run(update, Number(isActive), ...rids)
    },

    /** Asserts that the counters of files and tags say what is so. */
    assertCounted(): void {
      const wrong = world.library.deps.db.all(
        `SELECT id FROM files f WHERE tag_count <>
           (SELECT count(*) FROM file_tags WHERE file_rid = f.rid)
         UNION ALL SELECT id FROM tags t WHERE file_count <>
           (SELECT count(*) FROM file_tags WHERE tag_rid = t.rid)`,
      )
      assert.deepEqual(wrong, [])
    },
  })
}
