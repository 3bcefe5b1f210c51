import { blobToUuid } from '../../../src/db/columns.ts'
import type { OracleLibrary, Person } from './library.ts'

interface Row {
  rid: number
  creator_id: number
  content_datetime: number
  content_offset: number | null
  date_precision: string | null
  date_source: string | null
  mime_type: string
  size: number
  is_damaged: number
  width: number | null
  height: number | null
  duration: number | null
  is_animated: number | null
  notes: string | null
  geohash: string | null
  town: string | null
  camera: string | null
}

const NONE = '00000000-0000-0000-0000-000000000000'

/** What is read of a library, in which nothing that a fact asks for changes. */
const known = new WeakMap<OracleLibrary, Row[]>()

function rowsOf(oracle: OracleLibrary): Row[] {
  const rows =
    known.get(oracle) ??
    oracle.library.deps.db.all<Row>(
      `SELECT f.rid, creator_id, content_datetime, content_offset, date_precision, date_source, mime_type,
         size, is_damaged, width, height, duration, is_animated, notes, geohash, town, cameras.name AS camera
       FROM files f JOIN file_details d ON d.file_rid = f.rid LEFT JOIN file_looks l ON l.file_rid = f.rid
         LEFT JOIN file_positions q ON q.file_rid = f.rid LEFT JOIN file_cameras c ON c.file_rid = f.rid
         LEFT JOIN cameras ON cameras.rid = camera_rid`,
    )
  known.set(oracle, rows)
  return rows
}

/** Returns the row numbers of the files of which a token holds, looking at one after another. */
export function filesWithFact(oracle: OracleLibrary, token: string, who: Person): number[] {
  const rows = rowsOf(oracle)
  const [, letter, sign, value] = /^(.)([=~<>]+)(.*)$/.exec(token)!
  const holds = (is: (row: Row) => boolean) => rows.filter(is).map(({ rid }) => rid)
  const compared = (amount: number | null) =>
    amount !== null && (sign === '<' ? amount < Number(value) : amount > Number(value))
  switch (letter) {
    case 'd':
      return holds((row) => isOfDays(row, sign!, value!))
    case 'u':
      return holds((row) => row.creator_id === Number(value))
    case 's':
      return holds((row) => row.date_source === value)
    case 'b':
      return holds((row) => compared(row.size))
    case 'w':
      return holds((row) => compared(row.width && row.height && row.width * row.height))
    case 'e':
      return holds((row) => compared(row.duration))
    case 'n':
      return holds((row) => row.notes !== null && like(value!).test(row.notes))
    case 'g':
      if (sign === '~') return holds((row) => (row.geohash ?? '').startsWith(value!))
      return holds((row) => (row.geohash !== null) === (value === '1'))
    case 'l':
      return holds((row) => isIn(row.town, value!))
    case 'k':
      return holds((row) => row.camera !== null && like(value!).test(row.camera))
    case 'p': {
      const held = new Set(filesHeld(oracle, who, 'pool', value!))
      return holds(({ rid }) => held.has(rid) === (value !== NONE))
    }
    case 'c': {
      const held = new Set(filesHeld(oracle, who, 'category', value!))
      return holds(({ rid }) => held.has(rid) === (value !== NONE))
    }
    default:
      return holds((row) => {
        const isHigh = row.width !== null && row.height !== null && row.width < row.height
        const isWide = row.width !== null && row.height !== null && row.width > row.height
        if (value === 'portrait') return isHigh
        if (value === 'landscape') return isWide
        if (value === 'animated') return row.is_animated === 1
        return value === 'damaged' ? row.is_damaged === 1 : /x-|dng/.test(row.mime_type)
      })
  }
}

/** A pattern of LIKE as an expression, of which `u` and `i` fold letters as Unicode does. */
function like(pattern: string): RegExp {
  const literal = pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'isu')
}

/** Whether a town is in a country, a region or a town; its name may have dots. */
function isIn(town: string | null, wanted: string): boolean {
  const [country, region, ...names] = (town ?? '').split('.')
  const [ofCountry, ofRegion, ...ofNames] = wanted.split('.')
  const isLike = (text: string, pattern: string) =>
    text.length === pattern.length && [...pattern].every((one, n) => one === '_' || one === text[n])
  return (
    country === ofCountry &&
    (ofRegion === undefined || isLike(region!, ofRegion)) &&
    (ofNames.length === 0 || isLike(names.join('.'), ofNames.join('.')))
  )
}

/** The days of a file by its clock that are possible: the first and the last, as texts. */
function daysOf({ content_datetime, content_offset, date_precision }: Row): [string, string] {
  const clock = new Date(content_datetime + (content_offset ?? 0) * 60_000)
  const day = clock.toISOString().slice(0, 10)
  if (date_precision === 'year') return [`${day.slice(0, 4)}-01-01`, `${day.slice(0, 4)}-12-31`]
  if (date_precision !== 'month') return [day, day]
  const last = new Date(Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth() + 1, 0))
  return [`${day.slice(0, 7)}-01`, last.toISOString().slice(0, 10)]
}

function isOfDays(row: Row, sign: string, value: string): boolean {
  const [first, last] = daysOf(row)
  if (sign === '~') {
    const of = (day: string) => (value.length === 2 ? day.slice(5, 7) : day.slice(5))
    return of(first) === value && of(last) === value
  }
  // Of equal length, texts of days are in the order of time; one of a period is less than all of its days.
  const start = (day: string) => day.slice(0, value.length)
  if (sign === '=') return start(first) === value && start(last) === value
  if (sign === '<') return start(last) < value
  if (sign === '<=') return start(last) <= value
  return sign === '>' ? start(first) > value : start(first) >= value
}

/** Returns the files in the pools that somebody sees, or with tags of categories of which they see both. */
function filesHeld(
  { library: { deps } }: OracleLibrary,
  { id, isAdmin }: Person,
  kind: 'pool' | 'category',
  wanted: string,
): number[] {
  const { db } = deps
  const seen = (table: string, type: string) =>
    db
      .all<{ rid: number; id: Uint8Array }>(
        `SELECT o.rid, o.id FROM ${table} o WHERE ? OR creator_id = ? OR is_public OR EXISTS (
           SELECT 1 FROM acl WHERE user_id = ? AND object_type = ? AND object_rid = o.rid AND can_view)`,
        Number(isAdmin),
        id,
        id,
        type,
      )
      .filter((row) => wanted === NONE || type === 'tag' || blobToUuid(row.id) === wanted)
      .map(({ rid }) => rid)
  const list = (rids: number[]) => `(${rids.join(', ')})`
  if (kind === 'pool') {
    const pools = list(seen('pools', 'pool'))
    return db
      .all<{ rid: number }>(`SELECT file_rid AS rid FROM pool_files WHERE pool_rid IN ${pools}`)
      .map(({ rid }) => rid)
  }
  return db
    .all<{ rid: number }>(
      `SELECT file_rid AS rid FROM file_tags JOIN tags t ON t.rid = tag_rid
       WHERE NOT t.is_deleted AND t.rid IN ${list(seen('tags', 'tag'))}
         AND category_rid IN ${list(seen('categories', 'category'))}`,
    )
    .map(({ rid }) => rid)
}
