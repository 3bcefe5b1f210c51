import { z } from 'zod'
import { CursorText, Id, integerText, limitText, Uuid } from '../../http/fields.ts'
import { Place } from '../places/schema.ts'
import { FileCursorPage, FileListQuery, ListedFiles, NextCursor, Pairs } from '../schema.ts'

const SORT =
  'What to sort by; when absent, as the cursor says, or else `created`, or in a pool as the pool does'

const SetQuery = z.object({
  sort: FileListQuery.shape.sort.meta({ description: SORT }),
  order: FileListQuery.shape.order,
  ...ListedFiles.shape,
  pool: Uuid.optional().meta({ description: 'Id of the pool whose files to list' }),
  pairs: Pairs,
})

const Films = z
  .array(z.uuid().nullable())
  .optional()
  .meta({
    description:
      'With `pairs=1`, for each file the id of its film that the caller may view and that is in ' +
      'the trash or not as the list asks; null when there is none',
  })

const FileTotal = z.int().meta({ description: 'How many files there are that the caller sees' })

export const FileIdsQuery = SetQuery.extend({
  cursor: CursorText.optional(),
  limit: limitText(10_000).default(10_000),
})
export type FileIdsQuery = z.output<typeof FileIdsQuery>

export const FileIdPage = z
  .object({
    ids: z.array(Id).meta({ description: 'The ids of the files, in the order of the list' }),
    films: Films,
    next_cursor: NextCursor.meta({
      description: 'The `cursor` of the next page; null when there is none',
    }),
    total: FileTotal,
  })
  .meta({ id: 'FileIdPage', description: 'Which files a list holds' })
export type FileIdPage = z.infer<typeof FileIdPage>

export const CellsQuery = SetQuery.extend({
  cursor: CursorText.optional(),
  direction: FileListQuery.shape.direction,
  anchor: FileListQuery.shape.anchor,
  limit: limitText(1000).default(400),
  hashes: z.enum(['0', '1']).default('0').meta({ description: '`1` to include the column `h`' }),
  series: z.enum(['0', '1']).default('0').meta({ description: '`1` to include the column `s`' }),
  places: z.enum(['0', '1']).default('0').meta({ description: '`1` to include the column `p`' }),
})
export type CellsQuery = z.output<typeof CellsQuery>

export const CellPage = z
  .object({
    ids: FileIdPage.shape.ids,
    t: z.array(z.int()).meta({
      description:
        'Seconds since 1970 on the clock of the place where it was taken: `content_datetime` ' +
        'plus its offset; of a month or a year known alone, its last second. When sorted by ' +
        '`created`, those of `created_at` in UTC',
    }),
    r: z.array(z.int()).meta({ description: 'Width ÷ height × 100 as displayed; 0 when unknown' }),
    k: z.string().meta({
      description: 'A letter for each file: `j` for a picture, `v` for a video',
    }),
    h: z
      .array(z.string().nullable())
      .optional()
      .meta({ description: 'Its ThumbHash as base64; null when there is none' }),
    s: z
      .array(z.int().nullable())
      .optional()
      .meta({
        description:
          'The `t` of the first file of its series: pictures of one camera that follow one another ' +
          'within two seconds. Null outside a series, and in other sorts than `content_datetime`',
      }),
    p: z.array(z.int().nullable()).optional().meta({
      description:
        'The town that is nearest to its position, as an index in `places`; null when there is none',
    }),
    places: z.array(Place).optional().meta({ description: 'The different towns of `p`' }),
    c: Films,
    f: z.array(z.int()).meta({
      description:
        'A sum of 1: needs review; 2: others may view it, as far as the caller may know; 4: the ' +
        'caller may edit it; 8: its thumbnail is a placeholder; 16: the caller created it; ' +
        '32: it is a favourite of the caller; 64, 128 or 192: only the day, the month or the year ' +
        'of `t` is known, unless sorted by `created`',
    }),
    d: z.array(z.int().nullable()).meta({ description: 'Duration in seconds; null when unknown' }),
    v: z.array(z.string()).meta({ description: 'The version of its pictures' }),
    next_cursor: FileIdPage.shape.next_cursor,
    prev_cursor: FileCursorPage.shape.prev_cursor,
  })
  .meta({
    id: 'CellPage',
    description: 'A page of files in columns: the nth entry of each column is of the nth file',
  })
export type CellPage = z.infer<typeof CellPage>

export const TimelineQuery = SetQuery.extend({
  sort: z
    .enum(['created', 'content_datetime'])
    .default('created')
    .meta({ description: 'Which time the files are counted by' }),
  order: FileListQuery.shape.order
    .unwrap()
    .default('desc')
    .meta({ description: 'The order of the buckets' }),
})
export type TimelineQuery = z.output<typeof TimelineQuery>

export const Timeline = z
  .object({
    total: FileTotal,
    buckets: z
      .array(
        z.object({
          key: z.string().meta({
            description:
              'The month, by the clock of the column `t` of cells, or a year of which no more is known',
            examples: ['2018-07', '1987'],
          }),
          precision: z
            .enum(['month', 'year'])
            .nullable()
            .meta({
              description:
                'Of a bucket of dates known to the month or the year alone, what is known. It ' +
                'follows the other days of that month, or the December of that year',
            }),
          part: z.int().meta({
            description:
              'Counted from 0. Every 4,000 files of a month are a bucket of their own, and so ' +
              'are files that a wrong clock has put among the files of another month',
          }),
          count: z.int().meta({ description: 'How many files it has' }),
          ratio: z.number().meta({
            description: 'The sum of their aspect ratios, 4:3 where one is unknown',
          }),
          cursor: z.string().meta({
            description:
              'A cursor of the list of files, at the end of the files of the buckets before it',
          }),
        }),
      )
      .meta({ description: 'In the order of the list' }),
  })
  .meta({ id: 'Timeline', description: 'How many files a list has in each month' })
export type Timeline = z.infer<typeof Timeline>

/** How many values of a facet are counted at most. */
export const MOST_VALUES = 200

/** Which files are counted by what they have. */
export const CountedFiles = z.object({
  ...ListedFiles.shape,
  sort: TimelineQuery.shape.sort.meta({ description: 'Which time `from` and `to` mean' }),
  pool: SetQuery.shape.pool,
  pairs: Pairs,
})

export const FacetQuery = CountedFiles.extend({
  of: z
    .enum(['camera', 'town', 'type', 'creator', 'size', 'shape', 'review'])
    .meta({ description: 'What to count the files by; towns are counted with their countries' }),
})
export type FacetQuery = z.output<typeof FacetQuery>

export const Facets = z
  .object({
    items: z
      .array(
        z.object({
          token: z.string().meta({
            description: 'The token of the filter language that finds these files',
            examples: ['b>5000000'],
          }),
          name: z.string().meta({
            description: 'What the files have in common',
            examples: ['> 5 MB'],
          }),
          count: z.int().meta({ description: 'How many files there are that the caller sees' }),
        }),
      )
      .max(MOST_VALUES)
      .meta({
        description:
          'Those that any file has, most files first; a file may have several, such as two sizes ' +
          'that it is larger than',
      }),
  })
  .meta({ id: 'Facets', description: 'How many files of a list have each value of a facet' })
export type Facets = z.infer<typeof Facets>

/** The most cells that an answer names. */
export const MOST_MAP_CELLS = 2000

export const MapQuery = SetQuery.omit({ order: true }).extend({
  sort: TimelineQuery.shape.sort.meta({ description: 'Which time `from` and `to` refer to' }),
  cells: integerText(1, 8)
    .default(3)
    .meta({ description: 'How many characters the geohash of a cell has' }),
  within: z
    .string()
    .regex(/^[0-9b-hjkmnp-z]{1,8}(,[0-9b-hjkmnp-z]{1,8}){0,63}$/, 'must be 1 to 64 geohashes')
    .transform(disjoint)
    .optional()
    .meta({
      description:
        'At most 64 geohashes of 1 to 8 characters, separated by commas: only files that were ' +
        'taken in one of them count',
      examples: ['u2e,u2s'],
    }),
})
export type MapQuery = z.output<typeof MapQuery>

/** Returns the cells in order, without those that are part of another. */
function disjoint(text: string): string[] {
  const cells: string[] = []
  for (const cell of text.split(',').sort()) {
    if (cells.length === 0 || !cell.startsWith(cells.at(-1)!)) cells.push(cell)
  }
  return cells
}

export const FileMap = z
  .object({
    total: z.int().meta({ description: 'How many of the files were taken there' }),
    length: z.int().meta({
      description:
        'How many characters the cells have: as many as requested, or fewer where the files are in ' +
        'more than 2,000 of those',
    }),
    cells: z.array(z.string()).meta({ description: 'The geohashes of cells that have files' }),
    counts: z.array(z.int()).meta({ description: 'How many files each has' }),
    ids: z.array(Id).meta({ description: 'Of each cell, the file that was added last' }),
    v: CellPage.shape.v.meta({ description: 'The version of the pictures of that file' }),
    towns: z.array(z.string().nullable()).meta({
      description:
        'The town that is nearest to where that file was taken, with its country and region, such ' +
        'as `FR.93.Nice`; null when there is none within 50 km',
    }),
  })
  .meta({
    id: 'FileMap',
    description: 'Where files were taken, in columns: the nth entry of each is of the nth cell',
  })
export type FileMap = z.infer<typeof FileMap>

/** How many years an answer on this day goes back, and how many files of each it names. */
export const YEARS = 100
export const MOST_SHOWN = 3

export const ThisDayQuery = z.object({
  day: z.iso
    .date({ error: 'must be a day such as 2026-07-14' })
    .meta({ description: 'Which day it is where the caller is' }),
  pairs: Pairs.meta({
    description: '`1` to leave out the film of a living picture if the picture is of the same day',
  }),
})

export const ThisDay = z
  .object({
    years: z
      .array(
        z.object({
          year: z.int().meta({ description: 'The year of the files' }),
          files: z.int().meta({ description: 'How many files it has on that day' }),
          from: z.iso.datetime().meta({ description: 'When the first of them was taken' }),
          to: z.iso.datetime().meta({
            description:
              'Just after the last one was taken: a list between `from` and `to`, sorted by ' +
              '`content_datetime`, shows them all',
          }),
          shown: z
            .array(
              z.object({
                id: Id,
                version: CellPage.shape.v.element.meta({
                  description: 'The version of its pictures',
                }),
              }),
            )
            .max(MOST_SHOWN)
            .meta({ description: 'At most 3 of them, from the whole day' }),
        }),
      )
      .meta({ description: 'The years that have files on that day, the latest first' }),
  })
  .meta({ id: 'ThisDay', description: 'Files of the same day in earlier years' })
export type ThisDay = z.infer<typeof ThisDay>
