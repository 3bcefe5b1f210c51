import { join } from 'node:path'
import { blobToUuid } from '../../../src/db/columns.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { UPLOADS } from '../../../src/http/clients/turns.ts'
import { MOST_UPLOADS } from '../../../src/uploads/uploads.ts'
import { heldWait } from '../held-wait.ts'
import { lastOperation, ridOf } from '../object-rows.ts'
import { type Ask, IDS, LINKS, UNKNOWN_NUMBER, type World } from './world.ts'

/** A request, or a function that makes it; `done` is called when it has been answered. */
export type AskOf = Ask | ((world: World) => Ask | Promise<Ask & { done?: () => unknown }>)

/** For each status, a request that is answered with it. */
export type Row = Record<number, AskOf>

const { file, second, trashed, tag, follower, free, hidden, pool, unknown } = IDS
const known = { headers: { 'If-None-Match': '*' } }
const range = (text: string) => ({ headers: { Range: `bytes=${text}` } })
const upload = (world: World): Ask => ({ file: world.image })
/** Asks with a part of an upload; what it must be is in the headers. */
const part = (bytes: Uint8Array, headers: Record<string, string> = {}): Ask => ({
  body: bytes,
  headers: {
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(bytes.length),
    ...headers,
  },
})
const begun = (headers: Record<string, string> = {}): Ask => ({
  headers: { 'Upload-Length': '1', ...headers },
})
const oldTus = { 'Tus-Resumable': '0.2.2' }
const other = Buffer.from('this is no picture')
const pieces: Row = { 200: {}, 206: range('0-9'), 304: known, 416: range('999999-') }
/** The way to the file leads past the session of the page. */
const piecesForPage: Row = {
  ...pieces,
  400: { path: { file_id: 'nonsense' } },
  404: { path: { file_id: unknown } },
}
const forgedCookie = (library: World['library']) => ({
  Cookie: `tagstead-${library.deps.webTokens.instance}-s=1.1.${'A'.repeat(43)}`,
})
const fromElsewhere = { headers: { 'Sec-Fetch-Site': 'cross-site' } }
const nowhere = { path: { token: 'Z'.repeat(22) } }
const locked = { path: { token: LINKS.locked } }
/** What a link gives, and what it doesn't. */
const ofLink: Row = { 400: { path: { token: 'nonsense' } }, 401: locked, 404: nowhere }
const piecesOfLink: Row = { ...pieces, ...ofLink }
const filmOfLink: Row = Object.fromEntries(
  Object.entries(piecesOfLink).map(([status, ask]) => [
    status,
    ({ library }: World) => {
      library.deps.db.run("UPDATE files SET mime_type = 'video/mp4'")
      return ask as Ask
    },
  ]),
)
const closedFile = ({ library }: World): Ask => {
  const { db, shareKeys } = library.deps
  const closed = db.get<{ id: Uint8Array }>("SELECT id FROM shares WHERE downloads = 'none'")!
  const share = { id: blobToUuid(closed.id), password_hash: null }
  return { path: { token: LINKS.closed, file: shareKeys.fileId(share, ridOf(db, 'file', file)) } }
}
const guests =
  (ask: Ask) =>
  ({ image }: World): Ask => ({ file: image, fields: { name: 'Anna' }, ...ask })
const inPool: Row = {
  200: { query: `?pool=${pool}` },
  403: { as: 'stranger', query: `?pool=${pool}` },
  404: { query: `?pool=${unknown}` },
}
const document: Row = {
  200: {},
  304: async ({ library }) => {
    const { headers } = await library.call('GET', '/openapi.json')
    return { headers: { 'If-None-Match': headers.get('ETag')! } }
  },
}
const body = (value: unknown): Ask => ({ body: value })
/** Asks when the pool fills itself. */
const smart =
  (value: unknown): AskOf =>
  ({ library }) => {
    library.deps.db.run("UPDATE pools SET sort_key = 'created', filter = '{r=1}'")
    return body(value)
  }
/** As many uploads as may be read and wait. */
const crowded = ({ library, users, image }: World) => {
  const { signal } = new AbortController()
  const turns = Array.from({ length: UPLOADS.atOnce + UPLOADS.waiting }, () =>
    library.deps.uploadTurns.take(users.admin, signal),
  )
  const done = () => {
    for (const turn of turns) void turn.then((end) => end())
  }
  return { file: image, done }
}
/** Asks for an archive, and returns the request for its download. */
const archive = async ({ library, signIn }: World) => {
  const token = (await signIn('owner')).access_token
  const body = { file_ids: [file] }
  const asked = await library.call('POST', '/files/archive', { token, body })
  return { query: `?access_token=${asked.body.token}` }
}
/** Waits for changes, until another request of the session comes. */
const replaced = async ({ library, signIn }: World) => {
  const { access_token: token } = await signIn('owner')
  const ask = () => library.call('GET', '/changes', { token })
  const { next } = (await ask()).body
  const { wait } = library.deps
  const { wait: held, begun, pass } = heldWait()
  library.deps.wait = held
  const other = begun().then(ask)
  const done = async () => {
    await other
    await pass()
    library.deps.wait = wait
  }
  const headers = { Authorization: `Bearer ${token}` }
  return { as: 'nobody' as const, query: `?since=${next}`, headers, done }
}
const held = (name: string) => (world: World) => {
  const lock = acquireLock(join(world.library.folder, `${name}.lock`), 'held')
  return { body: {}, done: () => lock.release() }
}
/** Has the tag merged into another one, as long as nobody goes on with it. */
const merging = ({ library: { deps } }: World): Ask => {
  const [old, into] = [ridOf(deps.db, 'tag', tag), ridOf(deps.db, 'tag', free)]
  deps.db.run(
    `INSERT INTO long_changes (kind, subject, user_id, user_name, state, started_at)
     VALUES ('merge_tag', ?, 1, '', '{}', 0)`,
    `merge tag ${old} into ${into}`,
  )
  return {}
}
/** Makes a thousand tags that follow from one, as none can be made to any more; returns the request. */
const withMany = (when: string, ask: (world: World) => Ask) => (world: World) => {
  const { db } = world.library.deps
  db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     INSERT INTO tags (id, name, name_key, creator_id, is_public)
     SELECT unhex('018bcfe5680070009000' || printf('%012x', i)), 'many ' || i, 'many', ?, 0 FROM n`,
    world.users.owner,
  )
  db.run(
    "INSERT INTO tag_rules SELECT ?, rid, 1 FROM tags WHERE name_key = 'many'",
    ridOf(db, 'tag', when),
  )
  return ask(world)
}

/**
 * Every operation with requests for its successes, and for those of its errors to which the usual
 * way, `plainAsk`, doesn't lead.
 */
export const ROWS: Record<string, Row> = {
  getHealth: { 200: {} },
  getOpenApi: document,
  headOpenApi: document,
  login: {
    200: body({ name: 'owner', password: 'password of owner' }),
    401: body({ name: 'owner', password: 'a wrong one' }),
    403: body({ name: 'blocked', password: 'password of blocked' }),
    429: body({ name: 'owner', password: 'a wrong one' }),
  },
  refresh: {
    200: async (world) => {
      const { refresh_token } = await world.signIn('owner')
      return body({ refresh_token })
    },
    401: body({ refresh_token: 'none' }),
    429: body({ refresh_token: 'none' }),
  },
  logout: { 204: {} },
  listSessions: { 200: {} },
  createKey: {
    201: body({ name: 'Phone', scope: 'upload' }),
    404: body({ name: 'Phone', scope: 'upload', pool_id: unknown }),
    409: ({ library, users }) => {
      library.deps.db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
         INSERT INTO api_keys (user_id, name, scope, digest, created_at)
         SELECT ?, 'app', 'read', randomblob(32), 0 FROM n`,
        users.admin,
      )
      return body({ name: 'Phone', scope: 'upload' })
    },
  },
  listKeys: { 200: {} },
  endKey: { 204: {}, 404: { path: { key_id: UNKNOWN_NUMBER } } },
  endSession: { 204: {}, 404: { path: { session_id: UNKNOWN_NUMBER } } },

  createShare: {
    201: body({ pool_id: pool }),
    403: { as: 'stranger', body: { pool_id: pool } },
    404: body({ pool_id: unknown }),
    409: smart({ pool_id: pool }),
  },
  readShareReach: {
    200: body({ file_ids: [file] }),
    403: { as: 'stranger', body: { pool_id: pool } },
    404: body({ pool_id: unknown }),
    409: smart({ pool_id: pool }),
  },
  listShares: { 200: {} },
  endShare: { 204: {} },
  listShared: { 200: {}, ...ofLink },
  openShared: {
    ...ofLink,
    204: body({ password: '' }),
    401: { ...locked, body: { password: 'a wrong one' } },
    403: { body: {}, ...fromElsewhere },
    404: { ...nowhere, body: { password: '' } },
    429: { ...locked, body: { password: 'a wrong one' } },
  },
  getSharedThumbnail: piecesOfLink,
  headSharedThumbnail: piecesOfLink,
  getSharedPreview: piecesOfLink,
  headSharedPreview: piecesOfLink,
  getSharedFilm: filmOfLink,
  headSharedFilm: filmOfLink,
  getSharedContent: { ...piecesOfLink, 403: closedFile },
  headSharedContent: { ...piecesOfLink, 403: closedFile },
  getSharedArchive: {
    200: {},
    ...ofLink,
    403: { path: { token: LINKS.closed } },
    429: async ({ library }) => {
      const begin = () => library.request(`/s/${LINKS.open}/archive`)
      const under = [await begin(), await begin()]
      return { done: () => Promise.all(under.map((response) => response.body?.cancel())) }
    },
  },
  uploadShared: {
    204: guests({}),
    400: { file: other },
    401: guests(locked),
    403: guests({ path: { token: LINKS.closed } }),
    404: guests(nowhere),
    415: guests({ file: other }),
    429: guests({}),
  },

  signInToWeb: {
    200: { as: 'nobody', body: { name: 'owner', password: 'password of owner' } },
    401: { as: 'nobody', body: { name: 'owner', password: 'a wrong one' } },
    403: { as: 'nobody', body: { name: 'blocked', password: 'password of blocked' } },
    429: { as: 'nobody', body: { name: 'owner', password: 'a wrong one' } },
  },
  refreshWebSession: {
    200: body({}),
    204: { as: 'nobody', body: {} },
    401: ({ library }) => ({ as: 'nobody', body: {}, headers: forgedCookie(library) }),
    403: { body: {}, ...fromElsewhere },
    429: ({ library }) => ({ as: 'nobody', body: {}, headers: forgedCookie(library) }),
  },
  signOutOfWeb: {
    204: {},
    400: { headers: { 'Content-Type': 'text/plain' } },
    403: fromElsewhere,
  },
  getWebThumbnail: piecesForPage,
  headWebThumbnail: piecesForPage,
  getWebPreview: piecesForPage,
  headWebPreview: piecesForPage,
  getWebFull: piecesForPage,
  headWebFull: piecesForPage,
  getWebContent: piecesForPage,
  headWebContent: piecesForPage,

  listUsers: { 200: {} },
  createUser: {
    201: body({ name: 'new', password: 'new' }),
    409: body({ name: 'owner', password: 'new' }),
    429: body({ name: 'new', password: 'new' }),
  },
  getSelf: { 200: {} },
  updateSelf: {
    200: { as: 'target', body: { password: 'another' } },
    403: { as: 'target', body: { password: 'another', current_password: 'a wrong one' } },
    409: body({ name: 'owner' }),
    429: { as: 'target', body: { password: 'another' } },
  },
  listPeople: { 200: {} },
  getSettings: { 200: {} },
  replaceSettings: { 200: body({ language: 'de' }) },
  getUser: { 200: {} },
  updateUser: {
    200: body({ can_create: true }),
    409: ({ users }) => ({ path: { user_id: users.admin }, body: { is_admin: false } }),
  },
  deleteUser: { 204: {}, 409: ({ users }) => ({ path: { user_id: users.admin } }) },
  resetPassword: { 200: {}, 409: ({ users }) => ({ path: { user_id: users.admin } }), 429: {} },

  listFiles: {
    200: {},
    403: { as: 'stranger', query: `?anchor=${file}` },
    404: { query: `?anchor=${unknown}` },
  },
  listFileIds: inPool,
  listCells: inPool,
  countFacets: {
    ...{ 200: { query: '?of=type' }, 400: { query: '?of=colour' } },
    403: { as: 'stranger', query: `?of=size&pool=${pool}` },
    404: { query: `?of=review&pool=${unknown}` },
  },
  getTimeline: { ...inPool, 400: { query: '?sort=mime' } },
  readMap: { ...inPool, 400: { query: '?cells=9' } },
  uploadFile: {
    200: async ({ library, image, signIn }) => {
      await library.upload((await signIn('admin')).access_token, image)
      return { file: image, fields: { on_duplicate: 'skip' } }
    },
    201: upload,
    404: ({ image }) => ({ file: image, fields: { tag_ids: unknown } }),
    409: withMany(free, ({ image }) => ({ file: image, fields: { tag_ids: free } })),
    415: { file: other },
    429: crowded,
  },
  createUpload: {
    201: begun(),
    400: begun({ 'Upload-Length': '0' }),
    404: begun({ 'Upload-Metadata': `tag_ids ${Buffer.from(unknown).toString('base64')}` }),
    409: async ({ library, signIn }) => {
      const { access_token: token } = await signIn('admin')
      for (let n = 1; n < MOST_UPLOADS; n++) {
        await library.call('POST', '/uploads', { token, ...begun() })
      }
      return begun()
    },
    412: begun(oldTus),
    413: begun({ 'Upload-Length': '999999999999' }),
  },
  getUpload: { 200: {}, 412: { headers: oldTus } },
  appendToUpload: {
    204: ({ image }) => part(image),
    409: ({ image }) => part(image, { 'Upload-Offset': '1' }),
    412: ({ image }) => part(image, oldTus),
    413: ({ image }) => part(Buffer.concat([image, image])),
    415: ({ image }) => part(Buffer.alloc(image.length)),
    429: (world) => ({ ...crowded(world), file: undefined, ...part(world.image) }),
  },
  discardUpload: { 204: {}, 412: { headers: oldTus } },
  getFile: { 200: {} },
  updateFile: { 200: body({ notes: 'changed' }) },
  trashFile: { 204: {} },
  restoreFile: { 200: { path: { file_id: trashed } } },
  deleteFilePermanently: { 204: { path: { file_id: trashed } }, 409: {} },
  recordFileView: { 204: {} },
  addFavourite: { 204: {} },
  removeFavourite: { 204: {} },
  getFileContent: pieces,
  headFileContent: pieces,
  replaceFileContent: { 200: upload, 415: { file: other }, 429: crowded },
  createContentToken: { 200: {} },
  getFileThumbnail: pieces,
  headFileThumbnail: pieces,
  getFilePreview: pieces,
  headFilePreview: pieces,

  listFileTags: { 200: {} },
  replaceFileTags: {
    200: body({ tag_ids: [free] }),
    409: withMany(free, () => body({ tag_ids: [free] })),
  },
  addFileTag: {
    200: { path: { tag_id: free } },
    409: withMany(free, () => ({ path: { tag_id: free } })),
  },
  removeFileTag: { 204: {} },

  bulkTags: {
    200: body({ file_ids: [file, second], action: 'add', tag_ids: [tag] }),
    403: { as: 'owner', body: { file_ids: [file], action: 'add', tag_ids: [hidden] } },
    404: body({ file_ids: [file], action: 'add', tag_ids: [unknown] }),
    409: withMany(free, () => body({ file_ids: [file], action: 'add', tag_ids: [free] })),
  },
  bulkDelete: { 204: body({ file_ids: [file] }) },
  bulkUpdate: { 200: body({ file_ids: [file, unknown], set: {}, shift_minutes: 5, turn: 90 }) },
  bulkShare: {
    200: ({ users }) => body({ file_ids: [file, unknown], add: [{ user_id: users.stranger }] }),
    403: { as: 'stranger', body: { pool_id: IDS.pool } },
    404: body({ pool_id: unknown }),
    409: smart({ pool_id: pool }),
  },
  readThisDay: { 200: { query: '?day=2021-05-06' }, 400: { query: '?day=2021-02-29' } },
  readNews: { 200: {}, 400: { query: '?since=yesterday' } },
  readReach: {
    200: ({ users }) => body({ file_ids: [file, unknown], user_ids: [users.stranger] }),
    403: { as: 'stranger', body: { pool_id: IDS.pool, user_ids: [] } },
    404: body({ file_ids: [], user_ids: [UNKNOWN_NUMBER] }),
  },
  findKnownFiles: { 200: body({ sha256: ['0'.repeat(64)] }) },
  createArchive: {
    200: body({ file_ids: [file, unknown] }),
    403: { as: 'stranger', body: { pool_id: IDS.pool } },
    404: body({ pool_id: unknown }),
  },
  getArchive: {
    200: archive,
    400: async (world) => ({ query: `${(await archive(world)).query}&access_token=x` }),
    401: {},
    404: async (world) => {
      const { query } = await archive(world)
      await (await world.library.fetchRaw('GET', `/files/archive${query}`)).arrayBuffer()
      return { query }
    },
    429: async (world) => {
      const begin = async () => {
        const { query } = await archive(world)
        return world.library.fetchRaw('GET', `/files/archive${query}`)
      }
      const under = [await begin(), await begin()]
      return {
        ...(await archive(world)),
        done: () => Promise.all(under.map((response) => response.body?.cancel())),
      }
    },
  },
  bulkRestore: { 200: body({ file_ids: [trashed, unknown] }) },
  bulkDeletePermanently: { 200: body({ file_ids: [trashed, file, unknown] }) },
  bulkFavourite: { 200: body({ file_ids: [file], is_favourite: true }) },
  bulkReview: { 204: body({ file_ids: [file], needs_review: false }) },
  commonTags: { 200: body({ file_ids: [file, second] }) },

  listDuplicates: { 200: {} },
  listDuplicateIds: { 200: {} },
  dismissDuplicate: {
    204: body({ file_id_a: file, file_id_b: second }),
    404: body({ file_id_a: file, file_id_b: unknown }),
  },
  resolveDuplicate: {
    200: body({ keep: file, discard: second }),
    404: body({ keep: file, discard: unknown }),
    409: body({ keep: file, discard: trashed }),
  },
  listDuplicateProposals: { 200: {} },
  settleDuplicateProposals: { 200: body({ items: [{ keep: file, discard: [second] }] }) },
  getRescan: { 200: {} },
  rescanDuplicates: { 200: {}, 409: held('rescan') },
  listSimilarFiles: { 200: {} },
  findSimilarFiles: { 200: upload, 415: { file: other }, 429: crowded },
  getImport: { 200: {} },
  importFiles: { 200: body({}), 409: held('import') },
  countImport: {
    200: {},
    400: { query: '?path=..' },
    409: ({ library }) => {
      const { config } = library.deps
      const { importPath } = config
      config.importPath = null
      return { query: '', done: () => Object.assign(config, { importPath }) }
    },
  },
  listImportFolders: {
    200: {},
    400: { query: '?path=..' },
    409: ({ library }) => {
      const { config } = library.deps
      const { importPath } = config
      config.importPath = null
      return { query: '', done: () => Object.assign(config, { importPath }) }
    },
  },
  endImport: {
    204: async ({ library, signIn }) => {
      const { access_token: token } = await signIn('admin')
      const response = await library.fetchRaw('POST', '/files/import', { token })
      return { done: () => response.text() }
    },
    409: {},
  },

  listTags: { 200: {} },
  createTag: {
    201: body({ name: 'new' }),
    404: body({ name: 'new', category_id: unknown }),
    409: body({ name: 'tag' }),
  },
  countTags: { ...inPool, 400: { query: '?trash=maybe' } },
  getTag: { 200: {} },
  updateTag: { 200: body({ color: 'ff8800' }), 409: body({ name: 'then' }) },
  deleteTag: { 204: {}, 409: merging },
  mergeTag: {
    200: body({ into: free }),
    400: body({ into: tag }),
    403: { as: 'owner', body: { into: hidden } },
    404: body({ into: unknown }),
    409: (world) => ({ ...merging(world), body: { into: follower } }),
  },
  listTagFiles: { 200: {} },
  listAllTagRules: { 200: {} },
  listTagRules: { 200: {} },
  createTagRule: { 201: body({ then_tag_id: free }), 409: body({ then_tag_id: follower }) },
  updateTagRule: {
    200: body({ is_active: false }),
    409: withMany(follower, ({ library }) => {
      const { db } = library.deps
      const rid = ridOf(db, 'tag', follower)
      db.run('UPDATE tag_rules SET is_active = 0 WHERE then_tag_rid = ?', rid)
      return body({ is_active: true })
    }),
  },
  deleteTagRule: { 204: {} },

  waitForChanges: { 200: {}, 400: { query: '?since=nonsense' }, 409: replaced },
  getStatus: { 200: {} },

  listCategories: { 200: {} },
  createCategory: { 201: body({ name: 'new' }), 409: body({ name: 'category' }) },
  getCategory: { 200: {} },
  updateCategory: {
    200: body({ notes: 'changed' }),
    409: async ({ library, signIn }) => {
      const { access_token: token } = await signIn('owner')
      await library.call('POST', '/categories', { token, body: { name: 'taken' } })
      return body({ name: 'taken' })
    },
  },
  deleteCategory: { 204: {} },
  listCategoryTags: { 200: {} },

  listPools: { 200: {} },
  createPool: {
    201: body({ name: 'new' }),
    409: ({ library, users }) => {
      library.deps.db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
         SELECT unhex('018bcfe5680070009000' || printf('%012x', i)), 'many', 'many', ?, 0, 'manual', 'asc'
         FROM n`,
        users.owner,
      )
      return { as: 'owner', body: { name: 'new' } }
    },
  },
  getPool: { 200: {} },
  updatePool: { 200: body({ sort_key: 'created' }), 409: body({ filter: '{r=1}' }) },
  deletePool: { 204: {} },
  recordPoolView: { 204: {} },
  listPoolFiles: { 200: {} },
  addPoolFiles: {
    201: body({ file_ids: [trashed], position: 0 }),
    409: smart({ file_ids: [trashed] }),
  },
  removePoolFiles: { 204: body({ file_ids: [file] }), 409: smart({ file_ids: [file] }) },
  reorderPoolFiles: { 204: body({ file_ids: [second, file] }) },

  listPermissions: { 200: {} },
  replacePermissions: {
    200: ({ users }) => body({ permissions: [{ user_id: users.stranger, can_edit: true }] }),
  },
  listAuditLog: { 200: {} },
  undoOperation: {
    200: {},
    403: { as: 'stranger' },
    404: { path: { operation: UNKNOWN_NUMBER } },
    409: async ({ library, signIn }) => {
      const token = (await signIn('owner')).access_token
      await library.call('POST', `/operations/${lastOperation(library.deps.db)}/undo`, { token })
      return {}
    },
  },
  listFileHistory: { 200: {} },
}
