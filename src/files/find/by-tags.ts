import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { numbersOf, type Sql } from '../../db/sql.ts'
import { hiddenTags } from './hidden-tags.ts'
import type { Entry } from './statement.ts'
import { type Trait, waysOf } from './traits.ts'
import { asksUntagged, type Tree, traitsOf } from './tree.ts'

const f = columnNames(files, 'f')
const ft = columnNames(fileTags, 'ft')

type Row = [rid: number, type: string, tags: number[]]

interface Asked {
  rid: number
  type: string
  tags: number[]
}

/** What is known for all entries: the tags hidden from the viewer, and which entries have a trait. */
interface Known {
  hidden: ReadonlySet<number>
  traits: ReadonlyMap<Trait, ReadonlySet<number>>
}

/**
 * Returns those of the entries that match a tree, in their order. It is for trees with too many leaves for a statement
 * to check in time.
 */
export function matchingAmong(db: Db, tree: Tree, viewer: User, entries: Entry[]): Entry[] {
  const rids = entries.map(({ rid }) => rid)
  const { found } = db.get<{ found: string }>(
    `SELECT json_group_array(json_array(${f.rid}, ${f.mime_type},
       json((SELECT json_group_array(${ft.tag_rid}) FROM file_tags ft WHERE ${ft.file_rid} = ${f.rid})))) AS found
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`,
    JSON.stringify(rids),
  )!
  const hidden = new Set(asksUntagged(tree) ? hiddenTags(db, viewer) : [])
  const traits = new Map<Trait, Set<number>>()
  for (const alike of traitsOf(tree)) {
    const having = amongRows(db, rids, waysOf(alike[0]!).sql(viewer))
    for (const trait of alike) traits.set(trait, having)
  }
  const matching = new Set<number>()
  for (const [rid, type, tags] of JSON.parse(found) as Row[]) {
    if (matches(tree, { rid, type, tags }, { hidden, traits })) matching.add(rid)
  }
  return entries.filter(({ rid }) => matching.has(rid))
}

function amongRows(db: Db, rids: number[], { sql, params }: Sql): Set<number> {
  const among = `SELECT ${f.rid} FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`
  const list = JSON.stringify(rids)
  return new Set(numbersOf(db, { sql: `${among} WHERE ${sql}`, params: [list, ...params] }))
}

function matches(tree: Tree, file: Asked, known: Known): boolean {
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
      return file.tags.every((tag) => known.hidden.has(tag)) !== tree.negated
    case 'mime':
      return tree.types.includes(file.type)
    case 'trait':
      return known.traits.get(tree.trait)!.has(file.rid) !== tree.negated
    case 'and':
      return tree.items.every((item) => matches(item, file, known))
    case 'or':
      return tree.items.some((item) => matches(item, file, known))
  }
}
