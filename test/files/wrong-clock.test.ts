import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY, isoTime, MINUTE } from '../../src/base/time.ts'
import { tellFuture } from '../../src/commands/serve.ts'
import { pages } from '../support/file-rows.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'

const AHEAD = Date.UTC(2040, 0, 1)
const BEHIND = Date.UTC(2016, 0, 1)
const HOUR = 60 * MINUTE

interface Made {
  id: string
  created_at: string
}

describe('a clock that was wrong for a while', () => {
  let library: Library
  let root: { id: number; token: string }
  let start: number
  /** In the order in which they were uploaded. */
  const made: Made[] = []

  async function upload(now: number): Promise<Made> {
    library.time.now = now
    // A token of another time is none.
    root = await library.join(`Root ${made.length}`, { is_admin: true })
    const body = form(await picture(made.length), `${made.length}.png`)
    const answer = await library.call('POST', '/files', { token: root.token, body })
    assert.equal(answer.status, 201, answer.text)
    made.push(answer.body)
    return answer.body
  }

  before(async () => {
    library = await openLibrary()
    start = library.time.now
    const times = [start, AHEAD, AHEAD + 1, start + HOUR, start + 2 * HOUR, BEHIND, start + DAY]
    for (const now of times) assert.equal((await upload(now)).created_at, isoTime(now))
  })
  after(() => library.close())

  const ids = (files: Made[]) => files.map((file) => file.id)
  const get = (query: Record<string, string | number>, path = '/files') =>
    pages(library, root.token, path)(query)

  /** Returns the ids of all pages of a list, by its cursors. */
  async function walk(query: Record<string, string | number>, path = '/files'): Promise<string[]> {
    const found: string[] = []
    for (let page = await get({ ...query, limit: 2 }, path); ; ) {
      found.push(...page.items.map((file) => file.id))
      if (page.next_cursor === null) return found
      page = await get({ ...query, cursor: page.next_cursor, limit: 2 }, path)
    }
  }

  it('still lets each id of the same minute be greater than the one before', async () => {
    const one = await upload(start + DAY)
    const other = await upload(start + DAY - 59_000)
    assert.ok(other.id > one.id)
    assert.ok(Date.parse(other.created_at) <= start + DAY + 1)
  })

  it('leaves the order of creation, with its cursors, anchors and files of a tag, as it was', async () => {
    const { token } = root
    const tag = (await library.call('POST', '/tags', { token, body: { name: 'tag' } })).body
    const body = { file_ids: ids(made), tag_ids: [tag.id], action: 'add' }
    await library.call('POST', '/files/bulk/tags', { token, body })
    const pool = (await library.call('POST', '/pools', { token, body: { name: 'pool' } })).body
    await library.call('POST', `/pools/${pool.id}/files`, { token, body: { file_ids: ids(made) } })
    const sorted = { sort_key: 'created', sort_order: 'asc' }
    await library.call('PATCH', `/pools/${pool.id}`, { token, body: sorted })

    assert.deepEqual(await walk({ sort: 'created', order: 'asc' }), ids(made))
    assert.deepEqual(await walk({ sort: 'created', order: 'desc' }), ids(made).reverse())
    assert.deepEqual(await walk({}, `/tags/${tag.id}/files`), ids(made).reverse())
    assert.deepEqual(await walk({}, `/pools/${pool.id}/files`), ids(made))
    for (const [at, { id }] of made.entries()) {
      const page = await get({ sort: 'created', order: 'asc', anchor: id, limit: 2 })
      assert.deepEqual(ids(page.items), ids(made).slice(at, at + 2))
    }
  })

  it('has the files of a range by their own times, also where others stand between them', async () => {
    const range = { from: isoTime(start), to: isoTime(start + 2 * DAY), sort: 'created' }
    const expected = ids(
      made.filter(({ created_at }) => created_at >= range.from && created_at < range.to),
    )
    assert.equal(expected.length, made.length - 3)
    assert.deepEqual(await walk({ ...range, order: 'asc' }), expected)
    assert.deepEqual(await walk({ ...range, order: 'desc' }), expected.toReversed())
    const query = new URLSearchParams({ ...range, order: 'asc' })
    const { body } = await library.call('GET', `/files/ids?${query}`, { token: root.token })
    assert.deepEqual([body.ids, body.total], [expected, expected.length])
  })

  it('has a bucket of the timeline for each run of a month, where its files are', async () => {
    const { token } = root
    const timeline = '/files/timeline?sort=created&order=asc'
    const { buckets, total } = (await library.call('GET', timeline, { token })).body
    assert.deepEqual(
      buckets.map(({ key, part, count }: Record<string, unknown>) => [key, part, count]),
      [
        ['2026-01', 0, 1],
        ['2040-01', 0, 2],
        ['2026-01', 1, 2],
        ['2016-01', 0, 1],
        ['2026-01', 2, 3],
      ],
    )
    assert.equal(total, made.length)
    for (const { cursor, count } of buckets) {
      const query = `limit=${count}&cursor=${cursor}`
      const cells = (await library.call('GET', `/files/cells?${query}`, { token })).body
      const at = ids(made).indexOf(cells.ids[0])
      assert.deepEqual(cells.ids, ids(made).slice(at, at + count))
    }
  })

  it('is told at a start for as long as the newest file is of a time to come', () => {
    const { db, log } = library.deps
    const told = (now: number) => {
      library.logged.length = 0
      tellFuture({ db, log, clock: () => now })
      return library.logged.map(({ level }) => level)
    }
    assert.deepEqual(told(start + DAY), [])
    assert.deepEqual(told(BEHIND), ['warn'])
  })
})
