import { and, between, desc, eq, gte, isNull, like, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, type Given, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { companions, fileDetails, files } from '../../db/schema/files.ts'
import { isFilm } from './companion.ts'

type Told = string | number | null

const { exif } = fileDetails
// As the index has it.
const identifier = sql<Told>`${exif} ->> '$.ContentIdentifier'`
const duration = sql<Told>`${exif} ->> '$.duration'`

const HALF = {
  rid: files.rid,
  id: files.id,
  creator_id: files.creator_id,
  name_key: files.name_key,
  mime_type: files.mime_type,
  blob: fileDetails.blob,
  content_datetime: files.content_datetime,
  date_source: files.date_source,
  date_precision: files.date_precision,
  // From the content, because the looks of a slow film follow.
  duration,
  make: sql<Told>`${exif} ->> '$.Make'`,
  model: sql<Told>`${exif} ->> '$.Model'`,
  identifier,
}

/** What says whether a picture and a film were taken together; `duration` is in seconds. */
export type Half = Pick<
  typeof files.$inferSelect & typeof fileDetails.$inferSelect,
  Exclude<keyof typeof HALF, keyof Content>
> &
  Content
type Content = Record<'duration' | 'make' | 'model' | 'identifier', Told>

const half = prepared({ rid: files.rid }, (db, given) =>
  reading(HALF, (fields) =>
    db
      .select(fields)
      .from(files)
      .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
      .where(eq(files.rid, given.rid)),
  ),
)

/** Returns what pairing asks about a file, undefined when it is gone. */
export function findHalf(db: Db, rid: number): Half | undefined {
  return half.get(db, { rid })
}

const OTHER = { creator_id: files.creator_id, kind: 'text' } as const

// The files of a creator and a kind that may yet become half of a pair.
const isFree = (given: Given<typeof OTHER>): SQL | undefined =>
  and(
    eq(files.rid, fileDetails.file_rid),
    eq(files.is_deleted, false),
    // A plus, because a creator may have all files: what says less of them comes first.
    sql`+${files.creator_id} = ${given.creator_id}`,
    like(files.mime_type, given.kind),
    isNull(companions.film_rid),
  )
const inPair = or(eq(companions.film_rid, files.rid), eq(companions.picture_rid, files.rid))

const identified = prepared({ ...OTHER, identifier: 'text' }, (db, given) =>
  reading(HALF, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .crossJoin(files)
      .leftJoin(companions, inPair)
      .where(and(eq(identifier, given.identifier), isFree(given))),
  ),
)

const taken = prepared(
  { ...OTHER, first: files.content_datetime, last: files.content_datetime },
  (db, given) =>
    reading(HALF, (fields) =>
      db
        .select(fields)
        .from(files)
        .crossJoin(fileDetails)
        .leftJoin(companions, inPair)
        .where(
          and(
            between(files.content_datetime, given.first, given.last),
            // A thousand scans may be of one day.
            isNull(files.date_precision),
            isFree(given),
          ),
        ),
    ),
)

/**
 * Returns the free files of the other kind and the same creator that have the content identifier of a file; none if it
 * has none.
 */
export function listIdentified(db: Db, own: Half): Half[] {
  const { creator_id, identifier } = own
  if (typeof identifier !== 'string') return []
  return identified.all(db, { creator_id, kind: otherKind(own), identifier })
}

/**
 * Returns the free files of the other kind and the same creator whose dates are at most so many milliseconds apart from
 * that of a file.
 */
export function listTaken(db: Db, own: Half, apart: number): Half[] {
  const { creator_id, content_datetime: time } = own
  const range = { first: time - apart, last: time + apart }
  return taken.all(db, { creator_id, kind: otherKind(own), ...range })
}

function otherKind(own: Half): string {
  return isFilm(own) ? 'image/%' : 'video/%'
}

const shortFilms = prepared(
  { place: files.rid, least: files.rid, longest: 'number', limit: 'number' },
  (db, given) =>
    reading(HALF, (fields) =>
      db
        .select(fields)
        .from(files)
        .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
        .leftJoin(companions, inPair)
        .where(
          and(
            lt(files.rid, given.place),
            gte(files.rid, given.least),
            like(files.mime_type, 'video/%'),
            eq(files.is_deleted, false),
            lte(duration, given.longest),
            isNull(companions.film_rid),
          ),
        )
        .orderBy(desc(files.rid))
        .limit(asLimit(given.limit)),
    ),
)

/** Returns up to `limit` free films below `place`, down to `least`, that last at most so many seconds, the newest first. */
export function listShortFilms(
  db: Db,
  stretch: { place: number; least: number; longest: number; limit: number },
): Half[] {
  return shortFilms.all(db, stretch)
}
