import { accessCondition, type Rows } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import { columnNames } from '../../db/columns.ts'
import { favourites, fileDetails, fileLooks, fileNotes } from '../../db/schema/files.ts'
import { poolFiles, pools } from '../../db/schema/pools.ts'
import { and, type Sql } from '../../db/sql.ts'
import { fold } from '../../db/text.ts'
import type { Fact } from './facts.ts'
import { DAYS } from './traits/days.ts'
import { PLACES } from './traits/places.ts'
import { f, indexed, plain, type Ways } from './traits/ways.ts'

/** What a filter asks of a file beside its tags and its type, with pools as row numbers; null: any that is seen. */
export type Trait =
  | { of: 'review' | 'favourite' }
  | { of: 'pool'; pool: number | null }
  | Exclude<Fact, { of: 'category' | 'pool' | 'raw' }>

const h = columnNames(favourites, 'h')
const p = columnNames(poolFiles, 'p')
const o = columnNames(pools, 'o')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const n = columnNames(fileNotes, 'n')

const DETAILS = { table: 'file_details', alias: 'd', file: d.file_rid }
const LOOKS = { table: 'file_looks', alias: 'l', file: l.file_rid }

/** Each trait: how it is asked of a file, by which index it is found, and how many files may have it. */
const TRAITS: { [Of in Trait['of']]: Ways<Trait & { of: Of }> } = {
  review: {
    sql: () => plain(`${f.needs_review} = 1`),
    rows: () => indexed('files_needs_review', plain(`${f.needs_review} = 1`)),
    share: 0.5,
    weight: 0.2,
    readsRow: true,
  },
  favourite: {
    sql: (_, { id }) => ({
      sql: `EXISTS (SELECT 1 FROM favourites h WHERE ${h.user_id} = ? AND ${h.file_rid} = ${f.rid})`,
      params: [id],
    }),
    rows: (_, { id }) => ({
      from: plain('favourites h'),
      where: { sql: `${h.user_id} = ?`, params: [id] },
      column: h.file_rid,
      isOrdered: true,
    }),
    share: 0.05,
    weight: 1,
    readsRow: false,
  },
  pool: {
    sql: ({ pool }, viewer) => {
      const { from, where } = pooled(pool, viewer)
      const { sql, params } = and([where, plain(`${p.file_rid} = ${f.rid}`)])
      return { sql: `EXISTS (SELECT 1 FROM ${from.sql} WHERE ${sql})`, params }
    },
    rows: ({ pool }, viewer) => pooled(pool, viewer),
    share: 0.1,
    weight: 1,
    readsRow: false,
  },
  creator: {
    sql: ({ id }) => ({ sql: `${f.creator_id} = ?`, params: [id] }),
    rows: ({ id }) => indexed('files_creator', { sql: `${f.creator_id} = ?`, params: [id] }),
    share: 0.3,
    weight: 0.2,
    readsRow: false,
  },
  source: {
    sql: ({ source }) => ({ sql: `${f.date_source} = ?`, params: [source] }),
    rows: ({ source }) =>
      indexed('files_date_source', { sql: `${f.date_source} = ?`, params: [source] }),
    share: 0.3,
    weight: 0.2,
    readsRow: true,
  },
  ...DAYS,
  ...PLACES,
  bytes: inTable(DETAILS, ({ sign, than }) => [
    'size',
    { sql: `${d.size} ${sign} ?`, params: [than] },
  ]),
  pixels: inTable(LOOKS, ({ sign, than }) => [
    'pixels',
    { sql: `${l.width} * ${l.height} ${sign} ?`, params: [than] },
  ]),
  seconds: inTable(LOOKS, ({ sign, than }) => [
    'duration',
    { sql: `${l.duration} ${sign} ?`, params: [than] },
  ]),
  damaged: inTable(DETAILS, () => ['damaged', plain(`${d.is_damaged} = 1`)], 0.01),
  animated: inTable(LOOKS, () => ['animated', plain(`${l.is_animated} = 1`)], 0.01),
  portrait: inTable(LOOKS, () => ['shape', plain(`sign(${l.width} - ${l.height}) = -1`)]),
  landscape: inTable(LOOKS, () => ['shape', plain(`sign(${l.width} - ${l.height}) = 1`)], 0.6),
  notes: {
    sql: ({ pattern }) => ({
      sql: `EXISTS (SELECT 1 FROM file_notes n WHERE ${n.file_rid} = ${f.rid} AND ${n.folded} LIKE ?)`,
      params: [fold(pattern)],
    }),
    rows: ({ pattern }) => ({
      from: plain('file_notes n'),
      where: { sql: `${n.folded} LIKE ?`, params: [fold(pattern)] },
      column: n.file_rid,
      isOrdered: true,
    }),
    isScanned: true,
    share: 0.01,
    weight: 4,
    readsRow: false,
  },
}

/** Returns how a trait is found. */
export function waysOf(trait: Trait): Omit<Ways<Trait>, 'sql' | 'rows'> & {
  sql(viewer: User): Sql
  rows: ((viewer: User) => Rows) | null
} {
  const { sql, rows, ...known } = TRAITS[trait.of] as Ways<Trait>
  return {
    ...known,
    sql: (viewer) => sql(trait, viewer),
    rows: rows ? (viewer) => rows(trait, viewer) : null,
  }
}

/** Returns rows that name the files that have a trait, by its index or by looking at all files. */
export function filesWith(trait: Trait, viewer: User): Rows {
  const { sql, rows } = waysOf(trait)
  return (
    rows?.(viewer) ?? {
      from: plain('files f'),
      where: sql(viewer),
      column: f.rid,
      isOrdered: true,
    }
  )
}

/**
 * A trait of a row that most files have in a table, by an index of that table and what the row has to be. The index of
 * an amount or a kind is in the order of row numbers only where one value is asked for.
 */
function inTable<Asked>(
  { table, alias, file }: { table: string; alias: string; file: string },
  asked: (trait: Asked) => [index: string, is: Sql],
  share = 0.2,
): Ways<Asked> {
  return {
    sql: (trait) => {
      const [, { sql, params }] = asked(trait)
      return {
        sql: `EXISTS (SELECT 1 FROM ${table} ${alias} WHERE ${file} = ${f.rid} AND ${sql})`,
        params,
      }
    },
    rows: (trait) => {
      const [index, where] = asked(trait)
      const from = plain(`${table} ${alias} INDEXED BY ${table}_${index}`)
      return { from, where, column: file, isOrdered: where.params.length === 0 }
    },
    share,
    weight: 3,
    readsRow: false,
  }
}

function pooled(pool: number | null, viewer: User): Rows {
  if (pool !== null) {
    const where = { sql: `${p.pool_rid} = ?`, params: [pool] }
    return { from: plain('pool_files p'), where, column: p.file_rid, isOrdered: true }
  }
  const seen = accessCondition(viewer, 'pool', 'view', 'o')
  return {
    from: plain(`pools o CROSS JOIN pool_files p ON ${p.pool_rid} = ${o.rid}`),
    where: and([plain(`${o.is_deleted} = 0`), seen]),
    column: p.file_rid,
    isOrdered: false,
    repeats: true,
  }
}
