import { z } from 'zod'
import {
  BooleanText,
  CursorText,
  DateTime,
  limitText,
  Metadata,
  NotesText,
  nameText,
  Order,
  SearchText,
  Uuid,
} from '../http/fields.ts'
import { parseObject } from '../http/validate.ts'
import { Tag } from '../tags/schema.ts'

const NAME = 'IMG_20240506_070809.jpg'

export const File = z
  .object({
    id: z.uuid(),
    original_name: z
      .string()
      .meta({ examples: [NAME] })
      .nullable(),
    mime_type: z.string().meta({ examples: ['image/jpeg'] }),
    mime_extension: z.string().meta({ examples: ['jpg'] }),
    content_datetime: z.iso.datetime(),
    notes: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    exif: z.record(z.string(), z.unknown()),
    phash: z.number().meta({ type: 'integer', format: 'int64' }).nullable(),
    creator_id: z.int(),
    creator_name: z.string(),
    is_public: z.boolean(),
    is_deleted: z.boolean(),
    needs_review: z.boolean(),
    created_at: z.iso.datetime(),
    tags: z.array(Tag),
  })
  .meta({ id: 'File' })
export type File = z.infer<typeof File>

export const FileCursorPage = z
  .object({
    items: z.array(File),
    next_cursor: z.string().nullable(),
    prev_cursor: z.string().nullable(),
  })
  .meta({ id: 'FileCursorPage' })
export type FileCursorPage = z.infer<typeof FileCursorPage>

export const FileUpdate = z
  .object({
    original_name: nameText(255)
      .meta({ examples: [NAME] })
      .nullable(),
    content_datetime: DateTime,
    notes: NotesText.nullable(),
    metadata: Metadata.nullable(),
    is_public: z.boolean(),
  })
  .partial()
  .meta({ id: 'FileUpdate' })
export type FileUpdate = z.output<typeof FileUpdate>

export const FileSort = z.enum(['content_datetime', 'created', 'original_name', 'mime'])
export const Direction = z
  .enum(['forward', 'backward'])
  .meta({ description: 'Which way to go from the cursor or the anchor' })

/** An expression of the filter language, not parsed yet. */
export const FilterText = z.string().meta({
  description: 'Which files to list, in the filter language; see the head of this document',
  examples: ['{t=018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f,&,!,m~video/%}', '{r=1}'],
})

export const FileListQuery = z.object({
  cursor: CursorText.optional(),
  direction: Direction.default('forward'),
  anchor: Uuid.optional().meta({ description: 'A file to list around; not with a cursor' }),
  limit: limitText(200).default(50),
  sort: FileSort.optional().meta({
    description: 'What to sort by: `created`, unless a cursor says otherwise',
  }),
  order: Order.optional().meta({ description: '`desc`, unless a cursor says otherwise' }),
  filter: FilterText.optional(),
  search: SearchText.optional(),
  trash: BooleanText.default(false).meta({ description: 'Whether to list the trash alone' }),
})
export type FileListQuery = z.output<typeof FileListQuery>

export const FilePath = z.object({ file_id: Uuid })
export const FileTagPath = z.object({ file_id: Uuid, tag_id: Uuid })

const FILE_LIMIT = 10_000
const TAG_LIMIT = 1000

/** Ids, of which a repeated one counts once. */
const idList = (limit: number, what: string) =>
  z
    .array(Uuid)
    .overwrite((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= limit, `must name at most ${limit} ${what}`)
    .meta({ description: `At most ${limit} ${what}; a repeated one counts once` })

export const FileIds = idList(FILE_LIMIT, 'files')
const TagIds = idList(TAG_LIMIT, 'tags')

export const FileTags = z.object({ tag_ids: TagIds }).meta({ id: 'FileTags' })

export const BulkFiles = z.object({ file_ids: FileIds }).meta({ id: 'BulkFiles' })
export const BulkTags = z
  .object({
    file_ids: FileIds,
    action: z.enum(['add', 'remove']),
    tag_ids: TagIds,
  })
  .meta({ id: 'BulkTags' })
export const AppliedTags = z
  .object({ applied_tag_ids: z.array(z.uuid()) })
  .meta({ id: 'AppliedTags' })
export const CommonTags = z
  .object({
    common_tag_ids: z.array(z.uuid()),
    partial_tag_ids: z.array(z.uuid()),
  })
  .meta({ id: 'CommonTags' })
export const BulkReview = z
  .object({ file_ids: FileIds, needs_review: z.boolean() })
  .meta({ id: 'BulkReview' })

export const ContentQuery = z.object({
  inline: z
    .literal('1', 'must be 1')
    .optional()
    .meta({ description: '`1` to show it by its own type; to save it when not given' }),
  access_token: z.string().optional().meta({
    description: 'An access or content token, in place of the header, for GET alone',
  }),
})

export const ContentToken = z
  .object({ token: z.string(), expires_in: z.int() })
  .meta({ id: 'ContentToken' })

/** An empty field of a form is as if absent. */
const optionalText = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional())

/** The text fields of an upload's form; the file itself is read as a stream. */
export const FileUploadFields = z.object({
  content_datetime: optionalText(DateTime),
  notes: optionalText(NotesText),
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
  ).pipe(Metadata.optional()),
  is_public: optionalText(BooleanText)
    .transform((value) => value ?? false)
    .meta({ default: false }),
  tag_ids: optionalText(
    z
      .string()
      .meta({ description: 'Ids of at most 1000 tags to put on it, with commas between them' })
      .transform((text) => text.split(',').map((id) => id.trim())),
  ).pipe(TagIds.optional()),
})
export type FileUploadFields = z.output<typeof FileUploadFields>
