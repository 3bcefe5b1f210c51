import { and, desc, eq, gte, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { cameras, fileCameras, fileDetails, filePositions } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import { cameraName } from './camera.ts'
import { geohashOf } from './geohash.ts'
import { nearestTown } from './towns.ts'

const GEOHASH_LENGTH = 8

const placed = prepared(
  {
    file_rid: filePositions.file_rid,
    geohash: filePositions.geohash,
    town: filePositions.town,
  },
  (db, { file_rid, ...given }) =>
    db
      .insert(filePositions)
      .values({ file_rid, ...given })
      .onConflictDoUpdate({ target: filePositions.file_rid, set: given }),
)
const displaced = prepared({ file_rid: filePositions.file_rid }, (db, given) =>
  db.delete(filePositions).where(eq(filePositions.file_rid, given.file_rid)),
)

const named = prepared({ name: cameras.name }, (db, given) =>
  db.insert(cameras).values(given).onConflictDoNothing(),
)
const taken = prepared({ file_rid: fileCameras.file_rid, name: cameras.name }, (db, given) =>
  db
    .insert(fileCameras)
    .select(
      db
        .select({
          file_rid: sql<number>`${given.file_rid}`.as('file_rid'),
          camera_rid: cameras.rid,
        })
        .from(cameras)
        .where(eq(cameras.name, given.name)),
    )
    .onConflictDoUpdate({
      target: fileCameras.file_rid,
      set: { camera_rid: sql`excluded.camera_rid` },
    }),
)
const untaken = prepared({ file_rid: fileCameras.file_rid }, (db, given) =>
  db.delete(fileCameras).where(eq(fileCameras.file_rid, given.file_rid)),
)

/** Records where a file was taken and by which camera, from the EXIF of its content; clears what that doesn't tell. */
export function recordCapture(tx: Tx, file_rid: number, exif: Record<string, unknown>): void {
  const { latitude, longitude } = exif
  if (isDegrees(latitude, 90) && isDegrees(longitude, 180) && (latitude !== 0 || longitude !== 0)) {
    const geohash = geohashOf(latitude, longitude, GEOHASH_LENGTH)
    placed.run(tx, { file_rid, geohash, town: nearestTown(latitude, longitude) })
  } else displaced.run(tx, { file_rid })
  const name = cameraName(exif)
  if (name === '') untaken.run(tx, { file_rid })
  else {
    named.run(tx, { name })
    taken.run(tx, { file_rid, name })
  }
}

function isDegrees(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

const { file_rid, exif } = fileDetails
const listed = prepared({ place: file_rid, least: file_rid, limit: 'number' }, (db, given) =>
  reading({ rid: file_rid }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .where(and(lt(file_rid, given.place), gte(file_rid, given.least), ne(exif, '{}')))
      .orderBy(desc(file_rid))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns up to `limit` files with EXIF below `place`, down to `least`, the newest first. */
export function listWithExif(
  db: Db,
  stretch: { place: number; least: number; limit: number },
): { rid: number }[] {
  return listed.all(db, stretch)
}

const exifOf = prepared({ file_rid }, (db, given) =>
  reading({ exif }, (fields) =>
    db.select(fields).from(fileDetails).where(eq(file_rid, given.file_rid)),
  ),
)

/** Does the same as `recordCapture` by the EXIF that is stored; nothing for a file that is gone. */
export function recordCaptureAgain(tx: Tx, rid: number): void {
  const stored = exifOf.get(tx, { file_rid: rid })
  if (stored) recordCapture(tx, rid, JSON.parse(stored.exif))
}
