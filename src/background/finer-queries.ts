import { and, desc, eq, gte, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { fileDetails, files, finerHashes } from '../db/schema/files.ts'
import { PORTION, type Stretch } from './kind.ts'

/** A file whose content has no finer hash, though it can be decoded. */
export interface Unhashed
  extends Pick<typeof files.$inferSelect, 'rid' | 'mime_type'>,
    Pick<typeof fileDetails.$inferSelect, 'blob' | 'rotation'> {}

const unhashed = prepared({ place: files.rid, least: files.rid }, (db, given) =>
  reading(
    {
      rid: files.rid,
      mime_type: files.mime_type,
      blob: fileDetails.blob,
      rotation: fileDetails.rotation,
    },
    (fields) =>
      db
        .select(fields)
        .from(files)
        .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
        .leftJoin(finerHashes, eq(finerHashes.file_rid, files.rid))
        .where(
          and(
            lt(files.rid, given.place),
            gte(files.rid, given.least),
            isNotNull(files.phash),
            isNull(finerHashes.file_rid),
          ),
        )
        .orderBy(desc(files.rid))
        .limit(PORTION),
  ),
)

/** Returns a portion of the files of a stretch whose contents were decoded before finer hashes were stored. */
export function listUnhashed(db: Db, stretch: Stretch): Unhashed[] {
  return unhashed.all(db, stretch)
}
