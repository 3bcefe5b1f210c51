import { and, desc, eq, gte, inArray, isNull, lt, ne, or } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { fileDetails, fileLooks, files } from '../db/schema/files.ts'
import { ANIMATED_TYPES } from '../media/animation.ts'
import { PORTION, type Stretch } from './kind.ts'

/** A file whose looks are not stored. */
export interface Unseen
  extends Pick<typeof files.$inferSelect, 'rid' | 'mime_type'>,
    Pick<typeof fileDetails.$inferSelect, 'blob' | 'derivative_state' | 'decoder_version'> {}

const unseen = prepared(
  { place: files.rid, least: files.rid, version: fileLooks.decoder },
  (db, given) =>
    reading(
      {
        rid: files.rid,
        mime_type: files.mime_type,
        blob: fileDetails.blob,
        derivative_state: fileDetails.derivative_state,
        decoder_version: fileDetails.decoder_version,
      },
      (fields) =>
        db
          .select(fields)
          .from(files)
          .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
          .leftJoin(fileLooks, eq(fileLooks.file_rid, files.rid))
          .where(
            and(
              lt(files.rid, given.place),
              gte(files.rid, given.least),
              or(
                isNull(fileLooks.file_rid),
                and(
                  or(
                    isNull(fileLooks.thumbhash),
                    eq(files.mime_type, 'image/tiff'),
                    and(isNull(fileLooks.is_animated), inArray(files.mime_type, ANIMATED_TYPES)),
                  ),
                  ne(fileLooks.decoder, given.version),
                ),
              ),
            ),
          )
          .orderBy(desc(files.rid))
          .limit(PORTION),
    ),
)

/**
 * Returns a portion of the files of a stretch whose looks are not stored, or that another version of the decoder could
 * not decode, may have taken for something else, or did not ask for several frames.
 */
export function listUnseen(db: Db, stretch: Stretch & { version: string }): Unseen[] {
  return unseen.all(db, stretch)
}

/**
 * Returns the rids of the files whose contents could not be decoded yet, because the system refused or the process
 * ended.
 */
export function listPending(db: Db): number[] {
  return db
    .rows(
      reading({ rid: fileDetails.file_rid }, (fields) =>
        db.select(fields).from(fileDetails).where(eq(fileDetails.derivative_state, 'pending')),
      ),
    )
    .map(({ rid }) => rid)
}
