import { createLog } from '../../src/base/log.ts'
import type { User } from '../../src/base/user.ts'
import type { Db } from '../../src/db/client.ts'
import { listFiles } from '../../src/files/find/list.ts'
import { countTagsOfFiles } from '../../src/files/overview/counts.ts'
import { TagCountsQuery } from '../../src/files/overview/counts-schema.ts'
import { readFacets } from '../../src/files/overview/facets.ts'
import { listFileIds } from '../../src/files/overview/ids.ts'
import type { Pools } from '../../src/files/overview/listing.ts'
import { readMap } from '../../src/files/overview/map.ts'
import {
  FacetQuery,
  FileIdsQuery,
  MapQuery,
  TimelineQuery,
} from '../../src/files/overview/schema.ts'
import { readTimeline } from '../../src/files/overview/timeline.ts'
import type { FileSort } from '../../src/files/schema.ts'
import { setReader } from '../../src/reader/question.ts'
import { createReaders } from '../../src/reader/reader.ts'
import { commandOf, descendantsOf, residentOf } from '../support/processes.ts'
import { type Made, type MadeTag, makeLibrary, type Shape } from './library.ts'
import { measure, measureOnce, printTable } from './measure.ts'

const SIZES = (process.env.BENCH_FILES ?? '100000,1000000').split(',').map(Number)
const SORTS = ['created', 'content_datetime', 'original_name', 'mime'] as const
const PLAIN = { direction: 'forward', limit: 50, trash: false } as const

type Row = Awaited<ReturnType<typeof benchCase>>

interface Case {
  name: string
  /** Absent: by what it asks for. */
  group?: 'facts' | 'amounts'
  viewer: User
  filter?: string
  search?: string
  order?: 'asc' | 'desc'
  direction?: 'backward'
  /** Pages to go forward before the one that is measured. */
  deep?: number
}

/** Limits in milliseconds for a family's library and for a million files, beside what is measured. */
const LIMITS: Record<string, [family: string, million: string]> = {
  pages: ['p50 1, longest 11', 'p50 1, p90 15, longest 90'],
  filters: ['p50 1, longest 11', 'p50 1, p90 15, longest 90'],
  facts: ['p50 1, longest 11', 'p50 1, p90 15, longest 90'],
  names: ['p50 8, longest 30', 'p50 60, longest 160'],
  amounts: ['p50 8, longest 30', 'p50 60, longest 160'],
  overviews: ['50 (10,000 ids 105)', '300'],
  'tag counts': ['95', '650'],
  facets: ['50', '300'],
}

/**
 * Prints how long filters, searches, pages and overviews take with readers as a server has them, the first time, again,
 * and each time after something was written, and what they come to: of all cases the median, the 90th percentile and
 * the longest, and for how long nothing else could run.
 */
export async function bench(): Promise<void> {
  for (const files of SIZES)
    await benchLibrary('a library like people have', { files, looks: true }, ordinaryCases)
  const dense = { files: SIZES[0]!, frequentTags: 250, publicShare: 0 }
  await benchLibrary('250 tags on 10 to 20 % each', dense, denseCases)
}

async function benchLibrary(
  title: string,
  shape: Shape,
  casesOf: (made: Made) => Case[],
): Promise<void> {
  const library = makeLibrary(shape)
  const db = library.reopen()
  const log = createLog('error', process.stderr)
  const readers = createReaders({ db, path: library.path, cacheSize: 32 * 2 ** 20, log })
  setReader(db, readers)
  try {
    const cases = casesOf(library)
    const groups: Record<string, Row[]> = {}
    const add = (group: string, row: Row) => {
      groups[group] = [...(groups[group] ?? []), row]
    }
    for (const sort of SORTS) {
      const rows = []
      for (const one of cases) {
        const row = await benchCase(db, one, sort)
        add(one.group ?? (one.search ? 'names' : one.filter ? 'filters' : 'pages'), row)
        rows.push({ [sort]: one.name, ...row })
      }
      printTable(`${title}: ${shape.files} files by ${sort}`, rows)
    }
    const rows = []
    for (const { group, name, viewer, work } of overviewsOf(db, library)) {
      const row = await benchOne(db, viewer, work)
      add(group, row)
      rows.push({ overview: name, ...row })
    }
    printTable(`${title}: overviews of ${shape.files} files`, rows)
    const isFamily = shape.files <= 100_000
    const all = Object.entries(groups).map(([group, rows]) => ({
      ...{ group, ...summary(rows), limit: LIMITS[group]![isFamily ? 0 : 1] },
    }))
    printTable(`${title}: ${shape.files} files, p50 / p90 / longest, in ms`, all)
    process.stdout.write(
      `both readers have ${readersResident().toFixed(0)} MiB in memory; limit 200\n`,
    )
  } finally {
    await readers.close()
    db.close()
    library.remove()
  }
}

function summary(rows: Row[]) {
  const of = (column: 'first' | 'again' | 'written') => {
    const times = rows.map((row) => row[column]).sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
    return [at(0.5), at(0.9), times.at(-1) ?? 0].map((ms) => ms.toPrecision(2)).join(' / ')
  }
  const hold = Math.max(...rows.map((row) => row.hold))
  return {
    cases: rows.length,
    first: of('first'),
    again: of('again'),
    'after a write': of('written'),
    hold,
  }
}

async function benchCase(db: Db, one: Case, sort: FileSort) {
  const { viewer, filter, search, order = 'desc' } = one
  const list = (more: { cursor?: string; direction?: 'backward' } = {}) =>
    listFiles(db, viewer, { ...PLAIN, sort, order, filter, search, ...more })
  let more: { cursor?: string; direction?: 'backward' } = {}
  if (one.direction) more = { direction: one.direction }
  for (let page = 0; page < (one.deep ?? 0); page++) {
    const { next_cursor } = JSON.parse(await list(more))
    if (next_cursor === null) break
    more = { cursor: next_cursor }
  }
  return benchOne(db, viewer, () => list(more))
}

async function benchOne(db: Db, viewer: User, work: () => Promise<unknown>) {
  // A commit empties what readers and pages keep.
  const change = () => db.run('UPDATE tags SET notes = NULL WHERE rid = 1')
  change()
  const first = await measureOnce(work)
  const again = await measure(work)
  const written: number[] = []
  let hold = Math.max(first.hold, again.hold)
  for (let n = 0; n < 5; n++) {
    change()
    const once = await measureOnce(work)
    written.push(once.ms)
    hold = Math.max(hold, once.hold)
  }
  const median = written.sort((a, b) => a - b)[2]!
  return { who: viewer.name, first: first.ms, again: again.p50, written: median, hold }
}

/** Returns how many MiB the readers of this process have in memory. */
function readersResident(): number {
  const readers = descendantsOf(process.pid).filter((pid) =>
    commandOf(pid).includes('reader/reader-main'),
  )
  return readers.reduce((sum, pid) => sum + residentOf(pid), 0)
}

interface Overview {
  group: string
  name: string
  viewer: User
  work: () => Promise<unknown>
}

function overviewsOf(db: Db, { users, tags }: Made): Overview[] {
  const { root, ann, ben, cat } = users
  const nth = (rank: number) => tags[rank - 1]!
  const overviews: Overview[] = []
  const add = (group: string, name: string, viewer: User, work: Overview['work']) =>
    overviews.push({ group, name, viewer, work })
  const lists = {
    all: {},
    'tag of half the files': { filter: `{${t(nth(1))}}` },
    'not that tag': { filter: `{!,${t(nth(1))}}` },
    'tag of 5 %': { filter: `{${t(nth(10))}}` },
    'rare tag': { filter: `{${t(nth(1200))}}` },
    untagged: { filter: `{${UNTAGGED}}` },
    '40 leaves': { filter: pairs(tags.slice(10, 50)) },
    img_2017: { search: 'img_2017' },
  }
  let now = 0
  for (const viewer of [root, ann, ben, cat]) {
    for (const [name, list] of Object.entries(lists)) {
      const sort = 'content_datetime'
      add('overviews', `timeline, ${name}`, viewer, () =>
        readTimeline(db, viewer, TimelineQuery.parse({ sort, ...list }), pools),
      )
      add('overviews', `map, ${name}`, viewer, () =>
        readMap(db, viewer, MapQuery.parse({ cells: '4', ...list }), pools),
      )
      add('overviews', `10,000 ids, ${name}`, viewer, () =>
        listFileIds(db, viewer, FileIdsQuery.parse({ sort, ...list }), pools),
      )
      for (const of of FacetQuery.shape.of.options) {
        add('facets', `${of}, ${name}`, viewer, () =>
          readFacets(db, viewer, FacetQuery.parse({ of, ...list }), pools),
        )
      }
      // Counts are kept for half a minute.
      const clock = () => {
        now += 60_000
        return now
      }
      add('tag counts', name, viewer, () =>
        countTagsOfFiles(db, clock, viewer, TagCountsQuery.parse(list), pools),
      )
    }
  }
  return overviews
}

/** None of these lists is of a pool. */
const pools = {} as Pools

const NONE = '00000000-0000-0000-0000-000000000000'
const UNTAGGED = `t=${NONE}`
const t = (tag: MadeTag) => `t=${tag.id}`
const any = (tags: MadeTag[]) => `{${tags.map(t).join(',|,')}}`
const all = (tags: MadeTag[]) => `{${tags.map(t).join(',&,')}}`
/** a AND b OR c AND d OR ... */
const pairs = (tags: MadeTag[]) =>
  `{${tags.map((tag, i) => (i === 0 ? t(tag) : `${i % 2 ? '&' : '|'},${t(tag)}`)).join(',')}}`
const pairsWith = (condition: string, tags: MadeTag[]) =>
  `{${tags.map((tag) => `${condition},&,${t(tag)}`).join(',|,')}}`
const clausesWith = (condition: string, tags: MadeTag[]) =>
  `{${tags.map((tag) => `(,${condition},|,${t(tag)},)`).join(',&,')}}`
/** (a OR NOT b) AND (c OR NOT d) AND ... */
const clauses = (tags: MadeTag[]) => {
  const parts: string[] = []
  for (let i = 0; i + 1 < tags.length; i += 2)
    parts.push(`(,${t(tags[i]!)},|,!,${t(tags[i + 1]!)},)`)
  return `{${parts.join(',&,')}}`
}
/** a AND (b OR (c AND (d OR ... */
const nested = (tags: MadeTag[]) => {
  const [head, ...rest] = tags.map(t)
  const opened = rest.map((tag, i) => `${i % 2 ? '|' : '&'},(,${tag}`).join(',')
  return `{${head},${opened}${',)'.repeat(rest.length)}}`
}

function ordinaryCases({ users, tags, hidden }: Made): Case[] {
  const { root, ann, ben, cat } = users
  const nth = (rank: number) => tags[rank - 1]!
  const unused = tags.at(-1)!
  const filters: [string, string][] = [
    ['tag of half the files', `{${t(nth(1))}}`],
    ['tag of 1 %', `{${t(nth(60))}}`],
    ['rare tag', `{${t(nth(1200))}}`],
    ['two frequent', all([nth(1), nth(2)])],
    ['frequent and rare', all([nth(1), nth(1200)])],
    ['two of 1 %: few files', all([nth(50), nth(60)])],
    ['four of 1 to 5 %: no file', all([nth(11), nth(20), nth(30), nth(40)])],
    ['frequent, not another', `{${t(nth(1))},&,!,${t(nth(2))}}`],
    ['neither of 250 tags', `{!,(,${tags.slice(0, 248).map(t).join(',|,')},)}`],
    ['one of two, and a third', `{(,${t(nth(40))},|,${t(nth(50))},),&,${t(nth(20))}}`],
    ['tag that nobody carries', `{${t(unused)}}`],
    ['not that tag', `{!,${t(unused)}}`],
    ['tag that the viewer may not see', `{${t(hidden)}}`],
    ['250 tags in one OR', any(tags.slice(0, 250))],
    ['250 rare tags in one OR', any(tags.slice(900, 1150))],
    ['250 tags in one AND', all(tags.slice(0, 250))],
    ['125 alternating pairs', pairs(tags.slice(0, 250))],
    ['clauses with NOT', clauses(tags.slice(0, 140))],
    ['64 levels', nested(tags.slice(0, 65))],
    ['untagged', `{${UNTAGGED}}`],
    ['not untagged', `{!,${UNTAGGED}}`],
    ['untagged in 9 leaves', `{${UNTAGGED},|,(,${nested(tags.slice(0, 12)).slice(1, -1)},)}`],
    ['jpeg, 125 times, and other tags', pairsWith('m=image/jpeg', tags.slice(0, 125))],
    ['reviewed, 125 times, and other tags', pairsWith('r=0', tags.slice(0, 125))],
    ['untagged, 83 times, or other tags', clausesWith(UNTAGGED, tags.slice(0, 83))],
    ['untagged that needs review', `{${UNTAGGED},&,r=1}`],
    ['needs review', '{r=1}'],
    ['video', '{m~video/%}'],
    ['video that needs review, with a tag', `{r=1,&,m~video/%,&,${t(nth(5))}}`],
    ['type that no file has', '{m=image/avif}'],
  ]
  const facts = [
    ...['d=2015', 'd=2015-03', 'd=2015-03-14', 'd<2006', 'd>=2019-12-30', 'd~05', 'd~02-29'],
    ...['u=2', 'u=4', 's=exif', 's=given', 'x=raw', 'x=portrait', 'x=damaged'],
    ...[
      'x=landscape',
      'x=animated',
      'g=1',
      'g~u',
      'l=FR',
      'l=FR.12',
      'l=FR.12.Town_1000',
      'k~%model 7',
      'k~%',
    ],
    ...[`c=${NONE}`, `p=${NONE}`, `f=1`],
  ]
  const amounts = ['b>2000000', 'b>5000000', 'w>20000000', 'e>60', 'n~%laughed%', 'n~%no such%']
  const searches = ['i', 'mg', 'q', 'zz', 'img_2017', 'sunset', 'no such name', 'søndergård 77']
  return [
    { name: 'plain page', viewer: ben },
    { name: 'last page', viewer: ben, direction: 'backward' },
    { name: '100 pages deep', viewer: ben, deep: 100 },
    ...filters.map(([name, filter]) => ({ name, viewer: ben, filter })),
    { name: 'untagged', viewer: cat, filter: `{${UNTAGGED}}` },
    { name: 'untagged', viewer: ann, filter: `{${UNTAGGED}}` },
    { name: 'untagged', viewer: root, filter: `{${UNTAGGED}}` },
    { name: 'untagged that needs review', viewer: ann, filter: `{${UNTAGGED},&,r=1}` },
    { name: 'needs review, oldest first', viewer: ben, filter: '{r=1}', order: 'asc' },
    {
      name: 'tag of half the files, last page',
      viewer: ben,
      filter: `{${t(nth(1))}}`,
      direction: 'backward',
    },
    { name: 'tag of 5 %, 40 pages deep', viewer: root, filter: `{${t(nth(10))}}`, deep: 40 },
    { name: '125 pairs, 40 pages deep', viewer: root, filter: pairs(tags.slice(0, 250)), deep: 40 },
    ...[root, ann, ben].flatMap((viewer) =>
      [...facts, ...amounts].flatMap((token) =>
        [`{${token}}`, `{!,${token}}`, `{${token},&,${t(nth(60))}}`].map((filter) => ({
          ...{ name: filter, viewer, filter },
          group: amounts.includes(token) ? ('amounts' as const) : ('facts' as const),
        })),
      ),
    ),
    ...searches.map((search) => ({ name: `search "${search}"`, viewer: ben, search })),
    { name: 'search "zz" and tag', viewer: ben, search: 'zz', filter: `{${t(nth(1))}}` },
    {
      name: 'search "img_2017" and 125 pairs',
      viewer: ben,
      search: 'img_2017',
      filter: pairs(tags.slice(0, 250)),
    },
    {
      name: 'search "no such name" and 125 pairs',
      viewer: ben,
      search: 'no such name',
      filter: pairs(tags.slice(0, 250)),
    },
  ]
}

function denseCases({ users, tags, frequent }: Made): Case[] {
  const { root, ben, cat } = users
  return [
    { name: 'plain page', viewer: cat },
    { name: 'plain page', viewer: root },
    { name: '250 frequent tags in one OR', viewer: root, filter: any(frequent) },
    { name: '250 frequent tags in one AND', viewer: root, filter: all(frequent) },
    {
      name: 'none of 248 frequent tags',
      viewer: root,
      filter: `{!,(,${frequent.slice(2).map(t).join(',|,')},)}`,
    },
    { name: '125 alternating pairs', viewer: root, filter: pairs(frequent) },
    { name: '125 alternating pairs', viewer: ben, filter: pairs(frequent) },
    { name: 'clauses with NOT', viewer: root, filter: clauses(frequent.slice(0, 140)) },
    { name: 'six frequent', viewer: root, filter: all(frequent.slice(0, 6)) },
    { name: 'untagged', viewer: ben, filter: `{${UNTAGGED}}` },
    { name: 'sees nothing: a tag', viewer: cat, filter: `{${t(tags[2]!)}}` },
    { name: 'sees nothing: untagged', viewer: cat, filter: `{${UNTAGGED}}` },
    { name: 'sees nothing: 125 pairs', viewer: cat, filter: pairs(frequent) },
    { name: 'sees nothing: search', viewer: cat, search: 'img' },
    { name: 'sees nothing: search "i"', viewer: cat, search: 'i' },
  ]
}
