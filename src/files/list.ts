import type { Db } from '../db/client.ts'
import { type Direction, type Place, packCursor, unpackCursor } from '../db/keyset.ts'
import { fold } from '../db/text.ts'
import { AppError, invalid } from '../errors.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import { MIME_TYPES } from '../media/sniff.ts'
import { viewTags } from '../tags/cache.ts'
import type { User } from '../user.ts'
import { parseFilter } from './filter/parse.ts'
import type { FileList } from './filter/query.ts'
import { ALL_TIMES } from './filter/range.ts'
import { buildTree, type Tree } from './filter/tree.ts'
import { presentPage } from './present.ts'
import { loadFile } from './queries.ts'
import type { FileCursorPage, FileListQuery, FileSort } from './schema.ts'
import { type Entry, findEntry, walkFiles } from './walk.ts'

/** The sorts with the types of their keys, and the name that cursors carry for this list. */
const CURSOR_KEYS = {
  created: 'null',
  content_datetime: 'number',
  original_name: 'string',
  mime: 'string',
} as const
const FILE_CURSOR = 'files'

/**
 * Returns the page that GET /files asks for. Throws validation errors for its cursor, anchor and
 * filter, and not_found or forbidden for its anchor.
 */
export async function listFiles(
  db: Db,
  viewer: User,
  query: FileListQuery,
): Promise<JsonText<FileCursorPage>> {
  if (query.cursor !== undefined && query.anchor !== undefined) {
    throw invalid('anchor', "can't be combined with a cursor")
  }
  const cursor = readCursor(query)
  const list: FileList = {
    viewer,
    sort: query.sort ?? cursor?.sort ?? 'created',
    order: query.order ?? cursor?.order ?? 'desc',
    trash: query.trash,
    tree: readFilter(db, viewer, query.filter ?? ''),
    search: fold(query.search ?? ''),
    range: { from: query.from ?? null, to: query.to ?? null },
    pool: null,
  }
  const { direction, limit } = query
  const place =
    query.anchor === undefined
      ? (cursor?.place ?? null)
      : await anchorPlace(db, list, query.anchor, direction)
  return pageOfFiles(db, { list, place, direction, limit })
}

/**
 * Returns a page of the files of a tag, newest first. Throws a validation error for a wrong cursor
 * before `tag` looks up the tag.
 */
export async function listFilesOfTag(
  db: Db,
  viewer: User,
  tag: () => { rid: number },
  query: { cursor?: string | undefined; direction: Direction; limit: number },
): Promise<JsonText<FileCursorPage>> {
  const { direction, limit } = query
  const sorted = { sort: 'created', order: 'desc' } as const
  const cursor = readCursor({ cursor: query.cursor })
  if (cursor && (cursor.sort !== sorted.sort || cursor.order !== sorted.order)) {
    throw invalid('cursor', 'is not a cursor of this list')
  }
  const tree: Tree = { kind: 'tags', match: 'any', tags: [tag().rid], negated: false }
  const list: FileList = {
    viewer,
    ...sorted,
    trash: false,
    tree,
    search: '',
    range: ALL_TIMES,
    pool: null,
  }
  return pageOfFiles(db, { list, place: cursor?.place ?? null, direction, limit })
}

/** Returns the tree of a filter for a viewer, null for an empty one. Throws a validation error. */
export function readFilter(db: Db, viewer: User, filter: string): Tree | null {
  const expression = parseFilter(filter)
  if (!expression) return null
  const tags = viewTags(db, viewer)
  return buildTree(expression, {
    tag: (id) => tags.byId(id)?.rid ?? null,
    mimeTypes: [...MIME_TYPES.keys()],
  })
}

function readCursor(query: Pick<FileListQuery, 'cursor' | 'sort' | 'order'>) {
  if (query.cursor === undefined) return null
  const cursor = unpackCursor<FileSort>(FILE_CURSOR, CURSOR_KEYS, query.cursor)
  for (const field of ['sort', 'order'] as const) {
    if (query[field] !== undefined && query[field] !== cursor[field]) {
      throw invalid(field, `must be ${cursor[field]}, as in the cursor`)
    }
  }
  return cursor
}

/** Returns the place next to the anchor from which the page begins with the anchor. */
async function anchorPlace(
  db: Db,
  list: FileList,
  anchor: string,
  direction: Direction,
): Promise<Place> {
  const { rid } = loadFile(db, list.viewer, anchor, 'view')
  const entry = await findEntry(db, list, rid)
  if (!entry) throw new AppError('not_found', 'The anchor is not in this list')
  return placeOf(entry, direction === 'forward' ? 'before' : 'after')
}

/**
 * Returns the page of at most `limit` files from `place` on in `direction`, fewer when they are large;
 * without a place, from the end of the list where the direction starts. Items are in the order of the
 * list; a cursor is null if and only if nothing is left in its direction.
 */
async function pageOfFiles(
  db: Db,
  request: { list: FileList; place: Place | null; direction: Direction; limit: number },
): Promise<JsonText<FileCursorPage>> {
  const { list, place, direction, limit } = request
  const ahead = await walkFiles(db, { ...request, limit: limit + 1 })
  // This comes before looking behind the page, which lets other requests run and change files.
  const { files, taken } = presentPage(
    db,
    list.viewer,
    ahead.slice(0, limit).map((entry) => entry.rid),
  )
  const entries = ahead.slice(0, taken)
  const goesOn = ahead.length > taken
  if (direction === 'backward') {
    entries.reverse()
    files.reverse()
  }

  const start = entries[0] ? placeOf(entries[0], 'before') : place
  const end = entries.length > 0 ? placeOf(entries.at(-1)!, 'after') : place
  const [near, back] =
    direction === 'forward' ? [start, 'backward' as const] : [end, 'forward' as const]
  // A page that doesn't start at an end of the list may have something behind it.
  const comesFrom = place !== null && (await isAnything(db, list, near, back))

  const cursor = (at: Place | null, exists: boolean) =>
    at && exists
      ? JSON.stringify(packCursor(FILE_CURSOR, { sort: list.sort, order: list.order, place: at }))
      : 'null'
  const next = cursor(end, direction === 'forward' ? goesOn : comesFrom)
  const prev = cursor(start, direction === 'forward' ? comesFrom : goesOn)
  return `{"items":${jsonArray(files)},"next_cursor":${next},"prev_cursor":${prev}}`
}

async function isAnything(
  db: Db,
  list: FileList,
  place: Place | null,
  direction: Direction,
): Promise<boolean> {
  return (await walkFiles(db, { list, place, direction, limit: 1 })).length > 0
}

function placeOf(entry: Entry, side: Place['side']): Place {
  return { key: entry.key, id: entry.id, side }
}
