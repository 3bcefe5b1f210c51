import type { Db } from '../db/client.ts'

/** Puts tags on a file, and returns the ids of those that it did not carry before. */
export function addTags(db: Db, file_rid: number, tags: number[]): number[] {
  return db
    .all<{ tag_rid: number }>(
      'INSERT INTO file_tags (file_rid, tag_rid) SELECT ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING tag_rid',
      file_rid,
      JSON.stringify(tags),
    )
    .map((row) => row.tag_rid)
}

/** Takes tags off a file, and returns those that it carried. */
export function removeTags(db: Db, file_rid: number, tags: number[]): number[] {
  return db
    .all<{ tag_rid: number }>(
      'DELETE FROM file_tags WHERE file_rid = ? AND tag_rid IN (SELECT value FROM json_each(?)) RETURNING tag_rid',
      file_rid,
      JSON.stringify(tags),
    )
    .map((row) => row.tag_rid)
}
