import assert from 'node:assert/strict'
import { it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { setReader } from '../../../src/reader/question.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'

const [PAIRS, LIMIT] = [600, 98]

it('pages of nothing but live photos are found without a reader, whichever half comes first', async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const { id: owner, token } = await library.join('owner')
    write(db, { now: 0 }, (tx) => {
      addManyFiles(tx, 2 * PAIRS, { owner })
      // Whether the film comes first changes without a pattern.
      tx.run(
        `INSERT INTO companions SELECT rid + 1 - is_first, rid + is_first
         FROM (SELECT rid, rid * 7919 / 13 % 2 AS is_first FROM files WHERE rid % 2 = 1)`,
      )
    })
    let asked = 0
    setReader(db, {
      running: () => 0,
      async ask() {
        asked++
        return null
      },
    })
    let shown = 0
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `sort=created&order=asc&limit=${LIMIT}&pairs=1${cursor && `&cursor=${cursor}`}`
      const { body } = await library.call('GET', `/files/cells?${query}`, { token })
      shown += body.ids.length
      cursor = body.next_cursor
    }
    assert.deepEqual([shown, asked], [PAIRS, 0])
  } finally {
    await library.close()
  }
})
