import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import { write } from '../../src/db/write.ts'
import { presentPage } from '../../src/files/present.ts'
import { idAt } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { insertPool, insertTag, ridOf } from '../support/object-rows.ts'
import { fc } from '../support/property.ts'

const MIB = 1024 * 1024
const LONG = 64 * 1024
/** With notes and metadata as long as a tag could once have. */
const TAGS = Array.from({ length: 30 }, (_, index) => idAt(1.6e12, index))
const FILES = 8
const POOL = idAt(1.6e12, 1000)
/** Together below 64 KiB in the library; each character takes two in JSON. */
const QUOTES = '"\\'.repeat(LONG / 2)

let library: Library
let people: { id: number; token: string }[]
let app: ReturnType<typeof createApp>
before(async () => {
  library = await openLibrary()
  people = [await library.join('root', { is_admin: true }), await library.join('ann')]
  const { db } = library.deps
  write(db, { now: 0 }, () => {
    for (const id of TAGS) insertTag(db, { id, name: `tag ${id}`, owner: 1, isPublic: true })
  })
  db.run(
    'UPDATE tags SET notes = ?, metadata = ?',
    QUOTES,
    JSON.stringify({ a: 'b'.repeat(LONG - 8) }),
  )
  // The check against the document would take longer than the answers.
  app = createApp(library.deps)
})
after(() => library.close())

/** A file by how many of the tags it has, and how many bytes its notes and metadata have each. */
interface Sized {
  tags: number
  text: number
}

/** Makes these the only files, in a pool that is public like them; returns their ids, the oldest first. */
function makeFiles(files: Sized[]): string[] {
  const { db } = library.deps
  return write(db, { now: 0 }, () => {
    db.run('DELETE FROM pools')
    db.run('DELETE FROM files')
    const tags = TAGS.map((id) => ridOf(db, 'tag', id))
    const ids = files.map((file) => {
      const [id] = addManyFiles(db, 1, { owner: 1, tags: tags.slice(0, file.tags) })
      const metadata = JSON.stringify({ a: 'é'.repeat(file.text / 2) })
      const rid = ridOf(db, 'file', id!)
      db.run(
        'UPDATE file_details SET notes = ?, metadata = ? WHERE file_rid = ?',
        QUOTES.slice(0, file.text),
        metadata,
        rid,
      )
      return id!
    })
    db.run('UPDATE files SET is_public = 1')
    insertPool(db, { id: POOL, name: 'all', owner: 1, isPublic: true, files: ids })
    return ids
  })
}

async function get(path: string, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await app.request(`/api/v1${path}`, { headers })
  const text = await response.text()
  assert.equal(response.status, 200, text.slice(0, 200))
  const body = JSON.parse(text)
  const sizes = body.items.map((item: unknown) => Buffer.byteLength(JSON.stringify(item)))
  assert.ok(Buffer.byteLength(text) < 8 * MIB || sizes.length === 1, `${sizes}`)
  return {
    ids: body.items.map((item: { id: string }) => item.id) as string[],
    next: body.next_cursor as string | null,
    prev: body.prev_cursor as string | null,
    bytes: Buffer.byteLength(text),
  }
}

/** Returns the files of all pages from one end of a list to the other, and how many pages there were. */
async function walk(path: string, token: string, direction: 'forward' | 'backward') {
  const ids: string[] = []
  let cursor: string | null = null
  for (let pages = 1; ; pages++) {
    const from = cursor === null ? '' : `&cursor=${cursor}`
    const turn = direction === 'backward' ? '&direction=backward' : ''
    const page = await get(`${path}?limit=200${turn}${from}`, token)
    assert.ok(page.ids.length > 0)
    if (direction === 'forward') ids.push(...page.ids)
    else ids.unshift(...page.ids)
    cursor = direction === 'forward' ? page.next : page.prev
    if (cursor === null) return { ids, pages }
  }
}

describe('a page of large files', () => {
  it('ends before it passes 8 MiB, and the pages are the whole list, either way', async () => {
    const file = fc.record({
      tags: fc.integer({ min: 0, max: TAGS.length }),
      text: fc.integer({ min: 0, max: LONG / 2 - 8 }).map((half) => half * 2),
    })
    const files = fc.array(file, { minLength: 1, maxLength: FILES })
    const path = fc.constantFrom('/files', `/tags/${TAGS[0]}/files`, `/pools/${POOL}/files`)
    await fc.assert(
      fc.asyncProperty(files, path, fc.nat(1), async (files, path, person) => {
        const ids = makeFiles(files)
        const { token } = people[person]!
        const isPool = path.startsWith('/pools')
        const listed = path.startsWith('/tags')
          ? ids.filter((_, index) => files[index]!.tags > 0)
          : ids
        if (listed.length === 0) return
        const expected = isPool ? listed : listed.toReversed()
        assert.deepEqual((await walk(path, token, 'forward')).ids, expected)
        if (!isPool) assert.deepEqual((await walk(path, token, 'backward')).ids, expected)
      }),
      { numRuns: 8 },
    )
  })

  it('has one file when that alone is larger, and always the anchor', async () => {
    // A tag has 192 KiB of JSON, so each file has more than 5 MiB.
    const ids = makeFiles(Array.from({ length: 4 }, () => ({ tags: 30, text: 0 }))).toReversed()
    for (const { token } of people) {
      assert.deepEqual(await walk('/files', token, 'forward'), { ids, pages: 4 })
      assert.deepEqual(await walk('/files', token, 'backward'), { ids, pages: 4 })
      for (const direction of ['forward', 'backward']) {
        const page = await get(`/files?direction=${direction}&anchor=${ids[1]}`, token)
        assert.deepEqual(page.ids, [ids[1]])
        assert.ok(page.prev !== null && page.next !== null && page.bytes > 5 * MIB)
        const before = await get(`/files?direction=backward&cursor=${page.prev}`, token)
        assert.deepEqual([before.ids, before.prev], [[ids[0]], null])
        const behind = await get(`/files?cursor=${page.next}`, token)
        assert.deepEqual(behind.ids, [ids[2]])
      }
    }
  })

  it('leaves the last ones of similar files out', async () => {
    const ids = makeFiles(Array.from({ length: 4 }, () => ({ tags: 12, text: 0 })))
    library.deps.db.run('UPDATE files SET phash = 5')
    const headers = { Authorization: `Bearer ${people[1]!.token}` }
    const response = await app.request(`/api/v1/files/${ids[0]}/similar`, { headers })
    const text = await response.text()
    assert.ok(Buffer.byteLength(text) < 8 * MIB)
    const found = JSON.parse(text).items.map((item: { file: { id: string } }) => item.file.id)
    assert.deepEqual(found, ids.slice(1))
    const [one] = makeFiles(Array.from({ length: 4 }, () => ({ tags: 30, text: 0 })))
    library.deps.db.run('UPDATE files SET phash = 5')
    const larger = await app.request(`/api/v1/files/${one}/similar`, { headers })
    assert.equal(JSON.parse(await larger.text()).items.length, 1)
  })
})

describe('what is known of the size of a file', () => {
  it('is never less than its JSON has', () => {
    const { db } = library.deps
    const ids = makeFiles([{ tags: 3, text: 100 }])
    const rid = ridOf(db, 'file', ids[0]!)
    db.run('UPDATE files SET original_name = ? WHERE rid = ?', '😀'.repeat(255), rid)
    const user = { id: 1, name: 'root', is_admin: true, can_create: true }
    const [text] = presentPage(db, user, [rid]).files
    const bytes = Buffer.byteLength(text!)
    // A second file fits only if both do.
    const both = (room: number) => presentPage(db, user, [rid, rid], { room }).taken
    assert.equal(both(bytes * 2), 1)
    assert.equal(both(bytes * 4 + 20_000), 2)
  })
})
