import { userNow } from '../../auth/seen-now.ts'
import { AppError, busy, invalid } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { type Direction, type Place, packCursor, unpackCursor } from '../../db/keyset.ts'
import { stateOf } from '../../db/per-connection.ts'
import { fold } from '../../db/text.ts'
import { read } from '../../db/write.ts'
import { type JsonText, jsonArray } from '../../http/json.ts'
import { RAW_TYPES } from '../../media/endings.ts'
import { MIME_TYPES } from '../../media/sniff.ts'
import { viewTags } from '../../tags/cache.ts'
import { hasPairs } from '../companions/companion-queries.ts'
import { byId, placeOfId } from '../created-queries.ts'
import { presentPage } from '../present.ts'
import { loadFile } from '../queries.ts'
import type { FileCursorPage, FileListQuery, FileSort, Pairs } from '../schema.ts'
import { amongList, countListed, walkFar } from './far.ts'
import { poolNamed } from './named-pool-queries.ts'
import { findNear } from './near.ts'
import { type Listing, type Part, pageOf, placeOf } from './page.ts'
import { type Expression, LEVEL_LIMIT, type Problem, parseFilter, TOKEN_LIMIT } from './parse.ts'
import type { FileList, Walk } from './query.ts'
import { ALL_TIMES } from './range.ts'
import type { Entry } from './statement.ts'
import { buildTree, type Tree } from './tree.ts'

const CURSOR_KEYS = {
  created: 'null',
  content_datetime: 'number',
  timeline: 'number',
  original_name: 'string',
  mime: 'string',
} as const
const FILE_CURSOR = 'files'

/**
 * Returns the page that GET /files asks for. Throws validation errors for its cursor, anchor and filter, and not_found
 * or forbidden for its anchor.
 */
export async function listFiles(
  db: Db,
  viewer: User,
  query: FileListQuery,
): Promise<JsonText<FileCursorPage>> {
  refuseBoth(query)
  const ask = (now: User) => readList(db, now, query)
  return withRightsOfNow(db, viewer, ask, ({ list, place }) => {
    const listing = filesListed(db, list)
    return pageOfFiles(db, list.viewer, listing, {
      ...query,
      place: query.anchor === undefined ? place : anchorPlace(db, list.viewer, listing, query),
    })
  })
}

/**
 * Returns a page of the files of a tag, newest first. Throws a validation error for a wrong cursor before `tag` looks
 * up the tag.
 */
export async function listFilesOfTag(
  db: Db,
  viewer: User,
  tag: (viewer: User) => { rid: number },
  query: { cursor?: string | undefined; direction: Direction; limit: number },
): Promise<JsonText<FileCursorPage>> {
  const sorted = { sort: 'created', order: 'desc' } as const
  const cursor = readCursor(db, { cursor: query.cursor })
  if (cursor && (cursor.sort !== sorted.sort || cursor.order !== sorted.order)) {
    throw invalid('cursor', 'is not a cursor of this list')
  }
  const all = { trash: false, search: '', range: ALL_TIMES, pool: null }
  const ask = (now: User): FileList => {
    const tree: Tree = { kind: 'tags', match: 'any', tags: [tag(now).rid], negated: false }
    return { viewer: now, ...sorted, ...all, tree }
  }
  return withRightsOfNow(db, viewer, ask, (list) =>
    pageOfFiles(db, list.viewer, filesListed(db, list), { ...query, place: cursor?.place ?? null }),
  )
}

/** Throws a validation error for a query that names a cursor and an anchor. */
export function refuseBoth({ cursor, anchor }: Pick<FileListQuery, 'cursor' | 'anchor'>): void {
  if (cursor !== undefined && anchor !== undefined) {
    throw invalid('anchor', "can't be combined with a cursor")
  }
}

/** The part of a query that defines a list. */
export type ListQuery = Omit<FileListQuery, 'direction' | 'limit' | 'anchor' | 'sort'> & {
  sort?: FileSort | 'timeline' | undefined
  pairs?: Pairs | undefined
}

/**
 * Returns the list of files that a query asks for, and the place of its cursor. Throws validation errors for its cursor
 * and filter.
 */
export function readList(
  db: Db,
  viewer: User,
  query: ListQuery,
): { list: FileList; place: Place | null } {
  const cursor = readCursor(db, query)
  const list: FileList = {
    viewer,
    sort: cursor?.sort ?? query.sort ?? 'created',
    order: query.order ?? cursor?.order ?? 'desc',
    ...readAsked(db, viewer, query),
    pool: null,
  }
  return { list, place: cursor?.place ?? null }
}

/** The conditions of a query on the files themselves, whatever their order. */
export type Asked = Pick<FileList, 'tree' | 'search' | 'range' | 'trash' | 'pairs'>

/** Returns the conditions of a query on the files themselves. Throws a validation error for its filter. */
export function readAsked(
  db: Db,
  viewer: User,
  query: Pick<ListQuery, 'filter' | 'search' | 'trash' | 'pairs'> &
    Partial<Pick<ListQuery, 'from' | 'to'>>,
): Asked {
  return {
    tree: readFilter(db, viewer, query.filter ?? ''),
    search: fold(query.search ?? ''),
    range: { from: query.from ?? null, to: query.to ?? null },
    trash: query.trash,
    pairs: query.pairs === '1' && hasPairs(db),
  }
}

/** Returns a list of files from which pages can be taken. */
export function filesListed(db: Db, list: FileList): Listing {
  return {
    walk: (part) => walkFiles(db, { list, ...part }),
    find: (rid) => amongList(db, list, [rid])[0],
    cursorAt: (place) => fileCursor(list, place),
  }
}

async function walkFiles(db: Db, request: Walk): Promise<Entry[]> {
  return (
    findNear(db, request) ??
    settled(db, {
      find: () => walkFar(db, request),
      count: (rids) => countListed(db, request.list, rids),
    })
  )
}

/**
 * Returns the result of `find` for what `ask` returns with the viewer's present rights, and repeats both when that
 * result changes meanwhile. Throws what both throw, and busy when it keeps changing.
 */
export async function withRightsOfNow<Asked, Answer>(
  db: Db,
  { id }: User,
  ask: (viewer: User) => Asked,
  find: (asked: Asked) => Promise<Answer>,
): Promise<Answer> {
  const mayTryAgain = createTries()
  for (;;) {
    const state = stateOf(db)
    const asked = ask(userNow(db, id))
    const answer = await find(asked)
    if (stateOf(db) === state) return answer
    if (JSON.stringify(ask(userNow(db, id))) === JSON.stringify(asked)) return answer
    if (!mayTryAgain()) throw busy(TOO_QUICKLY)
  }
}

// A result that has changed meanwhile is looked up again at most this often, and only while it has taken less than
// QUICK milliseconds.
const MOST_TRIES = 3
const QUICK = 1000
const TOO_QUICKLY = 'What this list holds changes too quickly; try again'

function createTries(): () => boolean {
  const begun = performance.now()
  let tries = 1
  return () => tries++ < MOST_TRIES && performance.now() - begun < QUICK
}

/**
 * Returns what a reader finds, once `count` confirms that all of it is still in the list: files that were hidden,
 * trashed or changed meanwhile must not be shown. Throws busy when it keeps changing.
 */
export async function settled(
  db: Db,
  { find, count }: { find: () => Promise<Entry[]>; count: (rids: number[]) => number },
): Promise<Entry[]> {
  const mayTryAgain = createTries()
  for (;;) {
    const state = stateOf(db)
    const found = await find()
    if (stateOf(db) === state) return found
    if (count(found.map(({ rid }) => rid)) === found.length) return found
    if (!mayTryAgain()) throw busy(TOO_QUICKLY)
  }
}

/** Returns the text of a cursor at a place of a list of files. */
export function fileCursor(
  { sort, order }: Pick<FileList, 'sort' | 'order'>,
  place: Place,
): string {
  return packCursor(FILE_CURSOR, { sort, order, place: sort === 'created' ? byId(place) : place })
}

/**
 * Returns the tree of a filter for a viewer, null for an empty one. Throws a validation error, also for one that names
 * a pool that fills itself, if the viewer may view that.
 */
export function readFilter(db: Db, viewer: User, filter: string): Tree | null {
  return treeFor(db, viewer, readExpression(filter), ({ rid, isSmart }, id) => {
    if (isSmart) throw invalid('filter', `must not name an album that fills itself: p=${id}`)
    return rid
  })
}

/** Returns the tree of a pool's filter for a viewer. What it names and the viewer may not view matches nothing. */
export function readStoredFilter(db: Db, viewer: User, filter: string): Tree | null {
  const { expression, broken } = parseFilter(filter)
  if (broken) return { kind: 'never' }
  return treeFor(db, viewer, expression, ({ rid }) => rid)
}

function treeFor(
  db: Db,
  viewer: User,
  expression: Expression | null,
  ridOfPool: (pool: { rid: number; isSmart: boolean }, id: string) => number,
): Tree | null {
  if (!expression) return null
  const tags = viewTags(db, viewer)
  return buildTree(expression, {
    tag: (id) => tags.byId(id)?.rid ?? null,
    tagsOf: (category) =>
      tags.visible().flatMap((tag) => {
        const own = tags.categoryOf(tag)
        return own && (category === null || own.id === category) ? [tag.rid] : []
      }),
    pool(id) {
      const pool = poolNamed(db, viewer, id)
      return pool && ridOfPool(pool, id)
    },
    mimeTypes: [...MIME_TYPES.keys()],
    rawTypes: [...RAW_TYPES.keys()],
  })
}

// Of the two orders of dates, a cursor goes on in its own.
function sortNamed(sort: FileSort | 'timeline'): FileSort {
  return sort === 'timeline' ? 'content_datetime' : sort
}

function readCursor(db: Db, query: Pick<ListQuery, 'cursor' | 'sort' | 'order'>) {
  if (query.cursor === undefined) return null
  const cursor = unpackCursor<keyof typeof CURSOR_KEYS>(FILE_CURSOR, CURSOR_KEYS, query.cursor)
  const named = { sort: sortNamed(cursor.sort), order: cursor.order }
  const asked = { sort: query.sort && sortNamed(query.sort), order: query.order }
  for (const field of ['sort', 'order'] as const) {
    if (asked[field] !== undefined && asked[field] !== named[field]) {
      throw invalid(field, `must be ${named[field]}, as in the cursor`)
    }
  }
  if (cursor.sort !== 'created') return cursor
  return { ...cursor, place: placeOfId(db, cursor) }
}

/**
 * Returns the place next to the anchor from which the page begins with the anchor. Throws not_found, also for an anchor
 * that is not in the list, and forbidden.
 */
export function anchorPlace(
  db: Db,
  viewer: User,
  listing: Listing,
  { anchor = '', direction }: { anchor?: string | undefined; direction: Direction },
): Place {
  const { rid } = loadFile(db, viewer, anchor, 'view')
  const entry = listing.find(rid)
  if (!entry) throw new AppError('not_found', 'The anchor is not in this list')
  return placeOf(entry, direction === 'forward' ? 'before' : 'after')
}

async function pageOfFiles(
  db: Db,
  viewer: User,
  listing: Listing,
  part: Part,
): Promise<JsonText<FileCursorPage>> {
  const { items, next, prev } = await pageOf(listing, part, (found) => {
    const rids = found.map((entry) => entry.rid)
    // One transaction: rows and tags belong to the same moment, and each separate read has its price.
    const { files, taken } = read(db, () => presentPage(db, viewer, rids))
    return { items: files, taken }
  })
  return `{"items":${jsonArray(items)},"next_cursor":${JSON.stringify(next)},"prev_cursor":${JSON.stringify(prev)}}`
}

const PROBLEMS: Record<Problem, string> = {
  braces: 'a filter needs braces: {token,token,...}',
  'too many tokens': `more than ${TOKEN_LIMIT} tokens`,
  'too deep': `more than ${LEVEL_LIMIT} levels of parentheses`,
  'unknown token': 'no such token',
  'no id': '"t=" needs the UUID of a tag',
  'condition expected': 'expected a condition, "(" or "!"',
  'closing expected': 'expected ")"',
  'operator expected': 'expected "&", "|" or the end',
}
const SHOWN = 60

/**
 * Returns the expression of a filter, null for one without conditions. Throws a validation error that names the place
 * of the mistake.
 */
export function readExpression(filter: string): Expression | null {
  const { expression, broken } = parseFilter(filter)
  if (!broken) return expression
  const { problem, token, start, end } = broken
  if (token === null) throw invalid('filter', `${PROBLEMS[problem]}, not the end`)
  const text = filter.slice(start, end)
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  const place = `token ${token} ("${shown}", character ${start + 1})`
  throw invalid('filter', `${place}: ${PROBLEMS[problem]}`)
}
