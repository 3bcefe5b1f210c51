import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import type { File } from '../../../src/files/schema.ts'
import {
  fileSeed,
  idAt,
  insertFiles,
  ORDERS,
  randomNumbers,
  SORTS,
} from '../../support/file-rows.ts'
import { filters, matches, type Node, print } from '../../support/filter-trees.ts'
import { fc } from '../../support/property.ts'
import { openViewers, type Viewers } from '../../support/viewers.ts'

let viewers: Viewers
let db: Db

const TAGS = 30
const FILES = 300
const tagId = (rid: number) => idAt(1.6e12, rid)
const NAMES = ['IMG_1.jpg', 'IMG_22.JPG', 'Sunset.png', 'zz top.mp4', null]

/** Everybody's tags; Ann sees about half of them and of the files: her own, public ones, by the ACL. */
function fill(db: Db, ann: number) {
  const random = randomNumbers(11)
  for (let rid = 1; rid <= TAGS; rid++) {
    const rights = (rid + 2) % 6
    db.run(
      'INSERT INTO tags (rid, id, name, name_key, creator_id, is_public) VALUES (?, ?, ?, ?, ?, ?)',
      rid,
      Buffer.from(tagId(rid).replaceAll('-', ''), 'hex'),
      `tag ${rid}`,
      `tag ${rid}`,
      rights === 0 ? ann : 1,
      Number(rights === 1),
    )
    if (rights === 2)
      db.run(
        "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, 'tag', ?, 1, 0)",
        ann,
        rid,
      )
  }
  // The first tag is on nearly every file, the later ones on ever fewer, the last on none.
  const carried = (tag: number) => tag < TAGS && random(100) < 100 / tag ** 1.1
  const seeds = Array.from({ length: FILES }, (_, index) => {
    const rights = random(6)
    return fileSeed(idAt(1.7e12 + index, index), {
      name: NAMES[random(NAMES.length)]!,
      time: random(50) * 1000,
      type: ['image/jpeg', 'image/png', 'video/mp4'][random(3)]!,
      owner: rights === 0 ? ann : 1,
      isPublic: rights === 1,
      viewers: rights === 2 ? [ann] : [],
      tags:
        random(8) === 0 ? [] : Array.from({ length: TAGS }, (_, tag) => tag + 1).filter(carried),
    })
  })
  insertFiles(db, seeds)
  db.run('UPDATE files SET needs_review = 0 WHERE rid % 3 <> 0')
}

/** A tag, beside so many pairs that the filter has more leaves than are asked of each file. */
const amongMany = (tag: number): Node => ({
  kind: 'or',
  items: [
    { kind: 'tag', id: tagId(tag) },
    ...Array.from({ length: 10 }, (_, i): Node => {
      // The last tag is on no file.
      return { kind: 'and', items: [i + 1, TAGS].map((rid) => ({ kind: 'tag', id: tagId(rid) })) }
    }),
  ],
})

const ids = (files: File[]) => files.map((file) => file.id)

describe('the filter of a list of files', () => {
  before(async () => {
    viewers = await openViewers()
    db = viewers.library.deps.db
    const ann = await viewers.library.join('Ann')
    viewers.tokens.ann = ann.token
    fill(db, ann.id)
  })
  after(() => viewers.library.close())

  it('finds what a plain look at each file finds, for an admin and for who sees half', async () => {
    const plain = new Map<string, File[]>()
    for (const viewer of ['root', 'ann']) {
      for (const sort of SORTS) {
        for (const order of ORDERS) {
          plain.set(`${viewer} ${sort} ${order}`, await viewers.everything(viewer, sort, order))
        }
      }
    }
    const [all, half] = [plain.get('root created desc')!, plain.get('ann created desc')!]
    assert.equal(all.length, FILES)
    assert.ok(half.length > FILES / 3 && half.length < (FILES * 2) / 3, `${half.length}`)
    const query = fc.record({
      sort: fc.constantFrom(...SORTS),
      order: fc.constantFrom(...ORDERS),
      direction: fc.constantFrom('forward', 'backward'),
      limit: fc.constantFrom(40, 200),
      search: fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        { weight: 2, arbitrary: fc.constantFrom('img', 'Z', 'sunset.', 'none', '_2') },
      ),
    })
    const tree = filters([...Array(TAGS).keys(), 9999].map((index) => tagId(index + 1)))
    const spaces = fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 1, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(tree, query, spaces, async (tree, query, spaces) => {
        const filter = print(tree, spaces)
        for (const viewer of ['root', 'ann']) {
          const expected = plain
            .get(`${viewer} ${query.sort} ${query.order}`)!
            .filter((file) => matches(tree, file))
            .filter((file) =>
              (file.original_name ?? '').toLowerCase().includes(query.search.toLowerCase()),
            )
          const found = await viewers.walk(viewer, { ...query, filter })
          assert.deepEqual(ids(found), ids(expected), `${viewer}: ${filter}`)
        }
      }),
      { numRuns: 120 },
    )
  })

  it('is never answered from what tags were before', async () => {
    const second = openDatabase(join(viewers.library.folder, 'tagstead.sqlite'))
    const put = (connection: Db, file: number, tag: number) =>
      connection.run(
        'INSERT OR IGNORE INTO file_tags (file_rid, tag_rid) SELECT rid, ? FROM files WHERE rid = ?',
        tag,
        file,
      )
    const drop = (connection: Db, file: number, tag: number) =>
      connection.run('DELETE FROM file_tags WHERE file_rid = ? AND tag_rid = ?', file, tag)
    const undone = (change: () => void) =>
      assert.throws(() =>
        write(db, { now: 0 }, () => {
          change()
          throw new Error('undone')
        }),
      )
    const pathOf = (file: number, tag: number) =>
      `/files/${idAt(1.7e12 + file - 1, file - 1)}/tags/${tagId(tag)}`
    const changes = {
      'put by a request': (file: number, tag: number) =>
        viewers.library.call('PUT', pathOf(file, tag), { token: viewers.tokens.root! }),
      'dropped by a request': (file: number, tag: number) =>
        viewers.library.call('DELETE', pathOf(file, tag), { token: viewers.tokens.root! }),
      'put by another connection': (file: number, tag: number) => put(second, file, tag),
      'dropped by another connection': (file: number, tag: number) => drop(second, file, tag),
      'put and undone': (file: number, tag: number) => undone(() => put(db, file, tag)),
      'dropped and undone': (file: number, tag: number) => undone(() => drop(db, file, tag)),
      'file deleted': (file: number) => second.run('DELETE FROM files WHERE rid = ?', file),
    }
    const change = fc.tuple(
      fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
      fc.integer({ min: 1, max: FILES }),
      fc.integer({ min: 2, max: 13 }),
    )
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (sequence) => {
          for (const [what, file, tag] of sequence) {
            const wide = amongMany(tag)
            await viewers.list('root', { filter: print(wide) })
            await changes[what](file, tag)
            const found = await viewers.walk('root', { filter: print(wide), limit: 200 })
            const now = await viewers.everything('root')
            assert.deepEqual(ids(found), ids(now.filter((one) => matches(wide, one))), what)
          }
        }),
        { numRuns: 10, endOnFailure: true },
      )
    } finally {
      second.close()
    }
  })

  it('follows the rights to tags at once', async () => {
    const filter = `{t=${tagId(3)}}`
    const untagged = '{t=00000000-0000-0000-0000-000000000000}'
    const carries = (file: File) => file.tags.some((tag) => tag.id === tagId(3))
    assert.deepEqual(await viewers.walk('ann', { filter }), [])
    const before = await viewers.walk('ann', { filter: untagged })
    db.run('UPDATE tags SET is_public = 1 WHERE rid = 3')
    const seen = await viewers.everything('ann')
    assert.ok(seen.some(carries))
    assert.deepEqual(await viewers.walk('ann', { filter }), seen.filter(carries))
    const bare = seen.filter((file) => file.tags.length === 0)
    assert.deepEqual(await viewers.walk('ann', { filter: untagged }), bare)
    assert.ok(bare.length < before.length)
    db.run('UPDATE tags SET is_public = 0 WHERE rid = 3')
    assert.deepEqual(await viewers.walk('ann', { filter }), [])
    assert.deepEqual(await viewers.walk('ann', { filter: untagged }), before)
  })

  it('is refused with the place of its mistake, and one token or level too many is one', async () => {
    const refused = async (filter: string) => {
      const { status, body } = await viewers.list('ann', { filter })
      return [status, body.code, body.details]
    }
    const at = (message: string) => [400, 'validation_error', [{ field: 'filter', message }]]
    assert.deepEqual(
      await refused('{r=1,&,beach}'),
      at('token 3 ("beach", character 8): no such token'),
    )
    const chain = Array(250)
      .fill(`t=${tagId(1)}`)
      .join(',&,')
    assert.equal((await viewers.list('ann', { filter: `{!,${chain}}` })).status, 200)
    const { status, body } = await viewers.list('ann', { filter: `{!,!,${chain}}` })
    assert.equal(status, 400)
    assert.match(body.details[0]!.message, /^token 501 .* more than 500 tokens$/)
    const nested = (levels: number) => `{${'(,'.repeat(levels)}r=1${',)'.repeat(levels)}}`
    assert.equal((await viewers.list('ann', { filter: nested(64) })).status, 200)
    assert.deepEqual(
      await refused(nested(65)),
      at('token 65 ("(", character 130): more than 64 levels of parentheses'),
    )
  })
})
