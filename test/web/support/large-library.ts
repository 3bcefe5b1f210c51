import { openDatabase } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'

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
