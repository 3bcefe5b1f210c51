import assert from 'node:assert/strict'
import type { Db } from '../../../src/db/client.ts'
import { fold } from '../../../src/db/text.ts'
import { filesOf } from '../../../src/files/file-set.ts'
import { namedFiles } from '../../../src/files/filter/named.ts'
import { fileSeed, idAt, insertFiles, randomNumbers } from '../../support/file-rows.ts'
import { openLibrary } from '../../support/harness.ts'
import { describe, it } from '../../support/test.ts'

const NAMES = [
  'Beach.JPG',
  '100%.jpg',
  'a_b.jpg',
  '"quoted".jpg',
  '😀.jpg',
  '日本語.jpg',
  'ΟΔΟΣ.png',
]
const ODD = ['\0', 'bea\0ch', '"""', '*', 'no such name', 'beach OR quoted', 'name_key:beach']

/** Returns the row numbers of the files whose folded names contain a text, by asking each. */
function containing(db: Db, text: string): number[] {
  return db
    .all<{ rid: number; name: string | null }>(
      'SELECT rid, original_name AS name FROM files ORDER BY rid',
    )
    .filter(({ name }) => fold(name ?? '').includes(text))
    .map(({ rid }) => rid)
}

/** Every text of one to four code points in the names, and others. */
function searches(): string[] {
  const texts = new Set(ODD)
  for (const name of NAMES) {
    const points = [...fold(name)]
    for (let from = 0; from < points.length; from++) {
      for (let to = from + 1; to <= Math.min(from + 4, points.length); to++) {
        texts.add(points.slice(from, to).join(''))
      }
    }
  }
  return [...texts]
}

describe('the kept files of a search', () => {
  it('are those whose names contain it, whatever is written in it', async () => {
    const library = await openLibrary()
    const { db } = library.deps
    await library.join('root', { is_admin: true })
    const seeds = [...NAMES, null].map((name, n) =>
      fileSeed(idAt(1.7e12, n), { name, trashed: n % 3 === 0 }),
    )
    insertFiles(db, seeds)
    for (const text of searches()) {
      const found = filesOf(await namedFiles(db, text))
      assert.deepEqual(found, containing(db, text), JSON.stringify(text))
    }
    await library.close()
  })

  it('follow what is renamed, added and deleted', async () => {
    const library = await openLibrary()
    const { db } = library.deps
    await library.join('root', { is_admin: true })
    const random = randomNumbers(3)
    const texts = ['b', 'beach', '%', '100', 'jpg', '日本']
    for (let round = 0; round < 200; round++) {
      const name = NAMES[random(NAMES.length)]!
      const { rid } = db.get<{ rid: number }>('SELECT ifnull(max(rid), 0) AS rid FROM files')!
      const one = 1 + random(Math.max(1, rid))
      if (random(3) === 0) insertFiles(db, [fileSeed(idAt(1.7e12, round), { name })])
      else if (random(4) === 0) db.run('DELETE FROM files WHERE rid = ?', one)
      else {
        const sql = 'UPDATE files SET original_name = ?, name_key = ? WHERE rid = ?'
        db.run(sql, name, fold(name), one)
      }
      const text = texts[random(texts.length)]!
      assert.deepEqual(filesOf(await namedFiles(db, text)), containing(db, text), text)
    }
    await library.close()
  })
})
