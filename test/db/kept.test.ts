import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { budgetOf } from '../../src/db/kept.ts'
import { write } from '../../src/db/write.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertTag, ridOf } from '../support/object-rows.ts'

const FILES = 400
/** A set of files with such row numbers is larger than the smallest SETS_SIZE. */
const HIGH = 9_000_000
const TAGS = [1, 2, 3].map((n) => `0190a000-0000-7000-8000-00000000000${n}`)
const [A, B, C] = TAGS

/** What is found by sets, orders and counts, by many of them at once. */
const REQUESTS = [
  ['/files', `{t=${A},&,!,t=${B}}`, ''],
  ['/files', `{t=${A},|,t=${C},|,r=0}`, 'sort=original_name'],
  ['/files', `{!,m=image/png,&,t=${B}}`, 'sort=mime&order=asc'],
  ['/files', '{t=00000000-0000-0000-0000-000000000000}', ''],
  ['/files', '', 'search=g_1&sort=content_datetime'],
  ['/files/timeline', `{t=${A}}`, ''],
  ['/files/timeline', '', ''],
  ['/files/ids', '', 'search=g_2'],
  ['/tags/counts', `{t=${B},|,t=${C}}`, ''],
  ['/files/duplicates', '', ''],
].map(
  ([path, filter, rest]) => `${path}?${filter && `filter=${encodeURIComponent(filter)}&`}${rest}`,
)

describe('what is kept in memory within SETS_SIZE', () => {
  let small: Library
  let usual: Library
  const people = new Map<Library, string[]>()
  before(async () => {
    small = await openLibrary({ SETS_SIZE: '1MiB' })
    usual = await openLibrary()
    for (const library of [small, usual]) people.set(library, await fill(library))
  })
  after(async () => {
    await small.close()
    await usual.close()
  })

  async function fill(library: Library): Promise<string[]> {
    const { db } = library.deps
    const root = await library.join('root', { is_admin: true })
    const ann = await library.join('ann')
    write(db, { now: 0 }, () => {
      for (const id of TAGS) insertTag(db, { id, name: id, owner: ann.id, isPublic: true })
      const [a, b, c] = TAGS.map((id) => ridOf(db, 'tag', id)) as [number, number, number]
      addManyFiles(db, 1, { owner: ann.id })
      db.run('PRAGMA defer_foreign_keys = 1')
      db.run('UPDATE files SET rid = ?', HIGH)
      db.run('UPDATE file_details SET file_rid = ?', HIGH)
      for (const tags of [[a], [a, b], [b, c], []]) {
        addManyFiles(db, FILES / 4, { owner: ann.id, tags })
      }
    })
    return [root.token, ann.token]
  }

  for (const path of REQUESTS) {
    it(`changes nothing of what ${path} answers`, async () => {
      for (const [n, who] of ['root', 'ann'].entries()) {
        const answers = []
        for (const library of [usual, small]) {
          const token = people.get(library)![n]!
          for (const _ of [1, 2]) {
            const { status, body } = await library.call('GET', path, { token })
            if (body.as_of) delete body.as_of
            answers.push({ status, body })
          }
        }
        assert.equal(answers[0]!.status, 200, JSON.stringify(answers[0]!.body))
        for (const answer of answers) assert.deepEqual(answer, answers[0], who)
      }
    })
  }

  it('weighs what was read when it is read', async () => {
    const { db } = usual.deps
    const [token] = people.get(usual)!
    const before = budgetOf(db).weight()
    const { body } = await usual.call('GET', '/files/ids?search=mg_9', { token: token! })
    assert.ok(body.ids.length > 0)
    // The set has one bit for each row number up to the last.
    const grown = budgetOf(db).weight() - before
    assert.ok(grown >= HIGH / 8, `${grown}`)
  })

  it('weighs no more than that, but for what was used last', () => {
    const weight = (library: Library) => budgetOf(library.deps.db).weight()
    assert.ok(weight(small) < 2 * (HIGH / 8), `${weight(small)}`)
    assert.ok(weight(usual) > 2 ** 20 && weight(usual) <= 2 ** 26, `${weight(usual)}`)
  })
})
