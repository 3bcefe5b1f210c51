import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { handmade } from './support/file-rows.ts'
import {
  type Caller,
  DENIED_POOL,
  DENIED_TAG,
  EMPTY_POOL,
  FILES,
  GRANTED_TAG,
  NONE,
  OTHERS,
  OWN_CATEGORY,
  OWN_POOL,
  OWN_SMART,
  OWN_TAG,
  openWorld,
  POOLS,
  PUBLIC_CATEGORY,
  PUBLIC_POOL,
  PUBLIC_TAG,
  reviewOf,
  SECRET,
  SECRET_CATEGORY,
  SECRET_POOL,
  SECRET_SMART,
  SECRET_TAG,
  SECRET_TAGS,
  SEEN,
  SHARED,
  SHARED_POOL,
  SMART_POOLS,
  seedOf,
  TAGS,
  type World,
} from './support/leaks-world.ts'
import { ridOf } from './support/object-rows.ts'

// The same library twice: once with what Olga keeps to herself, and once without. Eight callers ask both the
// same, naming what they must not know too, and may not be able to tell which is which.

const tag = (of: string) => `t=${of}`
const FACTS = [
  ...[OWN_CATEGORY, PUBLIC_CATEGORY, SECRET_CATEGORY].map((of) => `c=${of}`),
  ...[OWN_POOL, PUBLIC_POOL, SECRET_POOL, DENIED_POOL].map((of) => `p=${of}`),
  ...[
    'd=2020-02',
    'd~02',
    'b>0',
    'n~%e%',
    'g=1',
    'g~spv',
    'l=FR',
    'l=DE.16.Berlin',
    'k~leica%',
    'k~%5d',
  ],
]
const not = (token: string) => [`{${token}}`, `{!,${token}}`]
const FILTERS = [
  ...[...TAGS, ...SECRET_TAGS, NONE].flatMap((of) => not(tag(of))),
  `{${tag(SECRET_TAG)},|,${tag(OWN_TAG)}}`,
  `{!,(,${tag(SECRET_TAG)},&,${tag(OWN_TAG)},)}`,
  `{(,${[...TAGS, ...SECRET_TAGS, NONE].map((of) => `(,${tag(of)},&,m~image/%,)`).join(',|,')},),&,!,${tag(DENIED_TAG)}}`,
  ...FACTS.map((token) => `{${token}}`),
  '{m=image/png}',
  '{m~image/%}',
  '{r=1}',
  '{r=0}',
]
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

const SETS = ['ids', 'cells', 'timeline']
const KINDS = ['camera', 'town', 'type', 'creator', 'size', 'shape', 'review']
const DAYS = { from: '2020-02-02T00:00:00Z', to: '2020-02-04T00:00:00Z' }

/** Paths of lists and objects, all of them told apart by the secrets for who may see those. */
const LISTS = [
  ...['created', 'content_datetime', 'original_name', 'mime'].flatMap((sort) =>
    ['asc', 'desc'].map((order) => `/files?${query({ sort, order, limit: '2' })}`),
  ),
  ...FILTERS.map((filter) => `/files?${query({ filter, limit: '2' })}`),
  `/files?${query({ search: 'PICTURE' })}`,
  `/files?${query({ search: 'picture 2', filter: `{!,${tag(SECRET_TAG)}}`, limit: '1' })}`,
  '/files?trash=true&limit=1',
  ...['created', 'content_datetime'].flatMap((sort) =>
    ['asc', 'desc'].map((order) => `/files/timeline?${query({ sort, order })}`),
  ),
  ...SETS.map((set) => `/files/${set}?limit=2`),
  '/files/this-day?day=2030-02-03',
  ...KINDS.map((of) => `/files/facets?of=${of}`),
  ...[1, 4, 8].map((cells) => `/files/map?cells=${cells}`),
  '/files/map?cells=5&within=spv0,9q',
  '/files/cells?direction=backward&limit=3',
  '/files/cells?sort=content_datetime&series=1',
  '/files?direction=backward&limit=3',
  ...['content_datetime', 'original_name'].map(
    (sort) => `/files?${query({ sort, limit: '2', ...DAYS })}`,
  ),
  ...['forward', 'backward'].map((way) => `/files?anchor=${SEEN[3]}&direction=${way}&limit=2`),
  ...SEEN.flatMap((file) => [`/files/${file}`, `/files/${file}/tags`]),
  ...['name', 'color', 'category_name', 'created'].flatMap((sort) =>
    ['asc', 'desc'].map((order) => `/tags?${query({ sort, order })}`),
  ),
  '/files/duplicates?limit=1',
  '/files/duplicates?offset=1',
  '/files/duplicates/ids',
  '/files/duplicates/ids?offset=1',
  '/files/duplicates/proposals',
  `/files/${SEEN[0]}/similar`,
  `/files/${SEEN[5]}/similar?limit=2`,
  '/tags?limit=1&offset=1',
  '/tags?search=tag',
  `/tags/${PUBLIC_TAG}`,
  ...TAGS.map((of) => `/tags/${of}/files?limit=2`),
  ...[PUBLIC_TAG, OWN_TAG].map((of) => `/tags/${of}/rules`),
  '/tags/rules',
  '/tags/counts',
  '/tags/counts?trash=true',
  '/tags/counts?search=picture',
  ...FILTERS.filter((filter) => filter !== `{${tag(NONE)}}`).map(
    (filter) => `/tags/counts?${query({ filter })}`,
  ),
  '/categories?sort=name&order=asc',
  '/categories?limit=1&offset=1',
  '/categories?search=s',
  `/categories/${OWN_CATEGORY}/tags`,
  '/pools?sort=name',
  '/pools?limit=1&offset=1',
  '/pools?search=pool',
  ...POOLS.map((pool) => `/pools/${pool}`),
]
const EPOCH = new Date(0).toISOString()
const POOL_LISTS = POOLS.flatMap((pool) => [
  ...KINDS.map((of) => `/files/facets?${query({ of, pool })}`),
  `/tags/counts?pool=${pool}`,
  ...SETS.map((set) => `/files/${set}?${query({ pool, limit: '2' })}`),
  `/pools/${pool}/files?limit=2`,
  ...FILTERS.map((filter) => `/pools/${pool}/files?${query({ filter, limit: '3' })}`),
])
/** What does not name a secret and does not list one: alike for everybody. */
const PLAIN = [
  ...SMART_POOLS.flatMap((pool) => [
    `/pools/${pool}`,
    `/pools/${pool}/files?limit=2`,
    ...SETS.map((set) => `/files/${set}?${query({ pool, limit: '2' })}`),
    ...FILTERS.map((filter) => `/pools/${pool}/files?${query({ filter, limit: '3' })}`),
    `/tags/counts?${query({ pool })}`,
    `/files/facets?${query({ pool, of: 'type' })}`,
  ]),
  ...not(`p=${SECRET_SMART}`).map((filter) => `/files?${query({ filter, limit: '2' })}`),
  ...[tag(SECRET_TAG), tag(PUBLIC_TAG), `p=${OWN_POOL}`, `c=${SECRET_CATEGORY}`].map(
    (names) => `/pools?${query({ names })}`,
  ),
  ...[...FACTS.map((token) => `{!,${token}}`), `{c=${NONE}}`, `{p=${NONE}}`].map(
    (filter) => `/files?${query({ filter, limit: '2' })}`,
  ),
  `/categories/${PUBLIC_CATEGORY}`,
  `/tags/${OWN_TAG}`,
  `/acl/file/${SEEN[0]}`,
  `/files/new?since=${EPOCH}`,
  ...SHARED.map((file) => `/files/${file}/history`),
  ...FILTERS.flatMap((filter) =>
    SETS.map((set) => `/files/${set}?${query({ filter, limit: '2', hashes: '1' })}`),
  ),
  ...POOLS.flatMap((pool) =>
    SETS.map((set) => `/files/${set}?${query({ pool, sort: 'created', filter: '{r=1}' })}`),
  ),
  ...FILTERS.map((filter) => `/files/facets?${query({ of: 'creator', filter })}`),
  ...KINDS.map((of) => `/files/facets?${query({ of, search: 'picture', trash: 'true' })}`),
  ...FILTERS.map((filter) => `/files/map?${query({ filter })}`),
  ...POOLS.map((pool) => `/files/map?${query({ pool })}`),
  ...SETS.map((set) => `/files/${set}?${query({ search: 'picture', trash: 'true' })}`),
  ...SETS.map((set) => `/files/${set}?${query({ sort: 'content_datetime', ...DAYS })}`),
  ...['forward', 'backward'].map(
    (way) => `/files/cells?anchor=${SEEN[3]}&direction=${way}&limit=2`,
  ),
]

/** Archives that hold secrets for who may see those. */
const ARCHIVES = [
  { file_ids: FILES },
  ...POOLS.map((pool_id) => ({ pool_id })),
  ...SMART_POOLS.map((pool_id) => ({ pool_id })),
  { search: 'picture' },
  { filter: `{${tag(SECRET_TAG)}}` },
  DAYS,
]

/** What Vera changes in both, one after the other. */
const CHANGES: [method: string, path: string, body?: unknown][] = [
  ['POST', '/files/bulk/common-tags', { file_ids: FILES }],
  ['POST', '/files/bulk/common-tags', { file_ids: SECRET }],
  ['POST', '/files/bulk/tags', { file_ids: FILES, action: 'add', tag_ids: [PUBLIC_TAG] }],
  ['POST', '/files/bulk/tags', { file_ids: SECRET, action: 'remove', tag_ids: [PUBLIC_TAG] }],
  ['PUT', `/files/${SEEN[0]}/tags`, { tag_ids: [] }],
  ['PUT', `/files/${SEEN[2]}/tags`, { tag_ids: [PUBLIC_TAG] }],
  ['PUT', `/files/${SEEN[4]}/tags/${OWN_TAG}`],
  ['DELETE', `/files/${SEEN[4]}/tags/${PUBLIC_TAG}`],
  ['POST', `/tags/${OWN_TAG}/rules`, { then_tag_id: GRANTED_TAG }],
  ['PATCH', `/tags/${OWN_TAG}/rules/${GRANTED_TAG}`, { is_active: false }],
  ['PATCH', `/tags/${OWN_TAG}`, { color: 'ffffff', category_id: PUBLIC_CATEGORY }],
  ['PATCH', `/categories/${OWN_CATEGORY}`, { name: 'c renamed' }],
  ['PATCH', `/pools/${OWN_POOL}`, { notes: 'changed' }],
  ['PUT', `/pools/${OWN_POOL}/files/reorder`, { file_ids: [SEEN[4], SEEN[0]] }],
  ['PUT', `/pools/${OWN_POOL}/files/reorder`, { file_ids: [SECRET[1]] }],
  ['POST', `/pools/${OWN_POOL}/files/remove`, { file_ids: [SEEN[3], ...SECRET] }],
  ['POST', `/pools/${OWN_POOL}/files`, { file_ids: [SEEN[3]], position: 0 }],
  ['POST', '/files/duplicates/dismiss', { file_id_a: SEEN[4], file_id_b: SEEN[5] }],
  [
    'POST',
    '/files/duplicates/proposals/settle',
    { items: [{ keep: SECRET[0], discard: [SECRET[1]] }] },
  ],
  ['POST', '/files/bulk/review', { file_ids: FILES, needs_review: false }],
  [
    'POST',
    '/files/bulk/update',
    { file_ids: FILES, set: { notes: 'x' }, shift_minutes: 5, turn: 90 },
  ],
  ['POST', '/files/bulk/update', { file_ids: SECRET, set: { is_public: true } }],
  ['POST', '/files/reach', { file_ids: FILES, user_ids: [1, 2, 3] }],
  ['POST', '/files/reach', { file_ids: SECRET, user_ids: [1, 2, 3] }],
  ...SMART_POOLS.map((pool_id): [string, string, unknown] => [
    ...(['POST', '/files/reach'] as const),
    { pool_id, user_ids: [1, 2, 3, 4] },
  ]),
  ['PATCH', `/pools/${OWN_SMART}`, { filter: `{!,p=${SECRET_SMART},&,!,p=${DENIED_POOL}}` }],
  ['PATCH', `/pools/${EMPTY_POOL}`, { filter: '{r=1}' }],
  ['POST', '/files/reach', { pool_id: PUBLIC_POOL, user_ids: [1, 2, 3] }],
  ['POST', '/files/reach', { pool_id: SHARED_POOL, user_ids: [1, 2, 3, 4] }],
  ['POST', '/files/archive', { file_ids: FILES }],
  ['POST', '/files/archive', { file_ids: SHARED }],
  ['POST', '/files/archive', { pool_id: SHARED_POOL }],
  ['PUT', `/pools/${SHARED_POOL}/files/reorder`, { file_ids: SECRET }],
  ['PATCH', `/pools/${SHARED_POOL}`, { shares_files: false }],
  ['POST', '/files/bulk/share', { file_ids: FILES, add: [{ user_id: 2 }], is_public: false }],
  ['POST', '/files/bulk/share', { pool_id: PUBLIC_POOL, add: [{ user_id: 1, can_edit: true }] }],
  ['POST', '/files/bulk/share', { pool_id: OWN_POOL, remove: [2] }],
  ['POST', '/files/bulk/favourite', { file_ids: FILES, is_favourite: true }],
  ['POST', '/files/bulk/restore', { file_ids: FILES }],
  ['POST', '/files/bulk/permanent', { file_ids: SECRET }],
  ['POST', '/files/bulk/delete', { file_ids: [SEEN[6], ...SECRET] }],
  ['DELETE', `/files/${SEEN[0]}`],
  ['POST', `/files/${SEEN[0]}/restore`],
  ['POST', `/pools/${OWN_POOL}/views`],
]

describe('what a user may not see', () => {
  let worlds: World[]
  before(async () => {
    worlds = [await openWorld(true), await openWorld(false)]
  })
  after(() => Promise.all(worlds.map(({ library }) => library.close())))

  /** The answers of both worlds to the same requests of the same person. */
  async function inBoth(as: Caller, paths: string[]): Promise<[unknown, unknown]> {
    const [first, second] = await Promise.all(worlds.map((world) => walkAll(world, as, paths)))
    return [first, second]
  }

  /** Compares every list in both worlds, pools in each of their sorts. */
  async function compareLists(): Promise<void> {
    // What was counted before is too old then.
    for (const { library } of worlds) library.time.now += 60_000
    for (const path of [...LISTS, ...PLAIN]) {
      const [full, bare] = await inBoth('vera', [path])
      assert.deepEqual(full, bare, path)
    }
    for (const sort_key of ['content_datetime', 'created', 'original_name', 'manual']) {
      for (const { library, admin } of worlds) {
        for (const pool of POOLS) {
          await library.call('PATCH', `/pools/${pool}`, { token: admin, body: { sort_key } })
        }
      }
      for (const path of POOL_LISTS) {
        const [full, bare] = await inBoth('vera', [path])
        assert.deepEqual(full, bare, `${path} by ${sort_key}`)
      }
    }
  }

  it('shows in every one of these lists to who may see it', async () => {
    for (const path of [...LISTS, ...POOL_LISTS]) {
      const [full, bare] = await inBoth('admin', [path])
      assert.notDeepEqual(full, bare, path)
    }
  })

  it('shows in no list, total, cursor, count or tag', compareLists)

  it('shows to nobody else who may not see it, whatever else they may', async () => {
    const answers = new Set<string>()
    for (const other of OTHERS) {
      const seen: unknown[] = []
      for (const { library } of worlds) library.time.now += 60_000
      for (const path of [...LISTS, ...PLAIN, ...POOL_LISTS]) {
        const [full, bare] = await inBoth(other, [path])
        assert.deepEqual(full, bare, `${path} for ${other}`)
        seen.push(full)
      }
      answers.add(JSON.stringify(seen))
    }
    assert.equal(answers.size, OTHERS.length)
  })

  it('has no place in a pool that a cursor could ask for', async () => {
    for (const file of SECRET) {
      const cursor = handmade(['pool', 'manual', 'asc', 0, file, 'after'])
      const [full, bare] = await inBoth('vera', [`/pools/${OWN_POOL}/files?cursor=${cursor}`])
      assert.deepEqual(full, bare)
    }
  })

  it('is in no byte of an archive, nor in its length or the names in it', async () => {
    for (const asked of [...ARCHIVES, ...FILTERS.map((filter) => ({ filter }))]) {
      const of = JSON.stringify(asked)
      const [full, bare] = await Promise.all(worlds.map((world) => archiveOf(world, 'vera', asked)))
      assert.deepEqual(full, bare, of)
      const texts = full!.toString('latin1')
      for (const file of SECRET) assert.ok(!texts.includes(`content ${file}`), of)
    }
  })

  it('is in all of these archives for who may see it', async () => {
    for (const asked of ARCHIVES) {
      const [full, bare] = await Promise.all(
        worlds.map((world) => archiveOf(world, 'admin', asked)),
      )
      assert.notDeepEqual(full, bare, JSON.stringify(asked))
    }
  })

  it('is shown by no link of the user, nor counted by one', async () => {
    const told = async ({ library, vera: token }: World) => {
      const answers: unknown[] = []
      for (const of of [...POOLS.map((pool_id) => ({ pool_id })), { file_ids: FILES }]) {
        const reach = await library.call('POST', '/shares/reach', { token, body: of })
        const follows = 'pool_id' in of
        const body = { ...of, follows, shows_names: true, downloads: 'as_they_are' }
        const { status, body: made } = await library.call('POST', '/shares', { token, body })
        assert.equal(status, 201)
        const list = await (await library.request(`${made.url}/list`)).json()
        const archive = await (await library.request(`${made.url}/archive`)).arrayBuffer()
        answers.push(reach.body, made.files, Buffer.from(archive).toString('base64'))
        // Ids differ in each link.
        answers.push(JSON.parse(JSON.stringify(list, (key, value) => (key === 'id' ? '' : value))))
      }
      return answers
    }
    const [withSecrets, without] = await Promise.all(worlds.map(told))
    assert.deepEqual(withSecrets, without)
    assert.ok((without![3] as { total: number }).total > 0)
  })

  it('makes no difference to what the user changes, nor to the lists after it', async () => {
    for (const [method, path, body] of CHANGES) {
      const [full, bare] = await Promise.all(
        worlds.map(async ({ library, vera }) => {
          const { status, body: answer } = await library.call(method, path, { token: vera, body })
          return { status, answer: withoutPlaces(answer) }
        }),
      )
      assert.deepEqual(full, bare, `${method} ${path}`)
      assert.ok(full!.status < 500, `${method} ${path}`)
    }
    await compareLists()
  })

  it('is neither reviewed nor trashed by all that', () => {
    const { db } = worlds[0]!.library.deps
    for (const file of SECRET) {
      const row = db.get(
        'SELECT is_deleted, needs_review FROM files WHERE rid = ?',
        ridOf(db, 'file', file),
      )
      assert.deepEqual(row, {
        is_deleted: Number(seedOf(file, 0, 0).trashed),
        needs_review: reviewOf(file),
      })
    }
  })
})

/** The bytes of an archive; empty without files. */
async function archiveOf(
  { library, ...tokens }: World,
  as: 'vera' | 'admin',
  body: object,
): Promise<Buffer> {
  const asked = await library.call('POST', '/files/archive', { token: tokens[as], body })
  assert.equal(asked.status, 200, asked.text)
  const path = `/files/archive?access_token=${asked.body.token}`
  const response = await library.fetchRaw('GET', path)
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

/** Every page of the lists, to their ends by next_cursor. */
async function walkAll(world: World, as: Caller, paths: string[]): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const path of paths) {
    let cursor: string | null = null
    do {
      const more: string = cursor ? `${path.includes('?') ? '&' : '?'}cursor=${cursor}` : ''
      const { status, body } = await world.library.call('GET', path + more, { token: world[as] })
      if (as === 'vera') assert.equal(status, 200, path)
      answers.push({ status, body: withoutPlaces(body) })
      cursor =
        path.includes('anchor') || path.includes('direction') ? null : (body.next_cursor ?? null)
    } while (cursor)
  }
  return answers
}

/** Without tokens, and positions in a pool: their gaps may tell that it holds more. */
function withoutPlaces(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'position' || key === 'token') return undefined
    const isCursor = /^(next|prev)_cursor$/.test(key) && value !== null
    const isOfPool = isCursor && decoded(value)[0] === 'pool'
    return isOfPool && decoded(value)[1] === 'manual' ? decoded(value)[4] : value
  })
}

function decoded(cursor: string): unknown[] {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString())
}
