import { openDatabase } from '../../../src/db/client.ts'
import { newId } from '../../../src/db/ids.ts'
import { write } from '../../../src/db/write.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { insertPool } from '../../support/object-rows.ts'

interface Large {
  count: number
  /** How many of them are of one day, 20 March 2008. */
  ofOneDay?: number
  isTrashed?: boolean
  /** The id of the user whose they are; by default the admin's. */
  owner?: number
}

/** The made-up pictures of a gallery are of later days. */
const NEWEST = Date.UTC(2018, 5, 1)
const FULL_DAY = Date.UTC(2008, 2, 20)
/** Milliseconds over which the others are spread. */
const SPAN = 20 * 365 * 86_400_000

/**
 * Adds files of twenty years to a library that has a picture: pictures and films of several shapes
 * without a content, whose thumbnails are placeholders.
 */
export function addLargeLibrary(
  dataDir: string,
  { count, ofOneDay = 0, isTrashed = false, owner = 1 }: Large,
): void {
  const db = openDatabase(dataFolder(dataDir).database)
  // What this decoder failed to decode is shown as a placeholder, and not tried again.
  const { last, decoder } = db.get<{ last: number; decoder: string }>(
    'SELECT max(file_rid) AS last, decoder_version AS decoder FROM file_details',
  )!
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
  const now = Date.now()
  const rest = count - ofOneDay
  const step = Math.floor(SPAN / rest)
  write(db, { now }, () => {
    db.run(
      `${numbers} INSERT INTO files (rid, id, original_name, name_key, mime_type, mime_extension,
         content_datetime, content_offset, date_source, creator_id, is_public, is_deleted, needs_review)
       SELECT ${last} + n, unhex(printf('%012x7%03x8%03x%012x', ${now} + n, n % 4096, n % 4093, n)),
         NULL, '', iif(n % 19 = 0, 'video/mp4', 'image/jpeg'), iif(n % 19 = 0, 'mp4', 'jpg'),
         iif(n > ${rest}, ${FULL_DAY} + (n - ${rest}) * 280,
           ${NEWEST} - n * ${step} - n * 7919 % 50000),
         120, 'exif', ${owner}, 0, ${Number(isTrashed)}, n % 37 = 0 FROM numbers`,
    )
    db.run(
      `${numbers} INSERT INTO file_details
         (file_rid, blob, size, sha256, stored_at, derivative_state, decoder_version, exif)
       SELECT ${last} + n, format('%032x', ${last} + n), 2900000, zeroblob(32), ${now}, 'failed', ?, '{}'
       FROM numbers`,
      decoder,
    )
    db.run(
      `${numbers} INSERT INTO file_looks (file_rid, width, height, duration, thumbhash, decoder)
       SELECT ${last} + n, iif(n % 4 = 0, 3024, 4032),
         iif(n % 4 = 0, 4032, iif(n % 7 = 0, 2268, 3024)), iif(n % 19 = 0, n % 300, NULL),
         unhex('3fd801058c8857597786770877898887687707'), ? FROM numbers`,
      decoder,
    )
  })
  db.run('ANALYZE')
  db.close()
}

/**
 * Gives files of the admin in such a library their tags: each tag is on a few, and some are on very many. Makes
 * albums, the first of which holds a tenth of all files; returns its id.
 */
export function addTagsAndAlbums(dataDir: string, count: number): string {
  const db = openDatabase(dataFolder(dataDir).database)
  const ids: string[] = []
  write(db, { now: Date.now() }, (tx) => {
    db.run(
      `INSERT INTO file_tags (file_rid, tag_rid)
       SELECT f.rid, t.rid FROM files f, (SELECT count(*) AS tags FROM tags)
       JOIN tags t ON t.rid = 1 + f.rid % iif(f.rid % 3 = 0, 8, tags) WHERE f.rid % 5 = 0`,
    )
    for (let number = 0; number < count; number++) {
      const id = newId(tx, 'pools')
      ids.push(id)
      insertPool(db, { id, name: `album ${number} of ${count}`, owner: 1, files: [] })
    }
    db.run(
      `INSERT INTO pool_files (pool_rid, file_rid, order_key)
       SELECT p.rid, f.rid, f.rid * 1000 FROM pools p, files f
       WHERE iif(p.rid = (SELECT min(rid) FROM pools), f.rid % 10 = 0, f.rid = 1 + p.rid * 7)`,
    )
  })
  db.run('ANALYZE')
  db.close()
  return ids[0]!
}
