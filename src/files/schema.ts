import { z } from 'zod'
import {
  BooleanField,
  BooleanText,
  CreatedAt,
  CreatorId,
  CreatorName,
  CursorText,
  DateTime,
  directionFrom,
  ExpiresIn,
  Id,
  IsPublic,
  limitText,
  Order,
  PresentedMetadata,
  PresentedNotes,
  pageItems,
  refuseLonger,
  Uuid,
} from '../http/fields.ts'
import { FILE_TEXT, metadataObject, nameText, notesText, SearchText } from '../http/text-fields.ts'
import { parseObject } from '../http/validate.ts'
import { Tag, TagId } from '../tags/schema.ts'
import {
  DATE_FIELDS,
  GivenContentDatetime,
  GivenPrecision,
  Modified,
  NewContentDatetime,
  needsDate,
} from './dates/schema.ts'
import { FilterParameter } from './find/filter-schema.ts'
import { OnDuplicate } from './known/schema.ts'
import { LOOK_FIELDS } from './looks/schema.ts'
import { Place } from './places/schema.ts'

const NAME = 'IMG_20240506_070809.jpg'

const ORIGINAL_NAME = { description: 'The name that the file came with' }
const NeedsReview = z.boolean().meta({
  description: 'Whether somebody still has to look at its tags',
})

export const FileTag = Tag.extend({
  by_rule: z.boolean().meta({
    description: 'Whether it is on the file only because it follows from another tag by a rule',
  }),
}).meta({ id: 'FileTag', description: 'A tag that is on a file' })
export type FileTag = z.infer<typeof FileTag>

export const File = z
  .object({
    id: Id,
    original_name: z
      .string()
      .meta({ examples: [NAME] })
      .nullable()
      .meta(ORIGINAL_NAME),
    mime_type: z.string().meta({
      description: 'Its type, determined from its content',
      examples: ['image/jpeg'],
    }),
    mime_extension: z.string().meta({
      description: 'The file name extension of its type, without a dot',
      examples: ['jpg'],
    }),
    ...DATE_FIELDS,
    ...LOOK_FIELDS,
    notes: PresentedNotes,
    metadata: PresentedMetadata,
    exif: z.record(z.string(), z.unknown()).meta({
      description:
        'What the content says about itself: for a picture, its EXIF, by the names of that ' +
        'standard, its `latitude` and `longitude` in degrees, its `Keywords` and, where EXIF has ' +
        'none, its `ImageDescription` from IPTC or XMP; for a video, facts such as its `duration` ' +
        'in seconds, and `Make`, `Model`, `latitude` and `longitude`; empty when there is nothing',
    }),
    place: Place.nullable().meta({
      description:
        'The town that is nearest to its position, within 50 km; null when there is none',
    }),
    phash: z
      .number()
      .meta({ type: 'integer', format: 'int64' })
      .nullable()
      .meta({
        description:
          'Perceptual hash: a signed 64-bit integer, which would be rounded as a double. Null ' +
          'when the content could not be decoded, or has not been yet: after an upload, a ' +
          'picture that takes longer than ten seconds gets its hash later, as does one that was turned',
      }),
    creator_id: CreatorId,
    creator_name: CreatorName,
    is_public: IsPublic,
    is_deleted: z.boolean().meta({ description: 'Whether it is in the trash' }),
    trashed_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was moved to the trash; null when it is not there' }),
    leaves_trash_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'When it leaves the trash for good; null when it is not in the trash, or when nothing ' +
          'leaves it automatically',
      }),
    needs_review: NeedsReview,
    created_at: CreatedAt,
    companion_of: z
      .uuid()
      .nullable()
      .meta({
        description:
          'Of the film of a living picture, the id of the picture; null where the caller may not ' +
          'view the picture, and for any other file',
      }),
    is_favourite: z.boolean().meta({ description: 'Whether it is a favourite of the caller' }),
    tags: z.array(FileTag).meta({ description: 'Its tags, as far as the caller may view them' }),
  })
  .meta({ id: 'File', description: 'A picture or video with what is known about it' })
export type File = z.infer<typeof File>

/** The cursor with which a list of files goes on. */
export const NextCursor = z
  .string()
  .nullable()
  .meta({
    description:
      'The `cursor` of the next page; null when there is none. A page ends before it passes 8 ' +
      'MiB, so it may have fewer items than requested',
  })

export const FileCursorPage = z
  .object({
    items: pageItems(File),
    next_cursor: NextCursor,
    prev_cursor: z
      .string()
      .nullable()
      .meta({
        description:
          'The `cursor` of the previous page; send it with `direction=backward`. Null when ' +
          'there is none',
      }),
  })
  .meta({ id: 'FileCursorPage' })
export type FileCursorPage = z.infer<typeof FileCursorPage>

export const FileUpdate = z
  .object({
    original_name: nameText(255, 'edit')
      .meta({ examples: [NAME] })
      .nullable()
      .meta(ORIGINAL_NAME),
    content_datetime: NewContentDatetime,
    date_precision: GivenPrecision,
    rotation: LOOK_FIELDS.rotation,
    notes: notesText(FILE_TEXT, 'edit').nullable(),
    metadata: metadataObject(FILE_TEXT, 'edit').nullable(),
    is_public: IsPublic,
    companion_of: Uuid.nullable().meta({
      description:
        'The id of the picture that this video was taken with, which makes a living picture of ' +
        'both: the caller must be allowed to edit both, they must have one creator, and the ' +
        'picture may have no other film. Null takes the two apart; it changes nothing for a ' +
        'caller who may not view the picture',
    }),
  })
  .partial()
  .refine(...needsDate)
  .meta({ id: 'FileUpdate' })
export type FileUpdate = z.output<typeof FileUpdate>

const FileSort = z.enum(['content_datetime', 'created', 'original_name', 'mime'])
export type FileSort = z.output<typeof FileSort>

/** Which files a list holds, for the query of each operation on such a list. */
export const ListedFiles = z.object({
  filter: FilterParameter.optional(),
  search: SearchText.optional(),
  trash: BooleanText.default(false).meta({
    description: 'Whether to list only the files in the trash, instead of only the others',
  }),
  from: DateTime.optional().meta({
    description:
      'The instant from which to list files, by `created_at` when they are sorted by `created`, ' +
      'otherwise by `content_datetime`',
  }),
  to: DateTime.optional().meta({
    description: 'The instant before which to list files, by the same time as `from`',
  }),
})

/** Whether a list shows a living picture as one. */
export const Pairs = z.enum(['0', '1']).default('0').meta({
  description: '`1` to leave out the film of a living picture where the list holds the picture',
})
export type Pairs = z.output<typeof Pairs>

export const FileListQuery = z.object({
  cursor: CursorText.optional(),
  direction: directionFrom('the cursor or the anchor'),
  anchor: Uuid.optional().meta({
    description: 'Id of the file at which to start; not allowed together with a cursor',
  }),
  limit: limitText(200).default(50),
  sort: FileSort.optional().meta({
    description: 'What to sort by; by default what the cursor says, or `created` without one',
  }),
  order: Order.optional().meta({
    description: 'By default what the cursor says, or `desc` without one',
  }),
  ...ListedFiles.shape,
})
export type FileListQuery = z.output<typeof FileListQuery>

export const FilePath = z.object({ file_id: Uuid.meta({ description: 'Id of the file' }) })
export const FileTagPath = FilePath.extend({ tag_id: TagId })

/** The most files that a bulk request may name. */
export const FILE_LIMIT = 10_000
const TAG_LIMIT = 1000

// More ids than a body of 1 MiB can hold.
const MOST_ENTRIES = 30_000

/**
 * Returns the schema of a list of ids, in which a repeated one counts once. A long list is counted before its items are
 * checked.
 */
export function idList<Id extends string | number>(
  id: z.ZodType<Id, Id>,
  limit: number,
  what: string,
) {
  const bounded = refuseLonger<Id>(limit, `must name at most ${limit} ${what}`)
  return z
    .preprocess(
      (list: Id[], context) => bounded(withoutRepeats(list, limit), context),
      z.array(id).overwrite((ids) => [...new Set(ids)]),
    )
    .meta({ description: `Ids of at most ${limit} ${what}; a repeated one counts once` })
}

// Only for a list longer than `limit` that a body can hold.
function withoutRepeats<Id>(list: Id[], limit: number): Id[] {
  if (!Array.isArray(list) || list.length <= limit || list.length > MOST_ENTRIES) return list
  return [...new Set(list.map((id) => (typeof id === 'string' ? (id.toLowerCase() as Id) : id)))]
}

export const FileIds = idList(Uuid, FILE_LIMIT, 'files')
const TagIds = idList(Uuid, TAG_LIMIT, 'tags')

export const FileTags = z.object({ tag_ids: TagIds }).meta({ id: 'FileTags' })

export const BulkFiles = z.object({ file_ids: FileIds }).meta({ id: 'BulkFiles' })
export const BulkTags = z
  .object({
    file_ids: FileIds,
    action: z
      .enum(['add', 'remove'])
      .meta({ description: 'Whether to add the tags to the files or to remove them' }),
    tag_ids: TagIds,
  })
  .meta({ id: 'BulkTags' })
export const AppliedTags = z
  .object({
    applied_tag_ids: z.array(z.uuid()).meta({
      description: 'Ids of the named tags and, for `add`, of those that followed by rules',
    }),
  })
  .meta({ id: 'AppliedTags' })
export const CommonTags = z
  .object({
    common_tag_ids: z
      .array(z.uuid())
      .meta({ description: 'Ids of the tags that all of the files have' }),
    partial_tag_ids: z
      .array(z.uuid())
      .meta({ description: 'Ids of the tags that some of the files have, but not all' }),
  })
  .meta({ id: 'CommonTags' })
export const BulkReview = z
  .object({ file_ids: FileIds, needs_review: NeedsReview })
  .meta({ id: 'BulkReview' })

export const ContentQuery = z.object({
  inline: z.literal('1', 'must be 1').optional().meta({
    description: '`1` sends it with its own type, for display; by default it is sent to be saved',
  }),
  access_token: z.string().optional().meta({
    description: 'An access or content token, instead of the header; for GET only',
  }),
})

export const ThumbnailQuery = z.object({
  size: z
    .enum(['320', '640'], 'must be 320 or 640')
    .default('320')
    .meta({ description: 'The most pixels that the longer side may have' }),
})

/** Returns the kind of thumbnail for a size. */
export function thumbnailOf(size: z.output<typeof ThumbnailQuery>['size']) {
  return size === '640' ? 'thumbnail640' : 'thumbnail'
}

export const ContentToken = z
  .object({
    token: z.string().meta({
      description: 'Send it as `access_token` in the query for the content of this one file',
    }),
    expires_in: ExpiresIn,
  })
  .meta({ id: 'ContentToken' })

const optionalText = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional())

/** For an id in a list, in the regular expressions of the OpenAPI document. */
const ID_PATTERN = '\\s*[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\s*'

/** The text fields of an upload's form; the file itself is read as a stream. */
export const FileUploadFields = z.object({
  content_datetime: optionalText(GivenContentDatetime),
  modified: optionalText(Modified),
  notes: optionalText(notesText(FILE_TEXT)),
  metadata: optionalText(
    z
      .string()
      .meta({
        description: 'The text of a JSON object of at most 64 KiB',
        examples: ['{"place":"home"}'],
      })
      .transform((text, context) => {
        try {
          return parseObject(text, 'metadata')
        } catch {
          context.addIssue({ code: 'custom', message: 'must be the text of a JSON object' })
          return z.NEVER
        }
      }),
  ).pipe(metadataObject(FILE_TEXT).optional()),
  is_public: optionalText(BooleanField)
    .transform((value) => value ?? false)
    .meta({ default: false, description: IsPublic.description }),
  tag_ids: optionalText(
    z
      .string()
      .meta({
        pattern: `^(${ID_PATTERN}(,${ID_PATTERN})*)?$`,
        description: 'Ids of at most 1000 tags to add to the file, separated by commas',
      })
      .transform((text) => text.split(',').map((id) => id.trim())),
  ).pipe(TagIds.optional()),
  on_duplicate: optionalText(OnDuplicate)
    .transform((value) => value ?? 'keep')
    .meta({
      default: 'keep',
      description:
        'What happens to a content that a file visible to the caller already has: `keep` makes ' +
        'another file of it, `skip` returns the oldest such file unchanged, `conflict` answers ' +
        '409. A file in the trash counts only when there is no other one, and only for callers ' +
        'who may restore it. The server knows once all bytes are here, so the quota needs room ' +
        'for them: `/files/known` answers before that',
    }),
  pair: optionalText(z.literal('1', 'must be 1'))
    .transform((value) => value === '1')
    .meta({
      description:
        '`1` when this is a picture or its film of which the caller has the other, or sends it: a ' +
        'new file then becomes one living picture with the only file of the caller that was taken ' +
        'with it. Both name one `ContentIdentifier` in their `exif`; or they have one name up to ' +
        'the extension, were taken within 3 seconds, by one `Make` and `Model` as far as both ' +
        'say, and the film lasts at most 5 seconds. `companion_of` of the film says so',
    }),
  keyword_tags: optionalText(z.literal('1', 'must be 1'))
    .transform((value) => value === '1')
    .meta({
      description:
        '`1` when the file gets what it says of itself: a tag for each keyword, for each level of a ' +
        'path of keywords, for its people, its rating and its label; its caption as notes unless ' +
        'the request has some',
    }),
  public_tags: optionalText(BooleanField)
    .transform((value) => value ?? false)
    .meta({
      default: false,
      description: 'Whether tags and categories that `keyword_tags` creates are public',
    }),
})
export type FileUploadFields = z.output<typeof FileUploadFields>
