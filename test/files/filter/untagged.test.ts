import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { filesOf } from '../../../src/files/file-set.ts'
import { untaggedFiles } from '../../../src/files/filter/untagged.ts'
import { hiddenTags, untaggedStretch } from '../../../src/files/filter/untagged-queries.ts'
import type { User } from '../../../src/user.ts'
import { fileSeed, idAt, insertFiles } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { insertTag, ridOf } from '../../support/object-rows.ts'

/** Files of several stretches, whose row numbers begin with 1. */
const FILES = 6000
const NAMES = ['frequent', 'rare', 'public'] as const
type Name = (typeof NAMES)[number]

/** Which tags a file has: some have none, some only the rare one or the frequent one, some both. */
const CARRIES: Record<Name, (rid: number) => boolean> = {
  frequent: (rid) => rid % 10 !== 0,
  rare: (rid) => rid % 100 < 15,
  public: (rid) => rid % 10 === 4,
}

let library: Library
let tags: Record<Name, number>
let viewers: Record<'root' | 'ann' | 'bob', User>
before(async () => {
  library = await openLibrary()
  const { db } = library.deps
  const root = await library.join('Root', { is_admin: true })
  const ann = await library.join('Ann')
  const bob = await library.join('Bob')
  const owners = { frequent: ann.id, rare: root.id, public: root.id }
  for (const [n, name] of NAMES.entries()) {
    const id = idAt(1.6e12, n)
    insertTag(db, { id, name, owner: owners[name], isPublic: name === 'public' })
  }
  tags = Object.fromEntries(
    NAMES.map((name, n) => [name, ridOf(db, 'tag', idAt(1.6e12, n))]),
  ) as typeof tags
  const seeds = Array.from({ length: FILES }, (_, n) =>
    fileSeed(idAt(1.7e12 + n, n), {
      owner: root.id,
      trashed: n % 50 === 0,
      tags: NAMES.filter((name) => CARRIES[name](n + 1)).map((name) => tags[name]),
    }),
  )
  insertFiles(db, seeds)
  const user = (id: number, is_admin: boolean) => ({ id, name: '', is_admin, can_create: true })
  viewers = { root: user(root.id, true), ann: user(ann.id, false), bob: user(bob.id, false) }
})
after(() => library.close())

/** Returns the row numbers of the files that carry none of some tags. */
const without = (...names: Name[]) =>
  Array.from({ length: FILES }, (_, n) => n + 1).filter((rid) =>
    names.every((name) => !CARRIES[name](rid)),
  )

describe('the files without a tag that a viewer sees, trashed ones too,', () => {
  const rows: [viewer: 'root' | 'ann' | 'bob', what: string, sees: Name[]][] = [
    ['root', 'those without any, for an admin', ['frequent', 'rare', 'public']],
    ['ann', 'those with a tag that few carry, too', ['frequent', 'public']],
    ['bob', 'those with tags that most carry, too', ['public']],
  ]
  for (const [name, what, sees] of rows) {
    it(`are ${what}`, async () => {
      const found = filesOf(await untaggedFiles(library.deps.db, viewers[name]))
      assert.deepEqual(found, without(...sees))
    })
  }

  it('are read stretch by stretch, each as it is then', () => {
    const { db } = library.deps
    const viewer = viewers.ann
    const hidden = hiddenTags(db, viewer)
    const ends: (number | null)[] = []
    const found: number[] = []
    const [bare, concealed] = [5990, 5910]
    for (let after: number | null = 0; after !== null; ) {
      const { rids, end } = untaggedStretch(db, viewer, { hidden, after })
      if (after === 0) {
        // Neither has a tag that Ann sees at any time; the one gets a hidden tag, the other loses it.
        write(db, { now: 0 }, (tx) => {
          tx.run('INSERT INTO file_tags (file_rid, tag_rid) VALUES (?, ?)', bare, tags.rare)
          tx.run('DELETE FROM file_tags WHERE file_rid = ?', concealed)
        })
      }
      found.push(...rids)
      ends.push(end)
      after = end
    }
    assert.deepEqual(ends, [2500, 5000, null])
    const expected = without('frequent', 'public')
    assert.deepEqual(
      found.toSorted((a, b) => a - b),
      expected,
    )
    assert.ok(expected.includes(bare) && expected.includes(concealed))
  })
})
