import type { Db } from '../../db/client.ts'
import { blobToUuid, columnNames } from '../../db/columns.ts'
import { fileDetails, files, fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import { usage, users } from '../../db/schema/users.ts'
import type { Tx } from '../../db/write.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const ft = columnNames(fileTags, 'ft')
const t = columnNames(tags, 't')

interface Wrong {
  rid: number
  id: string
  stored: number
  counted: number
}

const [FILES, TAGS] = [10_000, 100]

/** Returns the files whose stored number of tags is wrong. */
export function wrongTagCounts(db: Db): Wrong[] {
  return inStretches(FILES, (last) =>
    db.all<RawWrong>(
      `SELECT ${f.rid} AS rid, ${f.id} AS id, ${f.tag_count} AS stored,
         (SELECT count(*) FROM file_tags ft WHERE ${ft.file_rid} = ${f.rid}) AS counted
       FROM files f WHERE ${f.rid} > ? ORDER BY ${f.rid} LIMIT ${FILES}`,
      last,
    ),
  )
}

/** Returns the tags whose stored number of files is wrong. */
export function wrongFileCounts(db: Db): Wrong[] {
  return inStretches(TAGS, (last) =>
    db.all<RawWrong>(
      `SELECT ${t.rid} AS rid, ${t.id} AS id, ${t.file_count} AS stored,
         (SELECT count(*) FROM file_tags ft WHERE ${ft.tag_rid} = ${t.rid}) AS counted
       FROM tags t WHERE ${t.rid} > ? ORDER BY ${t.rid} LIMIT ${TAGS}`,
      last,
    ),
  )
}

type RawWrong = Omit<Wrong, 'id'> & { id: Uint8Array }

function inStretches(size: number, next: (last: number) => RawWrong[]): Wrong[] {
  const wrong: Wrong[] = []
  for (let last = 0; ; ) {
    const rows = next(last)
    for (const row of rows) {
      if (row.stored !== row.counted) wrong.push({ ...row, id: blobToUuid(row.id) })
    }
    if (rows.length < size) return wrong
    last = rows.at(-1)!.rid
  }
}

export function recountTags(tx: Tx, rids: number[]): void {
  const { rid, tag_count } = columnNames(files)
  tx.run(
    `UPDATE files SET ${tag_count} = (SELECT count(*) FROM file_tags ft WHERE ${ft.file_rid} = files.${rid})
     WHERE ${rid} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(rids),
  )
}

export function recountFiles(tx: Tx, tag: number): void {
  const { rid, file_count } = columnNames(tags)
  tx.run(
    `UPDATE tags SET ${file_count} = (SELECT count(*) FROM file_tags ft WHERE ${ft.tag_rid} = tags.${rid})
     WHERE ${rid} = ?`,
    tag,
  )
}

interface Usage {
  stored_files: number
  stored_bytes: number
  files: number
  bytes: number
}

/** Returns the users whose stored number or bytes of files are wrong. */
export function wrongUsage(db: Db): (Usage & { user: number })[] {
  const u = columnNames(users)
  const rows = db.all<{ user: number }>(`SELECT ${u.id} AS user FROM users ORDER BY ${u.id}`)
  return rows.flatMap(({ user }) => {
    const used = usageOf(db, user)
    const isRight = used.stored_files === used.files && used.stored_bytes === used.bytes
    return isRight ? [] : [{ user, ...used }]
  })
}

function usageOf(db: Db, user: number): Usage {
  const g = columnNames(usage)
  const stored = (column: string) =>
    `ifnull((SELECT ${column} FROM usage WHERE ${g.user_id} = ?), 0)`
  return db.get<Usage>(
    `SELECT ${stored(g.file_count)} AS stored_files, ${stored(g.bytes)} AS stored_bytes,
       count(*) AS files, ifnull(sum(${d.size}), 0) AS bytes
     FROM files f JOIN file_details d ON ${d.file_rid} = ${f.rid} WHERE ${f.creator_id} = ?`,
    user,
    user,
    user,
  )!
}

export function recountUsage(tx: Tx, user: number): void {
  const { files, bytes } = usageOf(tx, user)
  const g = columnNames(usage)
  tx.run(
    `INSERT INTO usage (${g.user_id}, ${g.file_count}, ${g.bytes}) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET ${g.file_count} = excluded.${g.file_count}, ${g.bytes} = excluded.${g.bytes}`,
    user,
    files,
    bytes,
  )
}

/** Returns whether counting the files of tags is suspended, which is right only within a write. */
export function isCountingStopped(db: Db): boolean {
  return db.get('SELECT 1 FROM set_counting') !== undefined
}

/** Resumes counting the files of tags. */
export function startCounting(tx: Tx): void {
  tx.run('DELETE FROM set_counting')
}
