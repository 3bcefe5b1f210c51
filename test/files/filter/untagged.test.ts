import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { filesOf } from '../../../src/files/file-set.ts'
import { untaggedFiles } from '../../../src/files/filter/untagged.ts'
import type { User } from '../../../src/user.ts'
import { fileSeed, idAt, insertFiles } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { insertTag, ridOf } from '../../support/object-rows.ts'

/** Their row numbers begin with 1. */
const FILES = 6000
const NAMES = ['frequent', 'rare', 'third', 'fourth', 'public'] as const
type Name = (typeof NAMES)[number]

/** Which tags a file has: some have none, some only the rare one or the frequent one, some both. */
const CARRIES: Record<Name, (rid: number) => boolean> = {
  frequent: (rid) => rid % 10 !== 0,
  rare: (rid) => rid % 100 < 15,
  // With these two, some have more tags than an index tells.
  third: (rid) => rid % 100 < 10,
  fourth: (rid) => rid % 100 < 7,
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
  const owners = {
    frequent: ann.id,
    rare: root.id,
    third: root.id,
    fourth: root.id,
    public: root.id,
  }
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
    ['root', 'those without any, for an admin', [...NAMES]],
    ['ann', 'those with a tag that few carry, too', ['frequent', 'public']],
    ['bob', 'those with tags that most carry, too', ['public']],
  ]
  for (const [name, what, sees] of rows) {
    it(`are ${what}`, async () => {
      const found = filesOf(await untaggedFiles(library.deps.db, viewers[name]))
      assert.deepEqual(found, without(...sees))
    })
  }
})
