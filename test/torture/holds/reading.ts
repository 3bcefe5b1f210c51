import type { Large } from './library.ts'
import type { Send } from './sender.ts'

const FILE_SORTS = ['created', 'content_datetime', 'original_name', 'mime']
const TAG_SORTS = ['name', 'color', 'category_name', 'created']
const UNTAGGED = 't=00000000-0000-0000-0000-000000000000'
/** Pages that are followed from the first. */
const PAGES = 3
/** As many bits as two hashes can differ in: every file is similar. */
const FARTHEST = 64

/** Sends the readings that cost most; all of them are within the limits. */
export async function readMuch(send: Send, large: Large): Promise<void> {
  const filters = costlyFilters(large)
  for (const sort of FILE_SORTS) {
    for (const order of ['asc', 'desc']) {
      for (const rest of fileLists(large, filters)) {
        await send('GET', `/files?limit=200&sort=${sort}&order=${order}${rest}`)
      }
      const list = `sort=${sort}&order=${order}`
      await send('GET', `/files?anchor=${large.shared[9999]}&direction=backward&limit=200&${list}`)
    }
  }
  await follow(send, '/files?limit=200')
  for (const path of otherLists(large, filters)) await send('GET', path)
  for (const pool of large.pools) await follow(send, `/pools/${pool}/files?limit=200`)
}

/** Reads the first pages of a list. */
async function follow(send: Send, path: string): Promise<void> {
  let { next } = await send('GET', path)
  for (let page = 1; page < PAGES && next !== ''; page++) {
    const cursor = `${path}&cursor=${encodeURIComponent(next)}`
    next = (await send('GET', cursor)).next
  }
}

function fileLists(large: Large, filters: string[]): string[] {
  const frequent = large.made.tags[0]!.id
  const searches = ['img', 'e', 'nothing like it', '2012', 'søndergård', '%_', 'a'.repeat(256)]
  return [
    '',
    '&trash=true',
    ...filters.map((filter) => `&filter=${encodeURIComponent(filter)}`),
    ...searches.map((search) => `&search=${encodeURIComponent(search)}`),
    `&search=e&filter={t=${frequent}}`,
    `&search=nothing&trash=true&filter={!,t=${frequent}}`,
  ]
}

/** Returns filters from the plainest to those of 500 tokens and of 64 levels. */
function costlyFilters({ made, halves, wide }: Large): string[] {
  const { tags, hidden } = made
  const [first, second] = [tags[0]!.id, tags[1]!.id]
  const tag = (n: number) => `t=${tags[n % tags.length]!.id}`
  const many = (count: number, term: (n: number) => string, operator: string) =>
    `{${Array.from({ length: count }, (_, n) => term(n)).join(`,${operator},`)}}`
  return [
    `{t=${first}}`,
    `{!,t=${first}}`,
    `{t=${halves[0]},&,t=${halves[1]}}`,
    `{t=${first},&,!,t=${second},&,m~video/%}`,
    `{(,t=${hidden.id},|,r=1,),&,m~%e%}`,
    `{${UNTAGGED}}`,
    `{t=${wide}}`,
    many(250, tag, '|'),
    many(250, tag, '&'),
    many(166, (n) => `!,${tag(n)}`, '&'),
    many(100, (n) => `(,${tag(n)},&,${tag(n + 7)},)`, '|').slice(0, 12_000),
    many(60, (n) => `(,${tag(n)},|,!,m~%${n}%,)`, '&'),
    `{${'(,!,'.repeat(62)}(,${tag(0)},|,${tag(1)},)${',)'.repeat(62)}}`,
  ]
}

function otherLists(large: Large, filters: string[]): string[] {
  const { made, halves, wide, chain, pools, categories, busy, shared, alike } = large
  const log = ['user_id=2', 'action=file_tag_add', 'object_type=file', `object_id=${busy}`]
  const some = [busy, shared[0]!, alike[0]![0]]
  return [
    '/openapi.json',
    ...TAG_SORTS.flatMap((sort) => [
      `/tags?limit=200&sort=${sort}&order=desc`,
      `/tags?limit=200&offset=1800&sort=${sort}&search=1`,
      `/categories/${categories[0]}/tags?limit=200&sort=${sort}`,
    ]),
    '/categories?limit=200',
    '/pools?limit=200',
    '/pools?limit=200&search=1',
    ...pools
      .slice(0, 2)
      .flatMap((pool) => [
        `/pools/${pool}`,
        ...filters.map(
          (filter) => `/pools/${pool}/files?limit=200&filter=${encodeURIComponent(filter)}`,
        ),
      ]),
    ...[made.tags[0]!.id, ...halves, wide].map((tag) => `/tags/${tag}/files?limit=200`),
    `/tags/${chain}`,
    `/tags/${chain}/rules`,
    ...some.flatMap((id) => [
      `/files/${id}`,
      `/files/${id}/tags`,
      `/files/${id}/history?limit=200`,
      `/files/${id}/similar?limit=200&distance=${FARTHEST}`,
      `/files/${id}/similar?limit=200&distance=8`,
      `/acl/file/${id}`,
    ]),
    '/files/duplicates?limit=50',
    '/files/duplicates?limit=50&offset=9000',
    '/audit?limit=200',
    '/audit?limit=200&offset=100000',
    ...log.map((filter) => `/audit?limit=200&${filter}`),
    `/audit?limit=200&${log.join('&')}&from=2001-01-01T00:00:00Z&to=2019-01-01T00:00:00Z`,
    '/users?limit=200',
    '/users/me',
    '/auth/sessions',
  ]
}
