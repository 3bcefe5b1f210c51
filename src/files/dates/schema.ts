import { z } from 'zod'
import { DATE_SOURCES } from '../../base/enums.ts'
import { ZonedDateTime } from '../../http/fields.ts'

const CONTENT_DATETIME = {
  description:
    'When it was taken: as given, else as its content tells, else as its name does (upload), else ' +
    'when its source was last changed, else when it arrived; a clock without a zone is in TIME_ZONE',
}

/** The fields of a File that concern its date. */
export const DATE_FIELDS = {
  content_datetime: z.iso.datetime().meta(CONTENT_DATETIME),
  content_offset: z
    .int()
    .nullable()
    .meta({
      description:
        'By how many minutes the clock of `content_datetime` was ahead of UTC: local time is their ' +
        'sum. Null when no zone is known; local time is then `content_datetime` as it is',
      examples: [120],
    }),
  date_source: z
    .enum(DATE_SOURCES)
    .nullable()
    .meta({
      description:
        'Where `content_datetime` is from: a person (`given`), what the content says (`exif`, `xmp`, ' +
        '`gps`, `video`), its name, the last change of its source (`mtime`), or its arrival ' +
        '(`upload`); null for files from before this was kept',
    }),
}

/** The date that a person gives to a new file. */
export const GivenContentDatetime = ZonedDateTime.meta(CONTENT_DATETIME)

/** The date that a person gives to a file instead of its own. */
export const NewContentDatetime = ZonedDateTime.meta({
  description:
    'When it was taken. With `Z` the file keeps its `content_offset`, with an offset it gets that one',
})

/** When the source of an upload was last changed on its disk. */
export const Modified = ZonedDateTime.meta({
  description:
    'When the source was last changed: its date where neither `content_datetime` nor its content ' +
    'nor its name tells one',
})
