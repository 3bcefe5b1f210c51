import assert from 'node:assert/strict'
import { write } from '../../../src/db/write.ts'
import {
  findHalf,
  listIdentified,
  listTaken,
} from '../../../src/files/companions/pairing-queries.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { it } from '../../support/test.ts'

/** How many files one person has, a minute apart; two of them each have an identifier. */
const FILES = 8000
/** A look into an index and a few tables for each of two files, and far less than all of any. */
const FEW_PAGES = 30
const MINUTE = 60_000

it('what may have been taken with a file is found by its identifier or its time, however many there are', {
  skip: lacksCounters,
}, async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const owner = await library.addUser('Ann')
    write(db, { now: 0 }, (tx) => {
      addManyFiles(tx, FILES, { owner })
      tx.run('UPDATE files SET content_datetime = rid / 2 * ?', MINUTE)
      tx.run("UPDATE files SET mime_type = 'video/mp4' WHERE rid % 2 = 1")
      tx.run(
        "UPDATE file_details SET exif = json_object('ContentIdentifier', 'x' || (file_rid / 2))",
      )
    })
    const own = findHalf(db, FILES / 2)!
    for (const list of [() => listIdentified(db, own), () => listTaken(db, own, 3000)]) {
      const { result, pages } = await pagesRead(db, list)
      assert.deepEqual(
        result.map(({ rid }) => rid),
        [FILES / 2 + 1],
      )
      assert.ok(pages < FEW_PAGES, `${pages} pages`)
    }
  } finally {
    await library.close()
  }
})
