import { accessCondition } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import { columnNames } from '../../db/columns.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import type { Sql } from '../../db/sql.ts'
import { waysOf } from './traits.ts'
import type { Tree } from './tree.ts'

const f = columnNames(files, 'f')
const p = columnNames(fileTags, 'p')
const v = columnNames(fileTags, 'v')
const t = columnNames(tags, 't')

/** Returns the condition that the file in the row `f` of files matches the tree. */
export function probe(tree: Tree, viewer: User): Sql {
  switch (tree.kind) {
    case 'always':
      return { sql: '1', params: [] }
    case 'never':
      return { sql: '0', params: [] }
    case 'tags':
      return tagsProbe(tree)
    case 'untagged': {
      const seen = visibleTagOf(viewer)
      return { sql: `${tree.negated ? '' : 'NOT '}EXISTS (${seen.sql})`, params: seen.params }
    }
    case 'mime':
      return {
        sql: `${f.mime_type} IN (SELECT value FROM json_each(?))`,
        params: [JSON.stringify(tree.types)],
      }
    case 'trait': {
      const { sql, params } = waysOf(tree.trait).sql(viewer)
      return tree.negated ? { sql: `NOT ifnull(${sql}, 0)`, params } : { sql, params }
    }
    case 'and':
    case 'or': {
      const items = tree.items.map((item) => probe(item, viewer))
      return {
        sql: `(${items.map((item) => item.sql).join(tree.kind === 'and' ? ' AND ' : ' OR ')})`,
        params: items.flatMap((item) => item.params),
      }
    }
  }
}

/** Returns whether `probe` reads columns of the file's row, and not only of indexes. */
export function probesRow(tree: Tree): boolean {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.items.some(probesRow)
  return tree.kind === 'mime' || (tree.kind === 'trait' && waysOf(tree.trait).readsRow)
}

function tagsProbe(tree: Tree & { kind: 'tags' }): Sql {
  const not = tree.negated ? 'NOT ' : ''
  const [first] = tree.tags
  if (tree.tags.length === 1 && first !== undefined) {
    return {
      sql: `${not}EXISTS (SELECT 1 FROM file_tags p WHERE ${p.file_rid} = ${f.rid} AND ${p.tag_rid} = ?)`,
      params: [first],
    }
  }
  // The plus sign keeps SQLite from seeking once for each tag in the list: a file has few tags.
  const among = `${p.file_rid} = ${f.rid} AND +${p.tag_rid} IN (SELECT value FROM json_each(?))`
  const list = JSON.stringify(tree.tags)
  return tree.match === 'any'
    ? { sql: `${not}EXISTS (SELECT 1 FROM file_tags p WHERE ${among})`, params: [list] }
    : {
        sql: `${not}(SELECT count(*) FROM file_tags p WHERE ${among}) = ?`,
        params: [list, tree.tags.length],
      }
}

function visibleTagOf(viewer: User): Sql {
  if (viewer.is_admin) {
    const deleted = `SELECT ${t.rid} FROM tags t INDEXED BY tags_deleted WHERE ${t.is_deleted} = 1`
    return {
      sql: `SELECT 1 FROM file_tags v WHERE ${v.file_rid} = ${f.rid} AND ${v.tag_rid} NOT IN (${deleted})`,
      params: [],
    }
  }
  const visible = accessCondition(viewer, 'tag', 'view', 't')
  return {
    sql: `SELECT 1 FROM file_tags v CROSS JOIN tags t ON ${t.rid} = ${v.tag_rid}
      WHERE ${v.file_rid} = ${f.rid} AND ${t.is_deleted} = 0 AND ${visible.sql}`,
    params: visible.params,
  }
}
