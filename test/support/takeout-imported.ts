import type { Db } from '../../src/db/client.ts'
import type { Expected } from './takeout.ts'

/** Returns what a library has of each content outside the trash, by its SHA-256: one for each file of it. */
export function importedFrom(db: Db): Map<string, Expected[]> {
  const rows = db.all<{
    sha256: string
    time: number
    albums: string
    isArchived: number
    isFavorite: number
  }>(
    `SELECT lower(hex(d.sha256)) AS sha256, f.content_datetime AS time,
      (SELECT json_group_array(p.name ORDER BY p.name) FROM pool_files pf JOIN pools p ON p.rid = pf.pool_rid
        WHERE pf.file_rid = f.rid) AS albums,
      EXISTS (SELECT 1 FROM file_tags ft JOIN tags t ON t.rid = ft.tag_rid
        WHERE ft.file_rid = f.rid AND t.name = 'archived') AS isArchived,
      EXISTS (SELECT 1 FROM favourites v WHERE v.file_rid = f.rid) AS isFavorite
    FROM files f JOIN file_details d ON d.file_rid = f.rid WHERE f.is_deleted = 0 ORDER BY f.rid`,
  )
  const found = new Map<string, Expected[]>()
  for (const { sha256, time, albums, isArchived, isFavorite } of rows) {
    const one = {
      time,
      albums: JSON.parse(albums).toSorted(),
      isArchived: isArchived === 1,
      isFavorite: isFavorite === 1,
    }
    found.set(sha256, [...(found.get(sha256) ?? []), one])
  }
  return found
}
