import assert from 'node:assert/strict'
import type { Db } from '../../../src/db/client.ts'
import { fold } from '../../../src/db/text.ts'
import { write } from '../../../src/db/write.ts'
import { filesOf } from '../../../src/files/file-set.ts'
import { isNamedAtHand, namedFiles } from '../../../src/files/filter/named.ts'
import type { FileCursorPage } from '../../../src/files/schema.ts'
import { fileSeed, idAt, insertFiles, queryText, randomNumbers } from '../../support/file-rows.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
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

  it('are read once for all pages that are asked for', { skip: lacksCounters }, async () => {
    const library = await openLibrary()
    const { db } = library.deps
    const { id, token } = await library.join('root', { is_admin: true })
    // Those that are searched for lie behind all that a walk passes before it is given up.
    const [found, passed] = [300, 6000]
    let newest = ''
    const ids = write(db, { now: 0 }, (tx) => {
      const made = addManyFiles(tx, found + passed, { owner: id })
      newest = made.at(-1)!
      const named = "UPDATE files SET original_name = 'Beach', name_key = 'beach' WHERE rid <= ?"
      tx.run(named, found)
      return made.slice(0, found).reverse()
    })
    const page = async (cursor: string | null) => {
      const query = { search: 'BEACH', sort: 'content_datetime', limit: 100 }
      const asked = queryText({ ...query, ...(cursor && { cursor }) })
      const { result, pages } = await pagesRead(db, () =>
        library.call('GET', `/files?${asked}`, { token }),
      )
      const { items, next_cursor } = result.body as FileCursorPage
      return { ids: items.map((file) => file.id), next_cursor, pages }
    }
    const isKept = () => isNamedAtHand(db, 'beach')
    await library.call('GET', '/files/timeline?sort=content_datetime', { token })
    assert.ok(!isKept())
    const first = await page(null)
    assert.deepEqual(first.ids, ids.slice(0, 100))
    assert.ok(isKept())
    const second = await page(first.next_cursor)
    assert.deepEqual(second.ids, ids.slice(100, 200))
    assert.ok(second.pages < first.pages / 4, `${second.pages} pages, and ${first.pages} at first`)
    // A file that is renamed is no longer among them, and one that has the name now is.
    const rename = async (file: string, name: string) => {
      const body = { original_name: name }
      const { status } = await library.call('PATCH', `/files/${file}`, { token, body })
      assert.equal(status, 200)
    }
    await rename(ids[200]!, 'elsewhere')
    const third = await page(second.next_cursor)
    assert.deepEqual(third.ids, ids.slice(201, 300))
    await rename(newest, 'At the beach')
    assert.ok(isKept())
    const again = await page(null)
    assert.deepEqual(again.ids, [newest, ...ids.slice(0, 99)])
    assert.ok(again.pages < first.pages / 2, `${again.pages} pages, and ${first.pages} at first`)
    await library.close()
  })
})
