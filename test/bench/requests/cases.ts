import type { MadeTag } from '../library.ts'
import type { Viewer, World } from './world.ts'

/** Requests of the limit: fifty rows that are the newest, neighbours at a random place, or random ones. */
export type Limit = 'L' | 'Ld' | 'Lr'

/** What a request may take: milliseconds on Bun, or so many times a limit of the same run. */
export type Goal = { ms: number } | { times: number; of: Limit }

/** A request that is measured. */
export interface Case {
  what: string
  who: Viewer
  /** Below `/api/v1`; another one for each sample where it names a place. */
  path: string | ((sample: number) => string)
  goal: Goal
}

const SORTS = ['created', 'content_datetime', 'original_name', 'mime'] as const
const UNTAGGED = 't=00000000-0000-0000-0000-000000000000'
const PAGE: Goal = { times: 2.5, of: 'L' }
/** Where the list walks by date or name, its neighbours lie anywhere. */
const DEEP: Record<(typeof SORTS)[number], Goal> = {
  created: { times: 2.5, of: 'Ld' },
  mime: { times: 2.5, of: 'Ld' },
  content_datetime: { times: 2, of: 'Lr' },
  original_name: { times: 2, of: 'Lr' },
}

const t = (tag: MadeTag) => `t=${tag.id}`
const files = (query: Record<string, string>) => `/files?${new URLSearchParams(query)}`
const sorts = (cases: (sort: (typeof SORTS)[number]) => Case[]) => SORTS.flatMap(cases)

/** Returns the requests of a library in which three of ten files are everybody's. */
export function openCases(world: World): Case[] {
  const nth = (rank: number) => world.tags[rank - 1]!
  const list = (what: string, who: Viewer, query: Record<string, string>, goal: Goal): Case => ({
    what,
    who,
    path: files(query),
    goal,
  })
  return [
    ...sorts((sort) =>
      (['root', 'ann', 'ben'] as const).flatMap((who) =>
        (['desc', 'asc'] as const).map((order) =>
          list(`first page by ${sort}, ${order}`, who, { sort, order }, PAGE),
        ),
      ),
    ),
    ...sorts((sort) => [
      {
        what: `deep page by ${sort}`,
        who: 'root',
        path: (n) => files({ sort, anchor: at(world.someFiles, n) }),
        goal: DEEP[sort],
      },
    ]),
    ...(['ann', 'ben', 'cat'] as const).map((who) =>
      list('untagged', who, { filter: `{${UNTAGGED}}` }, { ms: 10 }),
    ),
    ...sorts((sort) => [
      list(`tag of 1 % by ${sort}`, 'ben', { sort, filter: `{${t(nth(60))}}` }, { ms: 5 }),
      list(`tag of 5 % by ${sort}`, 'ben', { sort, filter: `{${t(nth(12))}}` }, { ms: 5 }),
      list(
        `pictures that are no JPEG by ${sort}`,
        'ben',
        { sort, filter: '{m=image/png}' },
        sort === 'mime' ? PAGE : { ms: 5 },
      ),
      list(`reviewed by ${sort}`, 'ben', { sort, filter: '{r=0}' }, { ms: 5 }),
    ]),
    {
      what: 'files of a tag of 1 %',
      who: 'ben',
      path: `/tags/${nth(60).id}/files`,
      goal: { ms: 5 },
    },
    ...mixes(nth).map(([what, filter, ms]) => list(what, 'ben', { filter }, { ms })),
    ...mixes(nth).map(([what, filter, ms]) =>
      list(`${what} by date`, 'ben', { filter, sort: 'content_datetime' }, { ms }),
    ),
    ...['img_2017', 'sunset', 'no such name', 'pxl_2016', 'dsc', '201'].flatMap((search) => [
      list(`search ${search}`, 'ben', { search }, { ms: 10 }),
      list(`search ${search} by date`, 'ben', { search, sort: 'content_datetime' }, { ms: 10 }),
      list(`search ${search} by name`, 'ben', { search, sort: 'original_name' }, { ms: 10 }),
    ]),
    ...['q', 'zz', '湖', '湖畔', '🌄'].map((search) =>
      list(`search ${search}`, 'ben', { search }, { ms: 20 }),
    ),
    ...pools(world),
    ...audits(),
    ...grid(world, 'ben'),
  ]
}

/** Returns the requests of a library in which most see little. */
export function privateCases(world: World): Case[] {
  const nth = (rank: number) => world.tags[rank - 1]!
  return (['few', 'none', 'cat'] as const).flatMap((who) => [
    ...sorts((sort) => [
      { what: `first page by ${sort}`, who, path: files({ sort }), goal: PAGE },
      { what: `reviewed by ${sort}`, who, path: files({ sort, filter: '{r=0}' }), goal: PAGE },
      {
        what: `a tag by ${sort}`,
        who,
        path: files({ sort, filter: `{${t(nth(3))}}` }),
        goal: PAGE,
      },
      {
        what: `no such type by ${sort}`,
        who,
        path: files({ sort, filter: '{m~x/%}' }),
        goal: PAGE,
      },
      { what: `search img by ${sort}`, who, path: files({ sort, search: 'img' }), goal: PAGE },
    ]),
    ...grid(world, who),
  ])
}

function mixes(nth: (rank: number) => MadeTag): [what: string, filter: string, ms: number][] {
  const pair = `${t(nth(1))},&,${t(nth(2))}`
  return [
    ['two frequent', `{${pair}}`, 5],
    ['frequent, not another', `{${t(nth(1))},&,!,${t(nth(2))}}`, 5],
    ['one of two frequent', `{${t(nth(1))},|,${t(nth(2))}}`, 5],
    ['one of two of 1 %', `{${t(nth(50))},|,${t(nth(60))}}`, 5],
    ['two of 1 %', `{${t(nth(50))},&,${t(nth(60))}}`, 5],
    ['reviewed, a tag, no JPEG', `{r=0,&,${t(nth(5))},&,!,m=image/jpeg}`, 10],
    ['a video or to review, with a tag', `{(,m~video/%,|,r=1,),&,${t(nth(5))}}`, 10],
    ['one pair 125 times', `{${Array(125).fill(pair).join(',|,')}}`, 10],
  ]
}

function pools({ pool, tags }: World): Case[] {
  const list = (what: string, query: Record<string, string>, goal: Goal): Case => ({
    what: `a pool of 50,000 ${what}`,
    who: 'ben',
    path: `/pools/${pool}/files?${new URLSearchParams(query)}`,
    goal,
  })
  return [
    list('by date', {}, { ms: 5 }),
    list('with a tag of 5 %', { filter: `{${t(tags[11]!)}}` }, { ms: 5 }),
    list('with a rare tag', { filter: `{${t(tags[1200]!)}}` }, { ms: 5 }),
    { what: 'that pool', who: 'ben', path: `/pools/${pool}`, goal: { ms: 5 } },
    { what: 'that pool', who: 'root', path: `/pools/${pool}`, goal: { ms: 5 } },
    { what: 'a page of pools', who: 'ben', path: '/pools', goal: { ms: 5 } },
    { what: 'a page of pools', who: 'root', path: '/pools', goal: { ms: 5 } },
  ]
}

function audits(): Case[] {
  const audit = (what: string, query: string): Case => ({
    what: `audit: ${what}`,
    who: 'root',
    path: `/audit?${query}`,
    goal: { ms: 10 },
  })
  return [
    audit('all', ''),
    audit('900,000 deep', 'offset=900000'),
    audit('a user and an action', 'user_id=2&action=file_tag_add'),
    audit('an action and a type', 'action=file_tag_add&object_type=file'),
    audit('an action, 400,000 deep', 'action=file_tag_add&offset=400000'),
  ]
}

/** What the gallery asks for. */
function grid({ someFiles, tags }: World, who: Viewer): Case[] {
  const filter = new URLSearchParams({ filter: `{${t(tags[11]!)}}` })
  const goal: Goal = { ms: 10 }
  return [
    { what: 'cells, the newest 400', who, path: '/files/cells', goal },
    { what: 'cells, with a tag', who, path: `/files/cells?${filter}`, goal },
    { what: 'timeline', who, path: '/files/timeline', goal },
    { what: 'timeline, with a tag', who, path: `/files/timeline?${filter}`, goal },
    { what: 'counts of tags', who, path: '/tags/counts', goal },
    { what: 'a page of tags', who, path: '/tags', goal },
    ...(who === 'ben'
      ? [
          {
            what: 'a file',
            who: 'root' as const,
            path: (n: number) => `/files/${at(someFiles, n)}`,
            goal: PAGE,
          },
        ]
      : []),
  ]
}

function at(ids: string[], n: number): string {
  return ids[(n * 7919) % ids.length]!
}
