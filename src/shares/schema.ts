import { z } from 'zod'
import { SHARE_DOWNLOADS } from '../base/enums.ts'
import { FileUploadFields, idList, NextCursor } from '../files/schema.ts'
import {
  CreatedAt,
  CreatorId,
  CreatorName,
  CursorText,
  DateTime,
  Id,
  limitText,
  offsetPage,
  pageItems,
  Uuid,
} from '../http/fields.ts'
import { nameText } from '../http/text-fields.ts'
import { newPassword } from '../users/schema.ts'

/** The most files that a link names. */
export const MOST_SHARED = 10_000

const NAMES_ONE = { path: ['file_ids'], error: 'must be given, or `pool_id`, but not both' }

function namesOne({ file_ids, pool_id }: { file_ids?: unknown; pool_id?: unknown }): boolean {
  return (file_ids === undefined) !== (pool_id === undefined)
}

const OF = {
  pool_id: Uuid.optional().meta({
    description: 'Id of a pool that the caller may view, and that does not fill itself',
  }),
  file_ids: idList(Uuid, MOST_SHARED, 'files').optional(),
}

const Downloads = z.enum(SHARE_DOWNLOADS).meta({
  description:
    'What may be saved: `none`; `without_place`, contents in which positions and what names people ' +
    'or a camera are blanked, or the preview where that is impossible; `as_they_are`, the contents',
})

const Follows = z.boolean().meta({
  description:
    'Of a pool: whether it also shows the files of its maker (of an admin: all files) that come into ' +
    'it later, whoever adds them',
})
const ShowsNames = z.boolean().meta({ description: 'Whether the names of files are shown' })
const MayUpload = z.boolean().meta({
  description:
    "Whether anybody who has the link may add files, which go to its maker's inbox; only for users " +
    'who may upload',
})

export const ShareAsked = z.object(OF).refine(namesOne, NAMES_ONE).meta({ id: 'ShareAsked' })
export type ShareAsked = z.output<typeof ShareAsked>

export const ShareReach = z
  .object({
    files: z.int().meta({ description: 'How many files the link would show' }),
    left_out: z.int().meta({
      description:
        'How many of those that the caller sees it would leave out, because others created them ' +
        'or because they are in the trash',
    }),
  })
  .meta({ id: 'ShareReach' })
export type ShareReach = z.infer<typeof ShareReach>

export const ShareCreate = z
  .object({
    ...OF,
    title: nameText(256).nullable().default(null).meta({
      description: 'What the page of the link is called; the name of a pool is not shown by itself',
    }),
    follows: Follows.default(false),
    expires_at: DateTime.nullable()
      .default(null)
      .meta({ description: 'When it ends by itself, in the future' }),
    password: newPassword(1).nullable().default(null).meta({
      description: 'Has to be sent before the link shows anything',
    }),
    downloads: Downloads.default('without_place'),
    shows_names: ShowsNames.default(false),
    may_upload: MayUpload.default(false),
  })
  .refine(namesOne, NAMES_ONE)
  .refine(({ follows, pool_id }) => !follows || pool_id !== undefined, {
    path: ['follows'],
    error: 'is for pools',
  })
  .meta({ id: 'ShareCreate' })
export type ShareCreate = z.output<typeof ShareCreate>

export const Share = z
  .object({
    id: Id,
    title: z.string().nullable().meta({ description: 'What its page is called' }),
    pool_id: z.uuid().nullable().meta({ description: 'Id of its pool; null if it names files' }),
    pool_name: z.string().nullable().meta({
      description: 'Name of its pool; null also if the caller may not view that',
    }),
    files: z.int().meta({ description: 'How many files it shows now' }),
    follows: Follows,
    downloads: Downloads,
    shows_names: ShowsNames,
    may_upload: MayUpload,
    has_password: z.boolean().meta({ description: 'Whether it asks for a password' }),
    creator_id: CreatorId,
    creator_name: CreatorName,
    created_at: CreatedAt,
    expires_at: z.iso.datetime().nullable().meta({ description: 'When it ends by itself' }),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When somebody last saw it, to the minute' }),
  })
  .meta({ id: 'Share', description: 'A link that shows files to people without an account' })
export type Share = z.infer<typeof Share>

export const ShareMade = Share.extend({
  url: z.string().meta({
    description:
      'Its address, which is shown only once: below PUBLIC_URL, or a path on this server, `/s/…`, ' +
      'when that is not set',
    examples: ['https://photos.example.org/s/wFd0kYxJ3q8mN5tZb2LrQA'],
  }),
}).meta({ id: 'ShareMade' })
export type ShareMade = z.infer<typeof ShareMade>

export const ShareOffsetPage = offsetPage(Share).meta({ id: 'ShareOffsetPage' })
export type ShareOffsetPage = z.infer<typeof ShareOffsetPage>

export const SharePath = z.object({ share_id: Uuid.meta({ description: 'Id of the link' }) })

// What a link serves.

const Characters = z.string().regex(/^[\w-]{22}$/, 'must be 22 letters, digits, `-` and `_`')

export const LinkPath = z.object({
  token: Characters.meta({ description: 'The characters of the link after `/s/`' }),
})
export const LinkFilePath = LinkPath.extend({
  file: Characters.meta({ description: 'The `id` that the file has in this link' }),
})

export const SharedQuery = z.object({
  cursor: CursorText.optional(),
  limit: limitText(1000).default(200),
})
export type SharedQuery = z.output<typeof SharedQuery>

const SharedFile = z
  .object({
    id: z.string().meta({ description: 'Names the file in addresses of this link alone' }),
    kind: z.enum(['picture', 'film']).meta({ description: 'What it is' }),
    name: z.string().meta({
      description: 'Its name if the link shows names, and otherwise one like `photo-1.jpg`',
    }),
    width: z.int().nullable().meta({ description: 'Pixels as displayed; null when unknown' }),
    height: z.int().nullable().meta({ description: 'Pixels as displayed; null when unknown' }),
    duration: z.number().nullable().meta({ description: 'Seconds of a film; null when unknown' }),
    thumbhash: z
      .string()
      .nullable()
      .meta({ description: 'Its ThumbHash as base64; null when there is none' }),
    film: z.string().nullable().meta({
      description: 'The `id` of the film of a living picture, which the list leaves out',
    }),
  })
  .meta({ id: 'SharedFile', description: 'A file as a link shows it' })

export const SharedPage = z
  .object({
    title: Share.shape.title,
    total: z.int().meta({ description: 'How many files the link shows' }),
    downloads: Downloads,
    may_upload: MayUpload,
    most_bytes: z.int().meta({ description: 'How many bytes an added file may have' }),
    items: pageItems(SharedFile),
    next_cursor: NextCursor,
  })
  .meta({ id: 'SharedPage', description: 'A page of what a link shows' })
export type SharedPage = z.infer<typeof SharedPage>

export const SharedPassword = z
  .object({ password: z.string().meta({ description: 'The password of the link' }) })
  .meta({ id: 'SharedPassword' })

export const SharedUpload = z.object({
  name: nameText(64).meta({ description: 'How the person who adds the file is called' }),
  modified: FileUploadFields.shape.modified,
})
