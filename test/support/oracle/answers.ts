import { blobToUuid, uuidToBlob } from '../../../src/db/columns.ts'
import { fold } from '../../../src/db/text.ts'
import type { Node } from '../filter-trees.ts'
import { filesWithFact } from './facts.ts'
import type { OracleLibrary, Person } from './library.ts'

/** A list of files that somebody asks for. */
export interface Question {
  who: Person
  sort: 'created' | 'content_datetime' | 'original_name' | 'mime'
  order: 'asc' | 'desc'
  trash: boolean
  tree: Node | null
  search: string
  from: string | null
  to: string | null
  /** The id of a pool, in whose own order its files are asked for unless `isSorted`. */
  pool: string | null
  isSorted: boolean
}

const CLOCK = '(f.content_datetime / 1000 + ifnull(f.content_offset, 0) * 60)'
const KEYS = {
  created: 'f.rid',
  /** The last millisecond of what is known. */
  timeline: `CASE WHEN f.date_precision IN ('month', 'year') THEN
    unixepoch(${CLOCK}, 'unixepoch', 'start of ' || f.date_precision, '+1 ' || f.date_precision) * 1000
      - ifnull(f.content_offset, 0) * 60000 - 1
    ELSE f.content_datetime END`,
  content_datetime: 'f.content_datetime',
  original_name: 'f.name_key',
  mime: 'f.mime_type',
}

interface Condition {
  sql: string
  params: (string | number | Uint8Array)[]
}

/**
 * Returns the ids of the files that a question asks for, in their order, by one plain statement. The timeline has what is
 * known in part at its end.
 */
export function answer(oracle: OracleLibrary, question: Question, isTimeline: boolean): string[] {
  const { deps } = oracle.library
  const { who, sort, order, trash, tree, search, from, to, pool, isSorted } = question
  const params: Condition['params'] = []
  const where = ['f.is_deleted = ?']
  params.push(Number(trash))
  const add = (condition: Condition) => {
    where.push(condition.sql)
    params.push(...condition.params)
  }
  add(seen(who, 'file', 'f'))
  if (tree) add(matching(tree, who, oracle))
  if (search !== '') add({ sql: 'instr(f.name_key, ?) > 0', params: [fold(search)] })
  const { own } = pool === null ? { own: null } : ownOrder(question, deps.db)
  const isByCreation = own ? own.sort_key === 'created' : sort === 'created'
  // The first 48 bits of an id are its milliseconds.
  const ends = [
    { end: from, sign: '>=' },
    { end: to, sign: '<' },
  ]
  for (const { end, sign } of ends) {
    if (end === null) continue
    const time = Date.parse(end)
    if (isByCreation) {
      add({
        sql: `hex(substr(f.id, 1, 6)) ${sign} ?`,
        params: [time.toString(16).toUpperCase().padStart(12, '0')],
      })
    } else add({ sql: `f.content_datetime ${sign} ?`, params: [time] })
  }
  let joined = ''
  const key = KEYS[isTimeline && sort === 'content_datetime' ? 'timeline' : sort]
  let by = `${key} ${order}, f.id ${order}`
  if (pool !== null) {
    joined = 'JOIN pool_files p ON p.file_rid = f.rid JOIN pools ON pools.rid = p.pool_rid'
    add({ sql: 'pools.id = ?', params: [uuidToBlob(pool)] })
    if (!isSorted && own) {
      by = own.sort_key === 'manual' ? 'p.order_key' : `f.rid ${own.sort_order}`
    }
  }
  return deps.db
    .all<{ id: Uint8Array }>(
      `SELECT f.id FROM files f ${joined} WHERE ${where.join(' AND ')} ORDER BY ${by}`,
      ...params,
    )
    .map(({ id }) => blobToUuid(id))
}

function ownOrder({ pool, isSorted }: Question, db: OracleLibrary['library']['deps']['db']) {
  const own = db.get<{ sort_key: string; sort_order: string }>(
    'SELECT sort_key, sort_order FROM pools WHERE id = ?',
    uuidToBlob(pool!),
  )!
  return { own: isSorted ? null : own }
}

function seen({ id, isAdmin }: Person, type: 'file' | 'tag', alias: string): Condition {
  if (isAdmin) return { sql: '1', params: [] }
  return {
    sql: `(${alias}.creator_id = ? OR ${alias}.is_public OR ${alias}.rid IN
      (SELECT object_rid FROM acl WHERE user_id = ? AND object_type = '${type}' AND can_view))`,
    params: [id, id],
  }
}

/** Returns the condition that a file matches a tree, for somebody to whom a hidden tag is none. */
function matching(tree: Node, who: Person, oracle: OracleLibrary): Condition {
  const tag = seen(who, 'tag', 't')
  const visible = `SELECT ft.file_rid FROM file_tags ft JOIN tags t ON t.rid = ft.tag_rid
    WHERE NOT t.is_deleted AND ${tag.sql}`
  switch (tree.kind) {
    case 'tag':
      return {
        sql: `f.rid IN (${visible} AND t.id = ?)`,
        params: [...tag.params, uuidToBlob(tree.id)],
      }
    case 'untagged':
      return { sql: `f.rid NOT IN (${visible})`, params: tag.params }
    case 'mime':
      return { sql: 'f.mime_type = ?', params: [tree.text] }
    case 'like':
      return {
        sql: 'f.mime_type GLOB ?',
        params: [tree.text.replaceAll('%', '*').replaceAll('_', '?')],
      }
    case 'review':
      return { sql: 'f.needs_review = ?', params: [Number(tree.needed)] }
    case 'favourite':
      return {
        sql: `f.rid ${tree.wanted ? '' : 'NOT '}IN (SELECT file_rid FROM favourites WHERE user_id = ?)`,
        params: [who.id],
      }
    case 'fact': {
      const found = JSON.stringify(filesWithFact(oracle, tree.token, who))
      return { sql: 'f.rid IN (SELECT value FROM json_each(?))', params: [found] }
    }
    case 'group':
      return matching(tree.item, who, oracle)
    case 'not': {
      const { sql, params } = matching(tree.item, who, oracle)
      return { sql: `NOT ${sql}`, params }
    }
    default: {
      const items = tree.items.map((item) => matching(item, who, oracle))
      return {
        sql: `(${items.map(({ sql }) => sql).join(tree.kind === 'and' ? ' AND ' : ' OR ')})`,
        params: items.flatMap(({ params }) => params),
      }
    }
  }
}
