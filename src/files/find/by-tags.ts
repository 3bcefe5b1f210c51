import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { favouritesAmong } from '../favourites/favourite-queries.ts'
import { hiddenTags } from './hidden-tags.ts'
import type { Entry } from './statement.ts'
import { holds, type Tree } from './tree.ts'

const f = columnNames(files, 'f')
const ft = columnNames(fileTags, 'ft')

type Row = [rid: number, type: string, review: number, tags: number[]]

interface Asked {
  tags: number[]
  type: string
  needsReview: boolean
  isFavourite: boolean
}

/**
 * Returns those of the entries that match a tree, in their order. It is for trees with too many leaves for a statement
 * to check in time.
 */
export function matchingAmong(db: Db, tree: Tree, viewer: User, entries: Entry[]): Entry[] {
  const rids = entries.map(({ rid }) => rid)
  const { found } = db.get<{ found: string }>(
    `SELECT json_group_array(json_array(${f.rid}, ${f.mime_type}, ${f.needs_review},
       json((SELECT json_group_array(${ft.tag_rid}) FROM file_tags ft WHERE ${ft.file_rid} = ${f.rid})))) AS found
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`,
    JSON.stringify(rids),
  )!
  const hidden = new Set(holds(tree, 'untagged') ? hiddenTags(db, viewer) : [])
  const liked = holds(tree, 'favourite') ? favouritesAmong(db, viewer, rids) : null
  const matching = new Set<number>()
  for (const [rid, type, review, tags] of JSON.parse(found) as Row[]) {
    const file = { type, needsReview: review === 1, isFavourite: liked?.has(rid) === true, tags }
    if (matches(tree, file, hidden)) matching.add(rid)
  }
  return entries.filter(({ rid }) => matching.has(rid))
}

function matches(tree: Tree, file: Asked, hidden: ReadonlySet<number>): boolean {
  switch (tree.kind) {
    case 'always':
      return true
    case 'never':
      return false
    case 'tags': {
      const has = (tag: number) => file.tags.includes(tag)
      return (tree.match === 'any' ? tree.tags.some(has) : tree.tags.every(has)) !== tree.negated
    }
    case 'untagged':
      return file.tags.every((tag) => hidden.has(tag)) !== tree.negated
    case 'mime':
      return tree.types.includes(file.type)
    case 'review':
      return file.needsReview === tree.needed
    case 'favourite':
      return file.isFavourite === tree.wanted
    case 'and':
      return tree.items.every((item) => matches(item, file, hidden))
    case 'or':
      return tree.items.some((item) => matches(item, file, hidden))
  }
}
