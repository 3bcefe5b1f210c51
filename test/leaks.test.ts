import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db } from '../src/db/client.ts'
import { write } from '../src/db/write.ts'
import {
  type FileSeed,
  fileSeed,
  handmade,
  idAt,
  insertFiles,
  writeContent,
} from './support/file-rows.ts'
import { type Library, openLibrary } from './support/harness.ts'
import {
  allow,
  insertCategory,
  insertPool,
  insertRule,
  insertTag,
  putTags,
  ridOf,
} from './support/object-rows.ts'

// The same library twice: once with what Olga keeps to herself, and once without. Vera asks both the
// same, naming what she must not know too, and may not be able to tell which is which.

const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)
const OWN_CATEGORY = id(0x11)
const PUBLIC_CATEGORY = id(0x12)
const SECRET_CATEGORY = id(0x13)
const OWN_TAG = id(0x21)
const PUBLIC_TAG = id(0x22)
const GRANTED_TAG = id(0x23)
const SECRET_TAG = id(0x24)
/** Olga's with an entry for Vera that gives no right. */
const DENIED_TAG = id(0x25)
const UNTAGGED = '00000000-0000-0000-0000-000000000000'
const OWN_POOL = id(0x31)
const PUBLIC_POOL = id(0x32)
const SECRET_POOL = id(0x33)
/** Olga's, which shares with Vera what Vera may see in it. */
const SHARED_POOL = id(0x34)
/** Olga's, which shares with somebody else alone, or with an entry for Vera that gives no right. */
const OTHERS_POOL = id(0x35)
const DENIED_POOL = id(0x36)
const POOLS = [OWN_POOL, PUBLIC_POOL, SHARED_POOL]
const TAGS = [OWN_TAG, PUBLIC_TAG, GRANTED_TAG]
const SECRET_TAGS = [SECRET_TAG, DENIED_TAG]

// Every other file is secret, so that secrets stand at the start, in the middle and at the end.
const FILES = Array.from({ length: 17 }, (_, n) => id(0x41 + n))
const isSecret = (file: string) => FILES.indexOf(file) % 2 === 0
const SEEN = FILES.filter((file) => !isSecret(file))
const SECRET = FILES.filter(isSecret)
/** Those that Vera sees through a pool, the first by hand as well. */
const SHARED = SEEN.filter((file) => FILES.indexOf(file) % 8 === 7)

interface World {
  library: Library
  vera: string
  admin: string
}

async function openWorld(hasSecrets: boolean): Promise<World> {
  const library = await openLibrary()
  const { db } = library.deps
  const admin = await library.join('admin', { is_admin: true })
  const olga = await library.join('olga', { can_create: true })
  const vera = await library.join('vera', { can_create: true })
  const other = await library.join('other')
  const files = hasSecrets ? FILES : SEEN
  insertFiles(
    db,
    files.map((file) => seedOf(file, olga.id, vera.id)),
  )
  for (const file of files) writeContent(library.folder, file, contentOf(file))
  write(db, { now: 0 }, () => {
    addTags(library, olga.id, vera.id)
    for (const file of files) putTags(db, file, tagsOf(file))
    db.run('INSERT INTO duplicate_scans VALUES (1, 8, 0, 0, 1, 1, 0)')
    for (const file of files) {
      const rid = ridOf(db, 'file', file)
      const set = 'UPDATE files SET needs_review = ?, phash = ? WHERE rid = ?'
      db.run(set, reviewOf(file), hashOf(file), rid)
      db.run('INSERT INTO duplicate_members VALUES (1, ?, ?, ?)', rid, hashOf(file), hashOf(file))
    }
    insertRule(db, PUBLIC_TAG, OWN_TAG)
    insertPool(db, { id: OWN_POOL, name: 'own pool', owner: vera.id, files })
    insertPool(db, { id: PUBLIC_POOL, name: 'pool', owner: olga.id, isPublic: true, files })
    insertPool(db, { id: SHARED_POOL, name: 'shared pool', owner: olga.id, files })
    allow(db, vera.id, 'pool', SHARED_POOL)
    sharePool(db, SHARED_POOL, vera.id, SHARED)
    if (hasSecrets) {
      addSecrets(library, olga.id, vera.id)
      addSecretSharing(library, { olga: olga.id, vera: vera.id, other: other.id })
    }
  })
  return { library, vera: vera.token, admin: admin.token }
}

/** Vera's own, public ones and shared ones in turn, all alike in their names, times and types. */
function seedOf(file: string, olga: number, vera: number): FileSeed {
  const n = FILES.indexOf(file)
  return fileSeed(file, {
    name: `picture ${n % 5}.jpg`,
    time: Date.UTC(2020, 1, 1 + (n % 4)),
    type: n % 3 === 0 ? 'image/png' : 'image/jpeg',
    owner: !isSecret(file) && n % 4 === 1 ? vera : olga,
    isPublic: !isSecret(file) && n % 8 === 3,
    viewers: file === SHARED[0] ? [vera] : [],
    trashed: n % 7 === 5 || n === 8,
    size: contentOf(file).length,
  })
}

const contentOf = (file: string) => Buffer.from(`content ${file}`)

function tagsOf(file: string): string[] {
  const n = FILES.indexOf(file)
  return [TAGS[n % 3]!, PUBLIC_TAG]
    .slice(n % 5 === 3 ? 2 : 0)
    .filter((tag, i, all) => all.indexOf(tag) === i)
}

function reviewOf(file: string): number {
  return Number(FILES.indexOf(file) % 3 > 0)
}

/** Clusters of a secret one and another, and then one of several of both. */
function hashOf(file: string): number {
  const n = FILES.indexOf(file)
  return n < 8 ? n >> 1 : 100
}

function addTags({ deps: { db } }: Library, olga: number, vera: number): void {
  insertCategory(db, { id: OWN_CATEGORY, name: 'm own', owner: vera })
  insertCategory(db, { id: PUBLIC_CATEGORY, name: 'b public', owner: olga, isPublic: true })
  insertTag(db, { id: OWN_TAG, name: 'own tag', owner: vera, category: OWN_CATEGORY })
  insertTag(db, { id: PUBLIC_TAG, name: 'b tag', owner: olga, isPublic: true })
  insertTag(db, { id: GRANTED_TAG, name: 'z tag', owner: olga, category: PUBLIC_CATEGORY })
  allow(db, vera, 'tag', GRANTED_TAG)
}

/** A secret category of a tag that is not, secret tags on all files, rules to them, and a pool. */
function addSecrets({ deps: { db } }: Library, olga: number, vera: number): void {
  insertCategory(db, { id: SECRET_CATEGORY, name: 'f secret', owner: olga })
  const category = ridOf(db, 'category', SECRET_CATEGORY)
  db.run('UPDATE tags SET category_rid = ? WHERE rid = ?', category, ridOf(db, 'tag', PUBLIC_TAG))
  for (const [n, tag] of SECRET_TAGS.entries()) {
    insertTag(db, { id: tag, name: `d secret tag ${n}`, owner: olga, category: OWN_CATEGORY })
    insertRule(db, PUBLIC_TAG, tag)
    insertRule(db, OWN_TAG, tag)
  }
  insertRule(db, SECRET_TAG, DENIED_TAG)
  allow(db, vera, 'tag', DENIED_TAG, 'none')
  allow(db, vera, 'file', SECRET[1]!, 'none')
  for (const file of FILES) putTags(db, file, SECRET_TAGS)
  insertPool(db, { id: SECRET_POOL, name: 'secret pool', owner: olga, files: FILES })
}

/** Shares files of a pool with a user, as a change of its list would have done. */
function sharePool(db: Db, pool: string, user: number, files: string[]): void {
  const rid = ridOf(db, 'pool', pool)
  db.run('UPDATE pools SET shares_files = 1 WHERE rid = ?', rid)
  for (const file of files) {
    db.run(
      `INSERT INTO acl (user_id, object_type, object_rid, pool_rid, can_view, can_edit, granted_at)
       VALUES (?, 'file', ?, ?, 1, 0, 1)`,
      user,
      ridOf(db, 'file', file),
      rid,
    )
  }
}

/** Pools that share secret files, and those that Vera sees, with others; none of it with Vera. */
function addSecretSharing(
  { deps: { db } }: Library,
  { olga, vera, other }: { olga: number; vera: number; other: number },
): void {
  insertPool(db, { id: OTHERS_POOL, name: 'others pool', owner: olga, files: FILES })
  insertPool(db, { id: DENIED_POOL, name: 'denied pool', owner: olga, files: FILES })
  allow(db, vera, 'pool', DENIED_POOL, 'none')
  // Whom Vera's own files reach is hers to know.
  const own = db.all<{ rid: number }>('SELECT rid FROM files WHERE creator_id = ?', vera)
  const rids = new Set(own.map(({ rid }) => rid))
  const others = FILES.filter((file) => !rids.has(ridOf(db, 'file', file)))
  for (const pool of [SHARED_POOL, OTHERS_POOL, DENIED_POOL]) {
    allow(db, other, 'pool', pool)
    sharePool(db, pool, other, others)
  }
}

const tag = (of: string) => `t=${of}`
const FILTERS = [
  ...[...TAGS, ...SECRET_TAGS, UNTAGGED].flatMap((of) => [`{${tag(of)}}`, `{!,${tag(of)}}`]),
  `{${tag(SECRET_TAG)},|,${tag(OWN_TAG)}}`,
  `{!,(,${tag(SECRET_TAG)},&,${tag(OWN_TAG)},)}`,
  `{(,${[...TAGS, ...SECRET_TAGS, UNTAGGED].map((of) => `(,${tag(of)},&,m~image/%,)`).join(',|,')},),&,!,${tag(DENIED_TAG)}}`,
  '{m=image/png}',
  '{m~image/%}',
  '{r=1}',
  '{r=0}',
]
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

const SETS = ['ids', 'cells', 'timeline']
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
  ...FILTERS.filter((filter) => filter !== `{${tag(UNTAGGED)}}`).map(
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
  ...SETS.map((set) => `/files/${set}?${query({ pool, limit: '2' })}`),
  `/pools/${pool}/files?limit=2`,
  ...FILTERS.map((filter) => `/pools/${pool}/files?${query({ filter, limit: '3' })}`),
])
/** What does not name a secret and does not list one: alike for everybody. */
const OTHERS = [
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
  async function inBoth(as: 'vera' | 'admin', paths: string[]): Promise<[unknown, unknown]> {
    const [first, second] = await Promise.all(worlds.map((world) => walkAll(world, as, paths)))
    return [first, second]
  }

  /** Compares every list in both worlds, pools in each of their sorts. */
  async function compareLists(): Promise<void> {
    // What was counted before is too old then.
    for (const { library } of worlds) library.time.now += 60_000
    for (const path of [...LISTS, ...OTHERS]) {
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
async function walkAll(world: World, as: 'vera' | 'admin', paths: string[]): Promise<unknown[]> {
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
