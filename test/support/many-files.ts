import type { Db } from '../../src/db/client.ts'

/** How the ids of made files begin, which are UUIDs v7. */
const ID = '018bcfe5680070008000'

/** Adds that many files without content, inside a write, and returns their ids. */
export function addManyFiles(
  db: Db,
  count: number,
  { owner, tags = [] }: { owner: number; tags?: number[] },
): string[] {
  const { last } = db.get<{ last: number }>('SELECT coalesce(max(rid), 0) AS last FROM files')!
  const rows = 'WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
  const range = [last + 1, last + count]
  db.run(
    `INSERT INTO files (rid, id, original_name, name_key, mime_type, mime_extension,
     content_datetime, creator_id, is_public, is_deleted, needs_review)
     ${rows} SELECT i, unhex('${ID}' || printf('%012x', i)), 'img_' || i, 'img_' || i,
     'image/jpeg', 'jpg', i, ?, 0, 0, 1 FROM n`,
    ...range,
    owner,
  )
  db.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
     ${rows} SELECT i, format('%032x', i), 1, zeroblob(32), 0, 'made', '{}' FROM n`,
    ...range,
  )
  db.run(
    `INSERT INTO file_tags (file_rid, tag_rid) ${rows} SELECT i, value FROM n, json_each(?)`,
    ...range,
    JSON.stringify(tags),
  )
  return Array.from({ length: count }, (_, index) => {
    const tail = (last + 1 + index).toString(16).padStart(12, '0')
    return `018bcfe5-6800-7000-8000-${tail}`
  })
}
