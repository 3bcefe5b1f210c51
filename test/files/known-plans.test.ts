import assert from 'node:assert/strict'
import { write } from '../../src/db/write.ts'
import { findOwnCopy, findStandIn, listCopies } from '../../src/files/known/queries.ts'
import { openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { lacksCounters, pagesRead } from '../support/pages-read.ts'
import { it } from '../support/test.ts'

/** How many files there are, the first half of them with contents of their own, the others with one content. */
const FILES = 8000
/** A look into an index and a table for each of ten files, and far less than half of either. */
const FEW_PAGES = 30

it('the files of a content are found in the order of the index, however many there are', {
  skip: lacksCounters,
}, async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const owner = await library.addUser('Ann')
    write(db, { now: 0 }, (tx) => {
      addManyFiles(tx, FILES, { owner })
      tx.run(
        "UPDATE file_details SET sha256 = unhex(printf('%064x', file_rid)) WHERE file_rid <= ?",
        FILES / 2,
      )
    })
    const own = Buffer.from('5'.padStart(64, '0'), 'hex')
    const firstOf = (rid: number) => Array.from({ length: 10 }, (_, n) => rid + n)
    for (const is_admin of [true, false]) {
      const user = { id: owner, name: 'Ann', is_admin, can_create: true }
      const looks: [look: () => number[], rids: number[]][] = [
        [() => ridsOf(listCopies(db, user, own, 10)), [5]],
        [() => ridsOf(listCopies(db, user, Buffer.alloc(32), 10)), firstOf(FILES / 2 + 1)],
        [() => ridsOf([findStandIn(db, user, own)!]), [5]],
        [() => ridsOf([findStandIn(db, user, Buffer.alloc(32))!]), [FILES / 2 + 1]],
        [() => ridsOf([findOwnCopy(db, owner, Buffer.alloc(32))!]), [FILES / 2 + 1]],
        [() => ridsOf(listCopies(db, user, Buffer.alloc(32, 7), 10)), []],
      ]
      for (const [look, rids] of looks) {
        const { result, pages } = await pagesRead(db, look)
        assert.deepEqual(result, rids)
        assert.ok(pages < FEW_PAGES, `${pages} pages`)
      }
    }
  } finally {
    await library.close()
  }
})

const ridsOf = (copies: { rid: number }[]) => copies.map(({ rid }) => rid)
