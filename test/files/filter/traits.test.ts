import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { hasFile } from '../../../src/files/file-set.ts'
import { matchingFiles } from '../../../src/files/filter/sets.ts'
import { readFilter } from '../../../src/files/find/list.ts'
import { getUser } from '../../../src/users/queries.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'

let library: Library
before(async () => {
  library = await openLibrary()
})
after(() => library.close())

/** At how many moments of a reading something changes: more than it has. */
const MOMENTS = 60

describe('a filter with two traits', () => {
  it('asks both of one state, whenever a file changes from one to the other', async () => {
    const { db } = library.deps
    const { id } = await library.join('ann', { is_admin: true })
    write(db, { now: 0 }, (tx) => addManyFiles(tx, 3, { owner: id }))
    const viewer = getUser(db, id)
    const states = [
      "mime_type = 'image/png', needs_review = 1",
      "mime_type = 'image/gif', needs_review = 0",
    ]
    const change = (n: number) => db.run(`UPDATE files SET ${states[n % 2]!} WHERE rid = 2`)
    const expected: [filter: string, matches: boolean][] = [
      ['{m=image/png,|,m=image/gif}', true],
      ['{m=image/gif,|,m=image/png}', true],
      ['{r=1,|,m=image/gif}', true],
      ['{m=image/gif,&,r=1}', false],
      ['{m=image/png,&,r=0}', false],
    ]
    for (const [filter, matches] of expected) {
      const tree = readFilter(db, viewer, filter)!
      for (let moment = 0; moment < MOMENTS; moment++) {
        change(moment)
        const found = matchingFiles(db, tree, viewer)
        for (let n = 0; n < moment; n++) await null
        change(moment + 1)
        assert.equal(hasFile(await found, 2), matches, `${filter}, changed after ${moment}`)
      }
    }
  })
})
