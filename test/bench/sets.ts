import { write } from '../../src/db/write.ts'
import { listFiles } from '../../src/files/find/list.ts'
import { FileListQuery } from '../../src/files/schema.ts'
import { listCells } from '../../src/files/sets/cells.ts'
import { listFileIds } from '../../src/files/sets/ids.ts'
import type { Pools } from '../../src/files/sets/listing.ts'
import { CellsQuery, FileIdsQuery, TimelineQuery } from '../../src/files/sets/schema.ts'
import { readTimeline } from '../../src/files/sets/timeline.ts'
import type { User } from '../../src/user.ts'
import { makeLibrary } from './library.ts'
import { measure, measureOnce, printTable } from './measure.ts'

const FILES = Number(process.env.BENCH_FILES ?? 100_000)
const RUNS = { runs: 200, budget: 400 }
const TAKEN = { sort: 'content_datetime' }
/** None of these lists is of a pool. */
const pools = {} as Pools

/**
 * Prints what timelines, cells and ids take in a library with three of ten files on one day, compared
 * with a page of the list of files in the same run; BENCH_FILES sets how many files there are.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: FILES, looks: true })
  const db = library.reopen()
  try {
    const { root, ann, ben, cat } = library.users
    const page = () => listFiles(db, root, FileListQuery.parse({}))
    await measure(page, RUNS)
    const plain = await measure(page, RUNS)
    const rows: Record<string, string | number>[] = []
    const time = async (what: string, viewer: User, work: () => Promise<unknown>) => {
      const first = await measureOnce(work)
      const { p50, p99, hold } = await measure(work, RUNS)
      const who = { answer: what, who: viewer.name, first: first.ms, 'held by it': first.hold }
      rows.push({ ...who, p50, p99, hold, 'p50 ÷ a page': p50 / plain.p50 })
    }
    const timeline =
      (viewer: User, query: object = {}) =>
      () =>
        readTimeline(db, viewer, TimelineQuery.parse({ ...TAKEN, ...query }), pools)
    const cells =
      (viewer: User, query: object = {}) =>
      () =>
        listCells(db, viewer, CellsQuery.parse(query), pools)
    const ids =
      (viewer: User, query: object = {}) =>
      () =>
        listFileIds(db, viewer, FileIdsQuery.parse({ ...TAKEN, ...query }), pools)

    for (const viewer of [root, ann, ben, cat]) await time('timeline', viewer, timeline(viewer))
    const tag = { filter: `{t=${library.tags[0]!.id}}` }
    await time('timeline by a tag', ben, timeline(ben, tag))
    await time('timeline by type', ben, timeline(ben, { filter: '{m~image/%}' }))
    await time('timeline of a search', ben, timeline(ben, { search: '2017' }))
    await time('timeline from a day on', ben, timeline(ben, { from: '2010-01-01T00:00:00Z' }))
    await time('timeline after a change', ben, async () => {
      write(db, { now: 0 }, () => {
        db.run('UPDATE files SET is_public = 1 - is_public WHERE rid = ?', FILES >> 1)
      })
      await timeline(ben)()
    })

    const { buckets } = await timeline(ben)()
    const day = buckets.filter(({ key }) => key === '2019-07')
    const at = (bucket: { cursor: string }) => ({ cursor: bucket.cursor, limit: '400' })
    const middle = at(buckets[buckets.length >> 1]!)
    for (const viewer of [root, ben, cat]) await time('cells: 400', viewer, cells(viewer, middle))
    await time('cells: 400 with hashes', ben, cells(ben, { ...middle, hashes: '1' }))
    await time('cells: 400 by a tag', ben, cells(ben, { ...middle, ...tag }))
    await time(
      `a jump to the end of ${day.length} parts of a day`,
      ben,
      cells(ben, at(day.at(-1)!)),
    )
    await time('ids: 10,000', root, ids(root))
    await time('ids: 10,000', ben, ids(ben))
    await time('ids: 10,000 by a tag', ben, ids(ben, tag))
    rows.push({ answer: 'a page of 50 files', who: 'root', ...plain, 'p50 ÷ a page': 1 })
    printTable(`grids of ${FILES} files`, rows)
  } finally {
    db.close()
    library.remove()
  }
}
