import { accessCondition } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { fileDetails, files, fileTags } from '../../db/schema/files.ts'
import { poolFiles, pools } from '../../db/schema/pools.ts'
import { categories, tags } from '../../db/schema/tags.ts'
import { shownPath } from '../../tags/described/shown-path.ts'
import type { FileDateColumns } from '../dates/file-date.ts'
import type { SidecarFacts } from './sidecar.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const ft = columnNames(fileTags, 'ft')
const t = columnNames(tags, 't')
const c = columnNames(categories, 'c')
const pf = columnNames(poolFiles, 'pf')
const p = columnNames(pools, 'p')

type FileRow = FileDateColumns & Pick<SidecarFacts, 'notes'> & { rid: number; place: string }

interface TagRow {
  file: number
  rid: number
  creator_id: number
  name: string
  category: string | null
  /** An array of the path and null, as JSON. */
  path: string | null
}

/**
 * Returns what the sidecars of files say to a viewer, by their row numbers: with the tags, their paths, categories and
 * pools as far as the viewer may view them. The caller has checked that the viewer may view the files.
 */
export function sidecarFacts(db: Db, viewer: User, rids: number[]): Map<number, SidecarFacts> {
  const list = JSON.stringify(rids)
  const facts = new Map<number, SidecarFacts>()
  const rows = db.all<FileRow>(
    `SELECT ${f.rid}, ${f.content_datetime}, ${f.content_offset}, ${f.date_source}, ${f.date_precision},
       ${d.notes}, json_extract(${d.exif}, '$.latitude', '$.longitude') AS place
     FROM json_each(?) j CROSS JOIN files f JOIN file_details d ON ${d.file_rid} = ${f.rid}
     WHERE ${f.rid} = j.value`,
    list,
  )
  for (const { rid, notes, place, ...date } of rows) {
    const [latitude, longitude] = (JSON.parse(place) as unknown[]).map((degrees, at) =>
      typeof degrees === 'number' && Math.abs(degrees) <= (at === 0 ? 90 : 180) ? degrees : null,
    ) as [number | null, number | null]
    facts.set(rid, { date, notes, latitude, longitude, tags: [], pools: [] })
  }
  const [seesTag, seesCategory, seesPool] = [
    accessCondition(viewer, 'tag', 'view', 't'),
    accessCondition(viewer, 'category', 'view', 'c'),
    accessCondition(viewer, 'pool', 'view', 'p'),
  ]
  const tagged = db.all<TagRow>(
    `SELECT ${ft.file_rid} AS file, ${t.rid}, ${t.creator_id}, ${t.name}, ${c.name} AS category,
       json_extract(${t.metadata}, '$.xmp_path', '$.none') AS path
     FROM json_each(?) j CROSS JOIN file_tags ft CROSS JOIN tags t
     LEFT JOIN categories c ON ${c.rid} = ${t.category_rid} AND ${seesCategory.sql}
     WHERE ${ft.file_rid} = j.value AND ${t.rid} = ${ft.tag_rid} AND ${t.is_deleted} = 0 AND ${seesTag.sql}
     ORDER BY ${ft.file_rid}, ${t.rid}`,
    list,
    ...seesCategory.params,
    ...seesTag.params,
  )
  const named = new Map<number, SidecarFacts['tags'][number]>()
  for (const { file, rid, creator_id, name, category, path: kept } of tagged) {
    if (!named.has(rid)) {
      const [path] = kept === null ? [null] : (JSON.parse(kept) as unknown[])
      named.set(rid, { name, category, path: shownPath(db, viewer, { path, creator_id }) })
    }
    facts.get(file)?.tags.push(named.get(rid)!)
  }
  const pooled = db.all<{ file: number; name: string }>(
    `SELECT ${pf.file_rid} AS file, ${p.name}
     FROM json_each(?) j CROSS JOIN pool_files pf CROSS JOIN pools p
     WHERE ${pf.file_rid} = j.value AND ${p.rid} = ${pf.pool_rid} AND ${p.is_deleted} = 0 AND ${seesPool.sql}
     ORDER BY ${pf.file_rid}, ${p.rid}`,
    list,
    ...seesPool.params,
  )
  for (const { file, name } of pooled) facts.get(file)?.pools.push(name)
  return facts
}
