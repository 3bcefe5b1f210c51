import { seenNow, userNow } from '../../auth/seen-now.ts'
import { type Clock, isoTime } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import { numbersOf } from '../../db/sql.ts'
import { question } from '../../reader/question.ts'
import { viewTags } from '../../tags/cache.ts'
import { foldSet } from '../companions/folding.ts'
import { countFiles, type FileSet, filesOf, hasFile } from '../file-set.ts'
import { withRightsOfNow } from '../find/list.ts'
import { type Members, membersOf } from '../find/members.ts'
import { filesOfTag, ridsOf } from '../find/sources.ts'
import type { TagCounts, TagCountsQuery } from './counts-schema.ts'
import { type Pools, readPoolList } from './listing.ts'

const ft = columnNames(fileTags)
const t = columnNames(tags)

type Pairs = number[]

// For fewer files than this, the tags are read file by file.
const FEW = 40_000

/**
 * Returns, for each tag that the viewer may view, the number of matching files that the viewer sees. Throws a
 * validation error for the filter, and not_found or forbidden for the pool.
 */
export async function countTagsOfFiles(
  db: Db,
  clock: Clock,
  viewer: User,
  query: TagCountsQuery,
  pools: Pools,
): Promise<TagCounts> {
  const at = clock()
  const ask = (now: User) => readPoolList(db, now, query, pools).list
  const counted = await withRightsOfNow(db, viewer, ask, ({ order: _, ...asked }) =>
    countTags(db, asked),
  )
  const view = viewTags(db, userNow(db, viewer.id))
  const counts: Record<string, number> = {}
  for (let n = 0; n < counted.length; n += 2) {
    const tag = view.byRid(counted[n]!)
    if (tag) counts[tag.id] = counted[n + 1]!
  }
  return { counts, as_of: isoTime(at) }
}

export const countTags = question('overview', 'tagCounts', (db: Db, asked: Members): Pairs => {
  const list = seenNow(db, asked)
  const members = membersOf(db, list)
  if (list.pairs) foldSet(db, members)
  const pairs = countFiles(members) < FEW ? pairsOfFew(db, members) : pairsOfMany(db, members)
  // A viewer limited to these tags must learn nothing about others.
  const view = viewTags(db, list.viewer)
  return pairs.filter(([rid, count]) => count > 0 && view.byRid(rid)).flat()
})

function pairsOfFew(db: Db, members: FileSet): [rid: number, count: number][] {
  const { pairs } = db.get<{ pairs: string }>(
    `SELECT json_group_array(json_array(tag, files)) AS pairs FROM
     (SELECT ${ft.tag_rid} AS tag, count(*) AS files FROM json_each(?) j
      CROSS JOIN file_tags ON ${ft.file_rid} = j.value GROUP BY ${ft.tag_rid})`,
    JSON.stringify(filesOf(members)),
  )!
  return JSON.parse(pairs)
}

function pairsOfMany(db: Db, members: FileSet): [rid: number, count: number][] {
  return tagsOnFiles(db).map((tag) => {
    let count = 0
    for (const rid of numbersOf(db, ridsOf(filesOfTag(tag)))) if (hasFile(members, rid)) count++
    return [tag, count]
  })
}

function tagsOnFiles(db: Db): number[] {
  return numbersOf(db, { sql: `SELECT ${t.rid} FROM tags WHERE ${t.file_count} > 0`, params: [] })
}
