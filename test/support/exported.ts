import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Db } from '../../src/db/client.ts'
import {
  LIBRARY_FILE,
  type LibraryLine,
  type WrittenLine,
} from '../../src/exports/library-format.ts'
import { picture } from './harness.ts'
import { openFolders } from './import-folders.ts'
import { putFile, rest, runImport, sha256 } from './imports.ts'

/** A line of a `library.json`, as it is written. */
export type Line = WrittenLine

type Written<Type extends LibraryLine['type']> = Extract<WrittenLine, { type: Type }>

const HEAD: Line = { type: 'library', format: 1 }

/** Writes a `library.json` that is at rest, with these lines after its head. */
export function putLines(folder: string, lines: Line[]): void {
  putText(
    folder,
    [HEAD, ...lines].map((line) => JSON.stringify(line)),
  )
}

/** Writes a `library.json` of these elements, each as a text. */
export function putText(folder: string, elements: string[]): void {
  const path = join(folder, LIBRARY_FILE)
  writeFileSync(path, `[\n${elements.join(',\n')}\n]\n`)
  rest(path)
}

/** Writes a file of an export, and returns its line. */
export function putExported(
  folder: string,
  bytes: Uint8Array,
  told: Partial<Written<'file'>> & { path: string },
): Line {
  mkdirSync(dirname(join(folder, told.path)), { recursive: true })
  putFile(folder, told.path, bytes)
  return {
    type: 'file',
    size: bytes.length,
    sha256: sha256(bytes),
    creator: 'ada',
    date: { time: '2020-05-06T07:08:09.000Z' },
    ...told,
  }
}

const KEPT = 'SELECT rid FROM files WHERE is_deleted = 0'
const OBJECTS = { file: 'files', tag: 'tags', category: 'categories', pool: 'pools' }

/** Returns all that people have made in a library, without ids, times of creation and the log. */
export function madeIn({ deps: { db } }: { deps: { db: Db } }) {
  const rights = (type: keyof typeof OBJECTS, rid: string) =>
    `(SELECT json_group_array(text) FROM (SELECT u.name || ' ' || can_view || can_edit || ' ' || ifnull(p.name, '') AS text
      FROM acl JOIN users u ON u.id = user_id LEFT JOIN pools p ON p.rid = pool_rid
      WHERE object_type = '${type}' AND object_rid = ${rid} ORDER BY text)) AS rights`
  const creator = '(SELECT name FROM users WHERE id = creator_id) AS creator'
  const named = (column: string) => `(SELECT name FROM tags WHERE rid = ${column}) AS ${column}`
  const file = (column: string) =>
    `(SELECT hex(sha256) FROM file_details WHERE file_rid = ${column})`
  const nameOf = (id: string) => {
    for (const table of Object.values(OBJECTS)) {
      const what = table === 'files' ? 'original_name' : 'name'
      const query = `SELECT ${what} AS name FROM ${table} WHERE id = unhex(?)`
      const row = db.get<{ name: string }>(query, id.replaceAll('-', ''))
      if (row) return row.name
    }
    return 'nothing'
  }
  const userOf = (id: string) =>
    db.get<{ name: string }>('SELECT name FROM users WHERE id = ?', Number(id))?.name ?? 'nobody'
  const filterText = (filter: string) =>
    filter
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, nameOf)
      .replace(/\bu=(\d+)/g, (_, id: string) => `u=${userOf(id)}`)
  return {
    users: db.all('SELECT name FROM users WHERE is_deleted = 0 ORDER BY name'),
    categories: db.all(
      `SELECT name, notes, color, metadata, is_public, ${creator}, ${rights('category', 'categories.rid')}
       FROM categories ORDER BY rid`,
    ),
    tags: db.all(
      `SELECT name, notes, color, metadata, is_public, ${creator}, ${rights('tag', 'tags.rid')},
         (SELECT name FROM categories c WHERE c.rid = category_rid) AS category FROM tags ORDER BY rid`,
    ),
    rules: db.all(
      `SELECT ${named('when_tag_rid')}, ${named('then_tag_rid')}, is_active FROM tag_rules ORDER BY 1, 2`,
    ),
    files: db.all(
      `SELECT hex(sha256) AS sha256, original_name, name_key, content_datetime, content_offset, date_source,
         date_precision, is_public, needs_review, tag_count, rotation, notes, metadata, mime_type, ${creator},
         ${rights('file', 'files.rid')},
         (SELECT json_group_array(text) FROM (SELECT name || ' ' || by_hand AS text FROM file_tags
            JOIN tags ON tags.rid = tag_rid WHERE file_rid = files.rid ORDER BY text)) AS tags,
         (SELECT json_group_array(name) FROM (SELECT name FROM favourites JOIN users ON id = user_id
            WHERE file_rid = files.rid ORDER BY name)) AS favourite_of
       FROM files JOIN file_details ON file_rid = rid WHERE is_deleted = 0 ORDER BY rid`,
    ),
    pairs: db.all(
      `SELECT ${file('film_rid')} AS film, ${file('picture_rid')} AS picture FROM companions
       WHERE film_rid IN (${KEPT}) AND picture_rid IN (${KEPT}) ORDER BY film_rid`,
    ),
    pools: db
      .all<{ filter: string | null; files: string }>(
        `SELECT name, notes, metadata, is_public, sort_key, sort_order, shares_files, filter, ${creator},
           ${rights('pool', 'pools.rid')},
           (SELECT json_group_array(text) FROM (SELECT ${file('pool_files.file_rid')} AS text FROM pool_files
              WHERE pool_rid = pools.rid AND file_rid IN (${KEPT}) ORDER BY order_key)) AS files
         FROM pools ORDER BY rid`,
      )
      .map((pool) => ({ ...pool, filter: pool.filter && filterText(pool.filter) })),
    dismissals: db.all(
      `SELECT ${file('file_rid_a')} AS one, ${file('file_rid_b')} AS other FROM duplicate_dismissals
       WHERE file_rid_a IN (${KEPT}) AND file_rid_b IN (${KEPT}) ORDER BY file_rid_a, file_rid_b`,
    ),
  }
}

export const [FIRST, SECOND, THIRD] = [
  '2019/2019-07/b.jpg',
  '2019/2019-07/a.jpg',
  '2020/2020-05/c.jpg',
] as const

const exampleNames = (): Line[] => [
  { type: 'user', name: 'ada' },
  { type: 'user', name: 'kim' },
  { type: 'user', name: 'lee' },
  { type: 'category', name: 'Places', creator: 'kim', color: '00ff00', is_public: true },
  {
    type: 'tag',
    name: 'Italy',
    creator: 'kim',
    category: 'Places',
    notes: 'a boot',
    metadata: { x: 1 },
    rights: [{ user: 'lee' }],
  },
  { type: 'tag', name: 'Rome', creator: 'ada', color: 'ff0000', is_public: true },
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the field
  { type: 'rule', when: 'Rome', then: 'Italy' },
]

async function exampleFiles(folder: string): Promise<Line[]> {
  return [
    putExported(folder, await picture(1), {
      path: FIRST,
      name: 'Rome: the Forum.jpg',
      creator: 'kim',
      is_public: true,
      notes: 'sunny',
      metadata: { b: [1], a: null },
      date: { time: '1987-07-02T12:00:00.000Z', offset: 120, source: 'given', precision: 'year' },
      rotation: 90,
      tags: ['Rome'],
      tags_by_rule: ['Italy'],
      favourite_of: ['kim', 'lee'],
      rights: [{ user: 'gone' }, { user: 'lee', can_edit: true }],
    }),
    putExported(folder, await picture(2), { path: SECOND, needs_review: true, tags: ['Italy'] }),
    putExported(folder, await picture(3), { path: THIRD }),
  ]
}

const examplePools = (): Line[] => [
  {
    type: 'pool',
    name: 'Holidays',
    creator: 'kim',
    sort: 'manual',
    order: 'asc',
    shares_files: true,
    rights: [{ user: 'lee' }],
  },
  { type: 'pool_files', files: [SECOND, FIRST], shared: [FIRST] },
  {
    type: 'pool',
    name: 'Romans',
    creator: 'ada',
    sort: 'created',
    order: 'desc',
    filter: [{ tag: 'Rome' }, '&', { pool: 2 }, '&', { user: 'kim' }, '|', { category: null }],
  },
  { type: 'pool', name: 'Holidays', creator: 'ada', sort: 'manual', order: 'desc' },
  { type: 'pool_files', files: [THIRD, FIRST] },
  { type: 'dismissal', files: [FIRST, SECOND] },
]

async function putExample(folder: string): Promise<void> {
  putLines(folder, [...exampleNames(), ...(await exampleFiles(folder)), ...examplePools()])
}

/** What becomes of the whole example in an import. */
export const WHOLE = [
  [FIRST, 'imported', undefined],
  [SECOND, 'imported', undefined],
  [THIRD, 'imported', undefined],
  [LIBRARY_FILE, 'imported', undefined],
]

/** Opens a library beside an empty folder, into which `everything` puts the example and which `outcomes` imports. */
export async function openExample() {
  const on = await openFolders()
  on.clear()
  return {
    ...on,
    everything: (folder = on.base) => putExample(folder),
    /** Returns what became of each entry. */
    outcomes: async (
      options: Parameters<typeof runImport>[3] = { create_users: true },
      path?: string,
    ) => {
      const events = await runImport(on.library, on.admin, path, options)
      return events.slice(1, -1).map(({ filename, status, reason }) => [filename, status, reason])
    },
    rows: (sql: string) => on.library.deps.db.all(sql),
  }
}
