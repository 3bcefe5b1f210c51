import assert from 'node:assert/strict'
import { it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { costsOf } from '../../../src/files/find/costs.ts'
import { setReader } from '../../../src/reader/question.ts'
import { QUESTIONS } from '../../../src/reader/questions.ts'
import { idAt } from '../../support/file-rows.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertPool, insertTag, putTags } from '../../support/object-rows.ts'

/** More than are asked at once. */
const FILES = 2100
const POOL = idAt(1.6e12, 1)
const TAG = idAt(1.6e12, 2)

it('a file that is hidden while it is found is not shown, and leaves no gap', async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const owner = await library.addUser('owner')
    const { token } = await library.join('viewer')
    const files = write(db, { now: 0 }, (tx) => {
      const ids = addManyFiles(tx, FILES, { owner })
      tx.run('UPDATE files SET is_public = 1, needs_review = rid <= ?', FILES - 4)
      insertPool(tx, { id: POOL, name: 'pool', owner, isPublic: true, files: ids })
      return ids.slice(-4)
    })
    Object.assign(costsOf(db), { most: 0, mostSorted: 0, first: 0 })
    const lists: [path: string, order: string[]][] = [
      ['/files?order=asc', files],
      ['/files?order=asc&sort=original_name', files],
      [`/pools/${POOL}/files?`, files],
    ]
    for (const [path, order] of lists) {
      let hidden: string | undefined = order[1]
      setReader(db, {
        running: () => 0,
        async ask(_, name, given) {
          const { answer } = QUESTIONS.find((question) => question.name === name)!
          const told = answer(db, given)
          if (hidden) db.run('UPDATE files SET is_public = 0 WHERE rid = ?', FILES - 2)
          hidden = undefined
          return { answer: told }
        },
      })
      const page = await library.call('GET', `${path}&filter={r=0}&limit=3`, { token })
      assert.equal(hidden, undefined, 'a reader was asked')
      assert.deepEqual(
        page.body.items.map(({ id }: { id: string }) => id),
        [order[0], ...order.slice(2)],
        path,
      )
      db.run('UPDATE files SET is_public = 1')
    }
  } finally {
    await library.close()
  }
})

it('what is no longer to be seen of a list while it is found is not answered', async () => {
  const library = await openLibrary()
  try {
    const { db } = library.deps
    const owner = await library.addUser('owner')
    const { id, token } = await library.join('viewer')
    write(db, { now: 0 }, (tx) => {
      const ids = addManyFiles(tx, 3, { owner })
      tx.run('UPDATE files SET is_public = 1')
      insertTag(tx, { id: TAG, name: 'tag', owner, isPublic: true })
      for (const file of ids) putTags(tx, file, [TAG])
      insertPool(tx, { id: POOL, name: 'pool', owner, isPublic: true, files: ids })
    })
    Object.assign(costsOf(db), { most: 0, mostSorted: 0, first: 0 })
    const ask = async (path: string, change: string) => {
      let isAsked = false
      setReader(db, {
        running: () => 0,
        async ask(_, name, given) {
          const { answer } = QUESTIONS.find((question) => question.name === name)!
          const told = answer(db, given)
          if (!isAsked) db.run(change)
          isAsked = true
          return { answer: told }
        },
      })
      const { status, body } = await library.call('GET', path, { token })
      assert.ok(isAsked, path)
      return { status, body }
    }
    const set = (table: string, value: number) => `UPDATE ${table} SET is_public = ${value}`

    const tagged = `filter={t=${TAG}}`
    const page = await ask(`/files?${tagged}`, set('tags', 0))
    assert.deepEqual(page.body.items, [])
    db.run(set('tags', 1))
    const months = await ask(`/files/timeline?${tagged}`, set('tags', 0))
    assert.equal(months.body.total, 0)
    db.run(set('tags', 1))
    const pooled = await ask(`/files/timeline?pool=${POOL}`, set('pools', 0))
    assert.equal(pooled.status, 403)
    db.run(`UPDATE users SET is_admin = 1 WHERE id = ${id}`)
    db.run(set('tags', 0))
    const shown = await ask('/files?filter={r=1}', 'UPDATE users SET is_admin = 0')
    for (const { tags } of shown.body.items) assert.deepEqual(tags, [])
    assert.equal(shown.body.items.length, 3)
  } finally {
    await library.close()
  }
})
