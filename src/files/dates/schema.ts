import { z } from 'zod'
import { DATE_PRECISIONS, DATE_SOURCES } from '../../base/enums.ts'
import { ZonedDateTime } from '../../http/fields.ts'

const CONTENT_DATETIME = {
  description:
    'When it was taken: the given time, or else the time from its content, from its name (for ' +
    'an upload), of the last change of its source, or of its arrival. A clock without a zone is ' +
    'in TIME_ZONE',
}

/** The fields of a File that concern its date. */
export const DATE_FIELDS = {
  content_datetime: z.iso.datetime().meta(CONTENT_DATETIME),
  content_offset: z
    .int()
    .nullable()
    .meta({
      description:
        'How many minutes the clock of `content_datetime` was ahead of UTC; their sum is the ' +
        'local time. Null when no zone is known; `content_datetime` is then the local time',
      examples: [120],
    }),
  date_source: z
    .enum(DATE_SOURCES)
    .nullable()
    .meta({
      description:
        'Where `content_datetime` comes from: a person (`given`), the content (`exif`, `xmp`, ' +
        '`gps`, `video`), its name (`name`), the last change of its source (`mtime`), or its arrival ' +
        '(`upload`). Null for files from before this was recorded',
    }),
  date_precision: z
    .enum(DATE_PRECISIONS)
    .nullable()
    .meta({
      description:
        'How much is known of the date; null for a moment. `content_datetime` is then the middle ' +
        'of what is known, by its clock: noon of a `day`, noon of the 15th of a `month`, noon of ' +
        'the 2nd of July of a `year`',
    }),
}

/** The date that a person gives to a new file. */
export const GivenContentDatetime = ZonedDateTime.meta(CONTENT_DATETIME)

/** The date that a person gives to a file instead of its own. */
export const NewContentDatetime = ZonedDateTime.meta({
  description:
    'When it was taken. With `Z`, the file keeps its `content_offset`; with an offset, it gets ' +
    'that one',
})

/** How much a person knows of the date that they give. */
export const GivenPrecision = z
  .enum(DATE_PRECISIONS)
  .nullable()
  .meta({
    description:
      'How much is known of `content_datetime`, without which it is not allowed. The file gets ' +
      'the middle of the day, month or year in which that is, by its clock. Null, or absent ' +
      'beside another `content_datetime` than that of the file: it is a moment',
  })

/** Refuses a `date_precision` without a `content_datetime`. */
export const needsDate: [(update: Dated) => boolean, { path: string[]; error: string }] = [
  ({ content_datetime, date_precision }) =>
    date_precision === undefined || content_datetime !== undefined,
  { path: ['date_precision'], error: 'needs a content_datetime' },
]

type Dated = { [Field in 'content_datetime' | 'date_precision']?: unknown }

/** When the source of an upload was last changed on its disk. */
export const Modified = ZonedDateTime.meta({
  description:
    'When the source was last changed. This is its date if `content_datetime`, its content and ' +
    'its name give none',
})
