import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import {
  cameras,
  fileCameras,
  fileDetails,
  fileLooks,
  filePositions,
  files,
} from '../../db/schema/files.ts'
import { users } from '../../db/schema/users.ts'
import { numbersOf } from '../../db/sql.ts'
import { RAW_TYPES } from '../../media/endings.ts'
import { countFiles, type FileSet, filesOf, hasFile } from '../file-set.ts'
import { highestFile } from '../find/sources.ts'
import type { FacetQuery, Facets } from './schema.ts'

type FacetItem = Facets['items'][number]
type Value = Omit<FacetItem, 'count'>

/** Files in groups, of which each has values. */
interface Grouping {
  /** A table that names each file once at most, and its column of files. */
  table: string
  file: string
  /** The index that has the groups one after the other; without it, a group is a number from 0 to 7. */
  index?: string
  /** Which rows are of a group; by default all whose group is not null. */
  where?: string
  /** What the files of a group have in common, and the name of that group `g`. */
  group: string
  name?: string
  values(group: string | number, name: string): Value[]
}

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const p = columnNames(filePositions, 'p')
const k = columnNames(fileCameras, 'k')
const c = columnNames(cameras, 'c')
const u = columnNames(users, 'u')

const MB = 1_000_000
const SMALL = MB
/** Of bytes, the bounds that are told apart, ascending. */
const BOUNDS = [1, 5, 20, 100].map((mb) => mb * MB)

const LANDSCAPE: Value = { token: 'x=landscape', name: 'landscape' }
const PORTRAIT: Value = { token: 'x=portrait', name: 'portrait' }
const VIDEO: Value = { token: 'm~video/%', name: 'video' }
const RAW: Value = { token: 'x=raw', name: 'raw' }
const ANIMATED: Value = { token: 'x=animated', name: 'animated' }

const BY_TYPE = { table: 'files f', index: 'files_mime_type', file: f.rid, group: f.mime_type }

/** Each facet: what its files are grouped by, and the values of a group. */
const GROUPINGS: Record<FacetQuery['of'], Grouping[]> = {
  camera: [
    {
      table: 'file_cameras k',
      index: 'file_cameras_camera',
      file: k.file_rid,
      group: k.camera_rid,
      name: `(SELECT ${c.name} FROM cameras c WHERE ${c.rid} = g)`,
      values: (_, name) => [{ token: `k~${patternOf(name)}`, name }],
    },
  ],
  town: [
    {
      table: 'file_positions p',
      index: 'file_positions_town',
      file: p.file_rid,
      group: p.town,
      values: (_, town) => placesOf(town),
    },
  ],
  type: [{ ...BY_TYPE, values: (_, name) => [{ token: `m=${name}`, name }] }],
  creator: [
    {
      table: 'files f',
      index: 'files_creator',
      file: f.rid,
      group: f.creator_id,
      name: `(SELECT ${u.name} FROM users u WHERE ${u.id} = g)`,
      values: (id, name) => [{ token: `u=${id}`, name }],
    },
  ],
  size: [
    {
      table: 'file_details d',
      file: d.file_rid,
      group: `1 - (${d.size} < ${SMALL}) + ${BOUNDS.map((bound) => `(${d.size} > ${bound})`).join(' + ')}`,
      values: (passed) =>
        passed === 0
          ? [{ token: `b<${SMALL}`, name: `< ${SMALL / MB} MB` }]
          : BOUNDS.slice(0, Number(passed) - 1).map((bound) => ({
              token: `b>${bound}`,
              name: `> ${bound / MB} MB`,
            })),
    },
  ],
  shape: [
    {
      table: 'file_looks l',
      index: 'file_looks_shape',
      file: l.file_rid,
      group: `sign(${l.width} - ${l.height})`,
      values: (side) => (side === 0 ? [] : [side === 1 ? LANDSCAPE : PORTRAIT]),
    },
    {
      table: 'file_looks l',
      index: 'file_looks_animated',
      file: l.file_rid,
      group: l.is_animated,
      where: `${l.is_animated} = 1`,
      values: () => [ANIMATED],
    },
    {
      ...BY_TYPE,
      where: `${f.mime_type} IN (${[...RAW_TYPES.keys()].map((type) => `'${type}'`)})`,
      values: () => [RAW],
    },
    {
      ...BY_TYPE,
      where: `${f.mime_type} >= 'video/' AND ${f.mime_type} < 'video0'`,
      values: () => [VIDEO],
    },
  ],
  review: [
    {
      table: 'files f',
      index: 'files_needs_review',
      file: f.rid,
      group: f.needs_review,
      values: (needed) => [
        { token: `r=${needed}`, name: needed === 1 ? 'needs review' : 'reviewed' },
      ],
    },
  ],
}

/** How many files can be passed along an index in the time of looking one up. */
const PASSED_FOR_ONE = 4

/** Returns how many of the files have each value of a facet, most first. */
export function countValues(db: Db, of: FacetQuery['of'], members: FileSet): FacetItem[] {
  const counted = new Map<string, FacetItem>()
  const isFew = countFiles(members) * PASSED_FOR_ONE < highestFile(db)
  const few = isFew ? filesOf(members) : null
  // A pattern finds a camera by its name in capitals or not.
  const keyOf = ({ token }: Value) => (of === 'camera' ? token.toLowerCase() : token)
  for (const grouping of GROUPINGS[of]) {
    const groups = few ? groupsOfFew(db, grouping, few) : groupsOfMany(db, grouping, members)
    for (const { g, name, count } of groups) {
      for (const value of count > 0 ? grouping.values(g, name) : []) {
        const item = counted.get(keyOf(value))
        if (item) item.count += count
        else counted.set(keyOf(value), { ...value, count })
      }
    }
  }
  return [...counted.values()].sort((a, b) => b.count - a.count || (a.token < b.token ? -1 : 1))
}

interface Group {
  g: string | number
  name: string
  count: number
}

function groupsOfFew(
  db: Db,
  { table, file, group, where = `${group} IS NOT NULL`, name = 'g' }: Grouping,
  few: number[],
): Group[] {
  return db.all<Group>(
    `SELECT g, ${name} AS name, count FROM
     (SELECT ${group} AS g, count(*) AS count FROM json_each(?) j
      CROSS JOIN ${table} ON ${file} = j.value WHERE ${where} GROUP BY g)`,
    JSON.stringify(few),
  )
}

function groupsOfMany(
  db: Db,
  { table, file, index, group, where = `${group} IS NOT NULL`, name = 'g' }: Grouping,
  members: FileSet,
): Group[] {
  if (index === undefined) {
    const counts = Array<number>(8).fill(0)
    const sql = `SELECT ${file} * 8 + ${group} FROM ${table} WHERE ${where}`
    for (const number of numbersOf(db, { sql, params: [] })) {
      if (hasFile(members, Math.floor(number / 8))) counts[number % 8]!++
    }
    return counts.map((count, g) => ({ g, name: String(g), count }))
  }
  const rows = db.all<Omit<Group, 'count'> & { rids: string }>(
    `SELECT g, ${name} AS name, rids FROM
     (SELECT ${group} AS g, json_group_array(${file}) AS rids
      FROM ${table} INDEXED BY ${index} WHERE ${where} GROUP BY g)`,
  )
  return rows.map(({ g, name, rids }) => {
    let count = 0
    for (const rid of JSON.parse(rids) as number[]) if (hasFile(members, rid)) count++
    return { g, name, count }
  })
}

/** A pattern that the text is like, without what a token can't hold. */
function patternOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}.-]/gu, '_')
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

/** The country and the town of a text such as `FR.93.Nice`. */
function placesOf(town: string): Value[] {
  const [country = '', region = '', ...name] = town.split('.')
  return [
    { token: `l=${country}`, name: countries.of(country) ?? country },
    { token: `l=${country}.${region}.${patternOf(name.join('.'))}`, name: name.join('.') },
  ]
}
