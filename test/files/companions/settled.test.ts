import assert from 'node:assert/strict'
import { it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { setReader } from '../../../src/reader/question.ts'
import { QUESTIONS } from '../../../src/reader/questions.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'

/** So many films in a row that a reader is asked for what comes after them. */
const PAIRS = 149

it('a file that is hidden while a page passes many films is not shown, and leaves no gap', async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const owner = await library.addUser('owner')
    const { token } = await library.join('viewer')
    // A picture alone, the films, then their pictures.
    const files = write(db, { now: 0 }, (tx) => {
      const ids = addManyFiles(tx, 1 + 2 * PAIRS, { owner })
      tx.run('UPDATE files SET is_public = 1')
      tx.run(
        'INSERT INTO companions SELECT rid, rid + ? FROM files WHERE rid BETWEEN 2 AND ?',
        PAIRS,
        1 + PAIRS,
      )
      return ids
    })
    const page = async () => {
      const path = '/files/cells?sort=created&order=asc&limit=3&pairs=1'
      return (await library.call('GET', path, { token })).body
    }
    const pictures = files.slice(1 + PAIRS)
    assert.deepEqual((await page()).ids, [files[0], ...pictures.slice(0, 2)])

    let asked = 0
    setReader(db, {
      running: () => 0,
      async ask(_, name, given) {
        const { answer } = QUESTIONS.find((question) => question.name === name)!
        const told = answer(db, given)
        asked++
        db.run('UPDATE files SET is_public = 0 WHERE rid = 1')
        return { answer: told }
      },
    })
    const { ids, c, prev_cursor } = await page()
    assert.deepEqual(ids, pictures.slice(0, 3))
    assert.deepEqual(c, files.slice(1, 4))
    assert.equal(prev_cursor, null)
    assert.ok(asked > 0)
  } finally {
    await library.close()
  }
})
