import assert from 'node:assert/strict'
import { join } from 'node:path'
import { write } from '../../../src/db/write.ts'
import { type Costs, costsOf } from '../../../src/files/find/costs.ts'
import { setReader } from '../../../src/reader/question.ts'
import { createReaders } from '../../../src/reader/reader.ts'
import { ORDERS, queryText, randomNumbers, SORTS } from '../file-rows.ts'
import { type Node, print } from '../filter-trees.ts'
import { ridOf } from '../object-rows.ts'
import { answer, type Question } from './answers.ts'
import { CELLS, type OracleLibrary, openOracleLibrary } from './library.ts'

type Random = (n: number) => number

const TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'image/tiff', 'image/webp']
const PATTERNS = ['image/%', 'video/%', '%p%g', '%']
const SEARCHES = ['img_2017', 'dsc', 'SUNSET', '201', 'ä', '湖', 'q', '_20', 'img_20159']
/** Of leaves in a filter: most have few, some more than a statement asks of one file. */
const SIZES = [1, 1, 1, 2, 2, 2, 3, 4, 6, 12, 40]
const PAGES = 4
const NONE = '00000000-0000-0000-0000-000000000000'

/** A page of a list, as every route that has one tells it. */
interface Page {
  ids: string[]
  next_cursor: string | null
  prev_cursor: string | null
  total?: number
}

/**
 * Asks so many random questions of a library of 3,000 files, walks through some pages of each answer to and fro, and
 * compares them with what plain SQL answers. Throws an AssertionError that names the question. The same seed asks
 * the same. What is found far away is found here, or by readers, as a server has them.
 */
export async function askOracle(
  seed: number,
  questions: number,
  { withReaders = false } = {},
): Promise<void> {
  const random = randomNumbers(seed)
  const oracle = await openOracleLibrary(random)
  const { db, log, config } = oracle.library.deps
  const path = join(config.dataDir, 'tagstead.sqlite')
  const readers = withReaders ? createReaders({ db, path, cacheSize: 2 ** 24, log }) : null
  if (readers) setReader(db, readers)
  try {
    for (let n = 0; n < questions; n++) {
      if (n % 10 === 0) Object.assign(costsOf(oracle.library.deps.db), randomCosts(random))
      if (n % 25 === 0) change(oracle, random)
      await ask(oracle, randomQuestion(oracle, random), random)
    }
  } finally {
    await readers?.close()
    await oracle.library.close()
  }
}

/** Costs and bounds by which now this plan is chosen, now that, whatever is asked. */
function randomCosts(random: Random): Partial<Costs> {
  const cost = () => 10 ** (random(40) / 10 - 2)
  return {
    walked: cost(),
    streamed: cost(),
    sorted: cost(),
    right: cost(),
    leaf: cost(),
    pool: cost(),
    row: cost(),
    tree: cost(),
    most: [6000, 6000, 200, 0][random(4)]!,
    mostWalked: [16_000, 500, 50][random(3)]!,
    mostStreamed: [4000, 400, 40][random(3)]!,
    mostSorted: [2500, 2500, 300, 0][random(4)]!,
    shareSorted: [0, 0, 0.2, 1][random(4)]!,
    first: [500, 60, 0, 0][random(4)]!,
  }
}

/** Changes something of a file, so that what is kept of all files has to follow. */
function change({ library: { deps }, files, tags, people }: OracleLibrary, random: Random): void {
  const file = ridOf(deps.db, 'file', files[random(files.length)]!)
  const tag = ridOf(deps.db, 'tag', tags[random(tags.length)]!)
  const person = people[random(people.length)]!.id
  const [sql, ...params] = (
    [
      ['UPDATE files SET is_public = 1 - is_public WHERE rid = ?', file],
      ['UPDATE files SET is_deleted = 1 - is_deleted WHERE rid = ?', file],
      ['UPDATE files SET needs_review = 1 - needs_review WHERE rid = ?', file],
      ['INSERT OR IGNORE INTO file_tags (file_rid, tag_rid) VALUES (?, ?)', file, tag],
      ['DELETE FROM file_tags WHERE file_rid = ?', file],
      ['INSERT OR IGNORE INTO favourites VALUES (?, ?, 0)', person, file],
      ['DELETE FROM favourites WHERE file_rid = ?', file],
      ['UPDATE tags SET is_public = 1 - is_public WHERE rid = ?', tag],
    ] as const
  )[random(8)]!
  write(deps.db, { now: 0 }, (tx) => {
    tx.run(sql, ...params)
  })
}

function randomQuestion(oracle: OracleLibrary, random: Random): Question {
  const { people, pools } = oracle
  const one = <Value>(values: Value[]) => values[random(values.length)]!
  const maybe = <Value>(times: number, value: () => Value) => (random(times) === 0 ? value() : null)
  const month = () => new Date(Date.UTC(2020, random(5), 1 + random(28))).toISOString()
  const pool = maybe(5, () => one(pools.slice(0, 3)))
  return {
    who: one(people),
    sort: one(SORTS),
    order: one(ORDERS),
    trash: random(8) === 0,
    tree: random(6) === 0 ? null : randomTree(oracle, one(SIZES), random),
    search: maybe(5, () => one(SEARCHES)) ?? '',
    from: maybe(8, month),
    to: maybe(8, month),
    pool,
    isSorted: pool === null || random(2) === 0,
  }
}

function randomTree(oracle: OracleLibrary, leaves: number, random: Random): Node {
  const { tags } = oracle
  if (random(5) === 0) return { kind: 'not', item: randomTree(oracle, leaves, random) }
  if (leaves > 1) {
    const left = 1 + random(leaves - 1)
    const items = [left, leaves - left].map((part) => randomTree(oracle, part, random))
    return { kind: random(2) === 0 ? 'and' : 'or', items }
  }
  if (random(3) === 0) return { kind: 'fact', token: randomFact(oracle, random) }
  const kind = random(12)
  if (kind === 0) return { kind: 'untagged' }
  if (kind === 1) return { kind: 'mime', text: TYPES[random(TYPES.length)]! }
  if (kind === 2) return { kind: 'like', text: PATTERNS[random(PATTERNS.length)]! }
  if (kind === 3) return { kind: 'review', needed: random(2) === 0 }
  if (kind === 4) return { kind: 'favourite', wanted: random(2) === 0 }
  return { kind: 'tag', id: tags[random(tags.length)]! }
}

function randomFact({ pools, categories, people }: OracleLibrary, random: Random): string {
  const one = <Value>(values: readonly Value[]) => values[random(values.length)]!
  const two = (least: number, many: number) => String(least + random(many)).padStart(2, '0')
  // The library begins in December 2019 by some clocks.
  const day = () =>
    one([
      '2019',
      '2020',
      `2020-${two(1, 4)}`,
      `2020-${two(1, 4)}-${two(1, 28)}`,
      '2020-02-29',
      '1969',
      '1969-12',
      '1970',
    ])
  return one([
    () => `d${one(['=', '<', '<=', '>', '>='])}${day()}`,
    () => `d~${two(1, 12)}${random(2) === 0 ? '' : `-${two(1, 28)}`}`,
    () => `c=${one([...categories, NONE, pools[3]!])}`,
    () => `p=${one([...pools, NONE, categories[0]!])}`,
    () => `u=${one([...people.map(({ id }) => id), 99])}`,
    () => `s=${one(['given', 'exif', 'name'])}`,
    () => `b${one(['<', '>'])}${random(6000)}`,
    () => `w${one(['<', '>'])}${12_000 + random(5000)}`,
    () => `e${one(['<', '>'])}${random(25)}.5`,
    () => `x=${one(['damaged', 'animated', 'raw', 'portrait', 'landscape'])}`,
    () => `n~${one(['%ärger%', '%LAUGHED%', '% of it_', '_δοσ', 'we', '%', '%(%'])}`,
    () => `g=${random(2)}`,
    () => `g~${one(CELLS).slice(0, 1 + random(8))}`,
    () =>
      `l=${one(['FR', 'GB', 'FR.93', 'FR.9_', 'FR.93.Nice', 'FR.93.N_me_', 'FR.__.Nice', 'DE.01.St.__eter', 'GB..Nice', 'GB.', 'US'])}`,
    () => `k~${one(['%canon%', 'Canon_EOS_5D', 'NIKON%', '%', '%_5_', 'Leica', '%D'])}`,
  ])()
}

async function ask(oracle: OracleLibrary, question: Question, random: Random): Promise<void> {
  const { library } = oracle
  const { who, sort, order, trash, tree, search, from, to, pool, isSorted } = question
  const path = pool === null && random(2) === 0 ? '/files' : '/files/cells'
  const expected = answer(oracle, question, path === '/files/cells')
  const list = {
    ...(isSorted && { sort, order }),
    ...(tree && { filter: print(tree) }),
    ...(search !== '' && { search }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(pool !== null && { pool }),
    trash: String(trash),
  }
  const said = (more: object) => JSON.stringify({ who: who.name, ...list, ...more })
  const read = async (path: string, query: Record<string, string | number>): Promise<Page> => {
    const { status, text, body } = await library.call('GET', `${path}?${queryText(query)}`, {
      token: who.token,
    })
    assert.equal(status, 200, `${said(query)}: ${text}`)
    return { ...body, ids: body.ids ?? body.items.map(({ id }: { id: string }) => id) }
  }

  const limit = [1, 7, 50, 200][random(4)]!
  const isAnchored = expected.length > 0 && random(3) === 0
  const isBackward = random(3) === 0
  let at = isBackward ? expected.length : 0
  if (isAnchored) at = random(expected.length) + (isBackward ? 1 : 0)
  let where: Record<string, string> = { direction: isBackward ? 'backward' : 'forward' }
  if (isAnchored) where.anchor = expected[isBackward ? at - 1 : at]!
  for (let n = 0; n < PAGES; n++) {
    const forward = where.direction === 'forward'
    const [start, end] = forward ? [at, at + limit] : [Math.max(0, at - limit), at]
    const page = await read(path, { ...list, ...where, limit })
    const shown = {
      ids: page.ids,
      prev: page.prev_cursor !== null,
      next: page.next_cursor !== null,
    }
    const ids = expected.slice(start, end)
    assert.deepEqual(
      shown,
      { ids, prev: start > 0, next: end < expected.length },
      said({ ...where, limit, path }),
    )
    const goesOn = random(4) === 0 ? !forward : forward
    const cursor = goesOn ? page.next_cursor : page.prev_cursor
    if (cursor === null) break
    at = goesOn ? Math.min(end, expected.length) : start
    where = { direction: goesOn ? 'forward' : 'backward', cursor }
  }
  if (random(4) === 0) {
    const { ids, total } = await read('/files/ids', { ...list, limit: 500 })
    const all = answer(oracle, question, true)
    const told = { ids: all.slice(0, 500), total: all.length }
    assert.deepEqual({ ids, total }, told, said({ path: '/files/ids' }))
  }
}
