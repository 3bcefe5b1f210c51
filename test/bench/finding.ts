import type { Db } from '../../src/db/client.ts'
import { listFiles } from '../../src/files/find/list.ts'
import type { FileSort } from '../../src/files/schema.ts'
import type { User } from '../../src/user.ts'
import { type Made, type MadeTag, makeLibrary } from './library.ts'
import { measure, measureOnce, printTable } from './measure.ts'

const SIZES = [100_000, 1_000_000]
const SORTS = ['created', 'content_datetime', 'original_name', 'mime'] as const
const PLAIN = { direction: 'forward', limit: 50, trash: false } as const

type Row = Awaited<ReturnType<typeof benchCase>>

interface Case {
  name: string
  viewer: User
  filter?: string
  search?: string
  order?: 'asc' | 'desc'
  direction?: 'backward'
  /** Pages to go forward before the one that is measured. */
  deep?: number
}

/**
 * Prints how long filters, searches and pages take, the first time and again, and what they come to: of all cases the
 * median, the 90th percentile and the longest, and for how long nothing else could run.
 */
export async function bench(): Promise<void> {
  for (const files of SIZES)
    await benchLibrary('a library like people have', { files }, ordinaryCases)
  const dense = { files: SIZES[0]!, frequentTags: 250, publicShare: 0 }
  await benchLibrary('250 tags on 10 to 20 % each', dense, denseCases)
}

async function benchLibrary(
  title: string,
  shape: { files: number; frequentTags?: number; publicShare?: number },
  casesOf: (made: Made) => Case[],
): Promise<void> {
  const library = makeLibrary(shape)
  try {
    const cases = casesOf(library)
    const groups = { pages: [], filters: [], names: [] } as Record<string, Row[]>
    for (const sort of SORTS) {
      const rows = []
      for (const one of cases) {
        const row = await benchCase(library.reopen(), one, sort)
        groups[one.search ? 'names' : one.filter ? 'filters' : 'pages']!.push(row)
        rows.push({ [sort]: one.name, ...row })
      }
      printTable(`${title}: ${shape.files} files by ${sort}`, rows)
    }
    const all = Object.entries(groups).map(([group, rows]) => ({ group, ...summary(rows) }))
    printTable(`${title}: ${shape.files} files, p50 / p90 / longest`, all)
  } finally {
    library.remove()
  }
}

function summary(rows: Row[]) {
  const of = (column: 'cold' | 'p50') => {
    const times = rows.map((row) => row[column]).sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
    return [at(0.5), at(0.9), times.at(-1) ?? 0].map((ms) => ms.toPrecision(2)).join(' / ')
  }
  const hold = Math.max(...rows.flatMap((row) => [row.hold, row['cold hold']]))
  return { cases: rows.length, first: of('cold'), again: of('p50'), hold }
}

async function benchCase(db: Db, one: Case, sort: FileSort) {
  const { viewer, filter, search, order = 'desc' } = one
  const list = (more: { cursor?: string; direction?: 'backward' } = {}) =>
    listFiles(db, viewer, { ...PLAIN, sort, order, filter, search, ...more })
  const plain = () => listFiles(db, viewer, { ...PLAIN, sort, order: 'desc' })
  try {
    const base = await measure(plain)
    const first = await measureOnce(() => list())
    let more: { cursor?: string; direction?: 'backward' } = {}
    if (one.direction) more = { direction: one.direction }
    for (let page = 0; page < (one.deep ?? 0); page++) {
      const { next_cursor } = JSON.parse(await list(more))
      if (next_cursor === null) break
      more = { cursor: next_cursor }
    }
    const warm = await measure(() => list(more))
    return {
      who: viewer.name,
      cold: first.ms,
      'cold hold': first.hold,
      p50: warm.p50,
      p99: warm.p99,
      hold: warm.hold,
      '× plain': warm.p50 / base.p50,
      items: JSON.parse(await list(more)).items.length,
    }
  } finally {
    db.close()
  }
}

const UNTAGGED = 't=00000000-0000-0000-0000-000000000000'
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
