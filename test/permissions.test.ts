import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createApp } from '../src/app.ts'
import { KEY_SCOPES, type KeyScope } from '../src/base/enums.ts'
import { type Tx, write } from '../src/db/write.ts'
import { insertUpload } from '../src/uploads/queries.ts'
import { FORMER_PAGES, PAGES } from '../src/web/routes.ts'
import { blobFor, fileSeed, idAt, insertFiles, writeContent } from './support/file-rows.ts'
import { form, type Library, openLibrary, picture } from './support/harness.ts'
import {
  allow,
  allRows,
  insertCategory,
  insertOperation,
  insertPool,
  insertRule,
  insertTag,
  lastOperation,
  putTags,
  ridOf,
  setPublic,
} from './support/object-rows.ts'
import { CALLERS, ROWS } from './support/permission-table.ts'
import { insertShare } from './support/shares.ts'
import { pathsOf } from './support/stored-files.ts'
import { PAGE, type SignedInPage, signInToPage } from './support/web-session.ts'

/** Paths outside /api/v1. */
const OUTSIDE = /^\/($|docs|health|share$|web|worker|s\/)/

const PEOPLE = ['blocked', 'stranger', 'viewer', 'editor', 'owner', 'admin']

const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)
const [FILE, SECOND, FREE_FILE, TRASHED] = [id(1), id(2), id(3), id(4)]
const [SHARE, TOKEN] = [id(51), 'A'.repeat(22)]
const [TAG, THEN_TAG, FREE_TAG, CATEGORY, POOL] = [id(11), id(12), id(13), id(21), id(31)]
const UPLOAD = id(41)

/** What the colons of the paths stand for, apart from users and sessions. */
const OBJECTS = {
  file_id: FILE,
  trashed_id: TRASHED,
  tag_id: TAG,
  then_tag_id: THEN_TAG,
  free_tag_id: FREE_TAG,
  category_id: CATEGORY,
  pool_id: POOL,
  upload_id: UPLOAD,
  share_id: SHARE,
  token: TOKEN,
}

interface Pair {
  access_token: string
  refresh_token: string
}

/** Which scopes of operations a key of each scope opens. */
const OPENED: Record<KeyScope, string[]> = {
  read: ['any', 'read'],
  upload: ['any', 'upload'],
  tag: ['any', 'read', 'tag'],
  admin: ['any', 'read', 'upload', 'tag', 'admin'],
}

/** The routes of the page's session. */
const isOfSession = (path: string) => /^\/(auth|web\/session)/.test(path)

/** The JSON bodies of the requests that have one. */
function bodies(person: string, pair: Pair): Record<string, unknown> {
  const password = `password of ${person}`
  const permissions = { permissions: [{ user_id: 2 }] }
  return {
    'POST /auth/login': { name: person, password },
    'POST /auth/refresh': { refresh_token: pair.refresh_token },
    'POST /web/session': { name: person, password },
    'POST /web/session/refresh': {},
    'POST /auth/keys': { name: 'Phone', scope: 'upload' },
    'POST /users': { name: 'somebody new', password },
    'PATCH /users/me': { password },
    'PUT /users/me/settings': { language: 'de' },
    'PATCH /users/:user_id': { can_create: true },
    'PATCH /files/:file_id': { notes: 'changed' },
    'PUT /files/:file_id/tags': { tag_ids: [FREE_TAG, THEN_TAG] },
    'POST /files/bulk/tags': { file_ids: [FILE], action: 'add', tag_ids: [FREE_TAG] },
    'POST /files/bulk/delete': { file_ids: [FILE] },
    'POST /files/bulk/update': { file_ids: [FILE], set: { notes: 'changed' } },
    'POST /files/bulk/restore': { file_ids: [TRASHED] },
    'POST /files/bulk/permanent': { file_ids: [TRASHED] },
    'POST /files/bulk/share': { file_ids: [FILE], add: [{ user_id: 1 }], is_public: true },
    'POST /files/reach': { file_ids: [FILE], user_ids: [2] },
    'POST /files/archive': { file_ids: [FILE] },
    'POST /files/known': { sha256: ['0'.repeat(64)] },
    'POST /files/bulk/review': { file_ids: [FILE], needs_review: false },
    'POST /files/bulk/favourite': { file_ids: [FILE], is_favourite: true },
    'POST /files/bulk/common-tags': { file_ids: [FILE] },
    'POST /files/duplicates/dismiss': { file_id_a: FILE, file_id_b: SECOND },
    'POST /files/duplicates/proposals/settle': { items: [{ keep: FILE, discard: [SECOND] }] },
    'POST /files/duplicates/resolve': { keep: SECOND, discard: FILE },
    'POST /files/import': {},
    'POST /tags': { name: 'new' },
    'PATCH /tags/:tag_id': { name: 'changed' },
    'POST /tags/:tag_id/merge': { into: FREE_TAG },
    'POST /tags/:tag_id/rules': { then_tag_id: FREE_TAG },
    'PATCH /tags/:tag_id/rules/:then_tag_id': { is_active: false },
    'POST /categories': { name: 'new' },
    'PATCH /categories/:category_id': { name: 'changed' },
    'POST /pools': { name: 'new' },
    'PATCH /pools/:pool_id': { name: 'changed' },
    'POST /pools/:pool_id/files': { file_ids: [FREE_FILE], position: 0 },
    'POST /pools/:pool_id/files/remove': { file_ids: [FILE] },
    'PUT /pools/:pool_id/files/reorder': { file_ids: [SECOND, FILE] },
    'POST /shares': { pool_id: POOL },
    'POST /shares/reach': { pool_id: POOL },
    'POST /s/:token/password': { password },
    'PUT /acl/file/:file_id': permissions,
    'PUT /acl/tag/:tag_id': permissions,
    'PUT /acl/category/:category_id': permissions,
    'PUT /acl/pool/:pool_id': permissions,
  }
}

/** The headers of requests that need some. */
const HEADERS: Record<string, Record<string, string>> = {
  'POST /uploads': { 'Upload-Length': '1' },
  'PATCH /uploads/:upload_id': {
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  },
}

const UPLOADS = [
  'POST /s/:token/files',
  'POST /files',
  'PUT /files/:file_id/content',
  'POST /files/similar',
]

describe('what each caller may do', () => {
  let library: Library
  let app: ReturnType<typeof createApp>
  let image: Uint8Array
  const users: Record<string, number> = {}
  const pairs = new Map<string, Pair>()
  let blocked: Pair
  let blockedPage: SignedInPage
  const pages = new Map<string, SignedInPage>()
  let isUsed = true

  before(async () => {
    library = await openLibrary()
    app = createApp(library.deps)
    image = await picture()
    mkdirSync(join(library.folder, 'import'))
    for (const name of PEOPLE) {
      const rights = { is_admin: name === 'admin', can_create: name === 'owner' }
      users[name] = await library.addUser(name, rights)
    }
    blocked = await library.signIn('blocked')
    blockedPage = await signInToPage(library, 'blocked')
    const { access_token: token } = await library.signIn('admin')
    const block = { token, body: { is_blocked: true } }
    assert.equal((await library.call('PATCH', `/users/${users.blocked}`, block)).status, 200)
  })
  after(() => library.close())

  it('stands in the table for every route, and the table names no other', () => {
    // The page is the same at each address of its list, for everybody: `/` stands for them all.
    // The drop box, which answers keys alone, has its own callers in `dav/dav.test.ts`.
    const others = [...PAGES, ...FORMER_PAGES, '/dav/*'].filter((path) => path !== '/')
    const routes = app.routes.filter(
      ({ method, path }) => method !== 'ALL' && !others.includes(path),
    )
    const known = routes.map((route) => `${route.method} ${route.path}`)
    const answered = ROWS.map(({ method, path }) => {
      const exact = routes.find((route) => nameOf(route) === `${method} ${fullPath(path)}`)
      const found = exact ?? routes.find((route) => method === route.method && fits(path, route))
      return found ? nameOf(found) : `${method} ${path} is no route`
    })
    assert.deepEqual([...new Set(answered)].sort(), [...new Set(known)].sort())
  })

  for (const { method, path, cells } of ROWS) {
    it(`${method} ${path}`, async () => {
      const found = []
      for (const caller of CALLERS) found.push(await cell(method, path, caller))
      assert.deepEqual(byCaller(found), byCaller(cells))
    })
  }

  for (const { method, path, cells, scope } of ROWS) {
    it(`${method} ${path}, by an admin's key`, async () => {
      const [asNobody, asAdmin] = [cells[0]!, cells.at(-1)!]
      const found: Record<string, string> = {}
      const expected: Record<string, string> = {}
      for (const of of KEY_SCOPES) {
        found[of] = await cell(method, path, 'admin', of)
        expected[of] = scope === 'free' ? asNobody : OPENED[of].includes(scope) ? asAdmin : '403'
      }
      assert.deepEqual(found, expected)
    })
  }

  it('says in the document which scope a key needs', () => {
    const stated = ROWS.map(({ method, path, scope }) => {
      const target = fullPath(path)
        .replaceAll(/:(?:file|trashed|tag)_id/g, FILE)
        .replaceAll(/:\w+/g, '1')
      const described = library.contract.operationOf(method, target)?.description
      return [`${method} ${path}`, described?.['x-key-scope'], scope]
    })
    const wrong = stated.filter(
      ([, said, scope]) => (said ?? 'never') !== (scope === 'free' ? 'never' : scope),
    )
    assert.deepEqual(wrong, [])
  })

  it('leaves no temporary file behind', () => {
    assert.deepEqual(readdirSync(join(library.folder, 'tmp')), [])
  })

  /** Sends the request of a row for a caller, or with a key of theirs, and returns the cell that the answer makes. */
  async function cell(
    method: string,
    path: string,
    caller: string,
    scope?: KeyScope,
  ): Promise<string> {
    if (isUsed || isOfSession(path)) await startAfresh()
    setPublic(library.deps.db, caller === 'public')
    const person = { public: 'stranger', nobody: 'owner' }[caller] ?? caller
    const pair = await signedIn(person)
    const page = path.startsWith('/web') ? await pageOf(person) : null
    const ids: Record<string, unknown> = {
      ...OBJECTS,
      media: page?.media ?? 'none',
      user_id: users.target,
      shared_id: library.deps.shareKeys.fileId(
        { id: SHARE, password_hash: null },
        ridOf(library.deps.db, 'file', FILE),
      ),
      operation: lastOperation(library.deps.db),
      session_id: library.deps.db.get<{ id: number }>(
        'SELECT max(id) AS id FROM sessions WHERE user_id = ?',
        users.owner!,
      )!.id,
      key_id: library.deps.db.get<{ id: number }>('SELECT min(id) AS id FROM api_keys')!.id,
    }
    const token = scope ? keyOf(person, scope) : pair.access_token
    const target = fullPath(path).replace(/:(\w+)/g, (_, name) => String(ids[name]))
    const body = bodies(person, pair)[`${method} ${path}`]
    const headers = new Headers()
    if (caller !== 'nobody') headers.set('Authorization', `Bearer ${token}`)
    if (path.startsWith('/s/')) headers.set('X-Tagstead', '1')
    const hasCookies = caller !== 'nobody' && !scope
    const sent = page && { ...PAGE, ...(hasCookies && page.jar.header(target)) }
    for (const [name, value] of Object.entries(sent ?? {})) headers.set(name, value)
    if (body) headers.set('Content-Type', 'application/json')
    for (const [name, value] of Object.entries(HEADERS[`${method} ${path}`] ?? {})) {
      headers.set(name, value)
    }
    const isUpload = UPLOADS.includes(`${method} ${path}`)

    const previous = state()
    // The pages for people are in no document.
    const isDescribed = library.contract.operationOf(method, target) !== undefined
    const send = isDescribed ? library.request : app.request
    const response = await send(target, {
      method,
      headers,
      body: isUpload
        ? form(image, 'new.jpg', { name: 'Anna' })
        : body
          ? JSON.stringify(body)
          : null,
    })
    const text = await response.text()
    isUsed = state() !== previous
    return `${response.status}${itemsIn(response, text)}${surprise(method, response, isUsed)}`
  }

  /** Objects, users and sessions as they are meant to be. */
  async function startAfresh(): Promise<void> {
    const { db } = library.deps
    write(db, { now: 0 }, () => {
      for (const table of [
        'files',
        'tags',
        'categories',
        'pools',
        'duplicate_scans',
        'audit_log',
        'sessions',
        'api_keys',
        'user_settings',
        'removals',
        'uploads',
      ]) {
        db.run(`DELETE FROM ${table}`)
      }
      db.run('DELETE FROM users WHERE id > ?', users.admin!)
    })
    const files = [FILE, SECOND, FREE_FILE, TRASHED]
    const owner = users.owner!
    insertFiles(
      db,
      files.map((file) => fileSeed(file, { owner, trashed: file === TRASHED })),
    )
    write(db, { now: 0 }, () => {
      // Each in a cell of its own.
      db.run(
        "INSERT INTO file_positions SELECT rid, printf('%08d', rid % 1000 * 100000), NULL FROM files",
      )
      addObjects()
      db.run(
        "INSERT INTO audit_log (user_id, user_name, action, performed_at) VALUES (0, 'system', 'file_create', 0)",
      )
    })
    users.target = await library.addUser('target')
    keyOf('owner', 'read')
    if (!existsSync(pathsOf(library.deps).content(blobFor(FILE))))
      writeContent(library, FILE, image)
    pairs.clear()
    pages.clear()
    await signedIn('owner')
  }

  function addObjects(): void {
    const { db } = library.deps
    const owner = users.owner!
    insertCategory(db, { id: CATEGORY, name: 'category', owner })
    insertTag(db, { id: TAG, name: 'tag', owner, category: CATEGORY })
    insertTag(db, { id: THEN_TAG, name: 'then', owner })
    insertTag(db, { id: FREE_TAG, name: 'free', owner })
    insertRule(db, TAG, THEN_TAG)
    putTags(db, FILE, [TAG])
    insertPool(db, { id: POOL, name: 'pool', owner, files: [FILE, SECOND] })
    insertShare(db, { id: SHARE, token: TOKEN, owner, pool: POOL, now: library.time.now })
    insertOperation(db, { owner, file: FILE, now: library.time.now })
    const upload = { id: UPLOAD, user_id: owner, name: null, length: 1, fields: '{}' }
    insertUpload(db as Tx, { ...upload, until: library.time.now + 1000 })
    addDuplicates()
    for (const right of ['view', 'edit'] as const) {
      const user = right === 'view' ? users.viewer! : users.editor!
      for (const file of [FILE, SECOND, FREE_FILE, TRASHED]) allow(db, user, 'file', file, right)
      for (const tag of [TAG, THEN_TAG, FREE_TAG]) allow(db, user, 'tag', tag, right)
      allow(db, user, 'category', CATEGORY, right)
      allow(db, user, 'pool', POOL, right)
    }
  }

  /** Two files of one hash, near that of any plain picture, as a rescan finds them. */
  function addDuplicates(): void {
    const { db } = library.deps
    db.run('INSERT INTO duplicate_scans VALUES (1, 8, 0, 0, 1, 1, 0)')
    for (const file of [FILE, SECOND]) {
      const rid = ridOf(db, 'file', file)
      db.run('UPDATE files SET phash = 7 WHERE rid = ?', rid)
      db.run('INSERT INTO duplicate_members VALUES (1, ?, 1, 7)', rid)
    }
  }

  /** Returns a key of a person that has just been used. */
  function keyOf(person: string, scope: KeyScope): string {
    const key = `tsk_${scope.padStart(26, '0').replaceAll(/[w-z]/g, '0')}`
    library.deps.db.run(
      `INSERT OR IGNORE INTO api_keys (user_id, name, scope, digest, created_at, last_use)
       VALUES (?, 'app', ?, ?, 0, ?)`,
      users[person]!,
      scope,
      createHash('sha256').update(key).digest(),
      library.time.now,
    )
    return key
  }

  async function signedIn(person: string): Promise<Pair> {
    if (person === 'blocked') return blocked
    const pair = pairs.get(person) ?? (await library.signIn(person))
    pairs.set(person, pair)
    return pair
  }

  async function pageOf(person: string): Promise<SignedInPage> {
    if (person === 'blocked') return blockedPage
    const page = pages.get(person) ?? (await signInToPage(library, person))
    pages.set(person, page)
    return page
  }

  /** Everything that a refused request must leave as it is. */
  function state(): string {
    const path = pathsOf(library.deps).content(blobFor(FILE))
    const bytes = existsSync(path) ? readFileSync(path, 'base64') : null
    return JSON.stringify([allRows(library.deps.db), bytes])
  }
})

function fullPath(path: string): string {
  return OUTSIDE.test(path) ? path : `/api/v1${path}`
}

function nameOf(route: { method: string; path: string }): string {
  return `${route.method} ${route.path}`
}

function fits(path: string, route: { path: string }): boolean {
  return new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(
    fullPath(path).replace(/\?.*/, ''),
  )
}

function byCaller(cells: string[]): Record<string, string | undefined> {
  return Object.fromEntries(CALLERS.map((caller, index) => [caller, cells[index]]))
}

function itemsIn(response: Response, text: string): string {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return ''
  const body = JSON.parse(text)
  const list = Array.isArray(body) ? body : (body.items ?? body.ids)
  return list ? `:${list.length}` : ''
}

/** `=` for a success that changes nothing where it should, `!` for anything else that changes something. */
function surprise(method: string, { ok }: Response, changes: boolean): string {
  if (ok && method !== 'GET') return changes ? '' : '='
  return changes ? '!' : ''
}
