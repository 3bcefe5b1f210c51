import { z } from 'zod'
import { nfc } from '../base/text.ts'
import { OnDuplicate } from '../files/known/schema.ts'
import { BooleanText, UserId } from '../http/fields.ts'
import { runState } from '../http/run-state.ts'

const FolderPath = z
  .string()
  .refine((path) => !path.includes('\0') && path.isWellFormed(), 'must be the path of a folder')
  .optional()
  .meta({
    pattern: '^[^\\x00]*$',
    description: 'A folder in the import folder; by default the import folder itself',
  })

const LeftOut = z.string().min(1).max(1024).transform(nfc)
const MOST_LEVELS = 64
const MOST_LEFT_OUT = 10_000

const choice = (description: string) => z.boolean().default(false).meta({ description })

/** The options of an import. */
export const ImportOptions = z.object({
  recursive: choice(
    'Whether to import from the folders in it too, except hidden ones and those that storage ' +
      'boxes and systems keep',
  ),
  leave_sources: choice(
    'Whether the files stay in the folder. They are not imported again while their files are in ' +
      'the library',
  ),
  folder_tags: choice(
    'Whether a file gets a tag for each folder on the path to it from the imported one. A tag ' +
      'with the name of the folder, in upper or lower case, is used; otherwise one is created',
  ),
  keyword_tags: choice(
    'Whether a file gets what it, and a sidecar of XMP beside it, say of it: a tag for each keyword ' +
      'and for each level of a path of keywords, for its people, rating and label, and its caption ' +
      'as notes. Sidecars are `name.ext.xmp`, or `name.xmp` if only one picture is called so; they ' +
      'are `skipped`, with the reason `sidecar`, and removed with their picture',
  ),
  top_categories: choice(
    'Whether the top levels of paths of two or more levels become categories of the tags below ' +
      'instead of tags',
  ),
  leave_out: z
    .array(z.array(LeftOut).min(1).max(MOST_LEVELS))
    .max(MOST_LEFT_OUT)
    .default([])
    .meta({
      description:
        'Paths of keywords that make no tags, with all that is below them, from their top levels; ' +
        'as a dry run lists them, so `["People"]` is all people',
    }),
  public_tags: choice(
    'Whether the tags and categories that are created for folders and keywords are public, as with ' +
      '`is_public` of a tag',
  ),
  favorites: choice(
    'Of an export of Google Photos: whether favourites there become favourites of the owner',
  ),
  archived: choice(
    'Of an export of Google Photos: whether what is archived there gets the tag `archived`',
  ),
  partners: z.boolean().default(true).meta({
    description: 'Of an export of Google Photos: whether the pictures of a partner come as well',
  }),
  name_dates: choice(
    'Whether a date in the name of a file, as phones and messengers write it, comes before the ' +
      'time of its last change when its content has no date',
  ),
  create_users: choice(
    'Whether the users that an exported library names and that do not exist are created, blocked and ' +
      'without a password. Otherwise what they made there belongs to the user whose files these become',
  ),
  dry_run: choice(
    'Whether nothing is imported or removed. The stream then reports what would be: `imported` ' +
      'is what would be imported',
  ),
  on_duplicate: OnDuplicate.default('keep').meta({
    description:
      'What happens to a content that is already in the library: `keep` makes another file of ' +
      'it, `skip` skips it, `conflict` makes it an error. With `skip` and `conflict`, it stays ' +
      'in the folder',
  }),
})
export type ImportOptions = z.output<typeof ImportOptions>

/** The default options. */
export const USUAL: ImportOptions = ImportOptions.parse({})

export const ImportRequest = ImportOptions.extend({
  path: FolderPath,
  owner: UserId.min(1)
    .optional()
    .meta({
      description:
        'Id of the user whose files, and whose new tags and categories, these become; by default the ' +
        'caller. Any user who is not blocked',
    }),
}).meta({ id: 'ImportRequest' })

/** The query of GET /files/import/folders. */
export const FoldersQuery = z.object({ path: FolderPath })

const ListedFolder = z.object({
  name: z.string().meta({ description: 'Name of the folder' }),
  files: z
    .int()
    .nullable()
    .meta({
      description:
        'How many files are directly in it, without hidden ones; null when there are more than ' +
        "10,000, when the server can't read it, or when counting took too long",
    }),
})
export type ListedFolder = z.infer<typeof ListedFolder>

export const ImportFolders = z
  .object({
    path: z.string().meta({
      description:
        'Path of the folder, relative to the import folder, whose own path is empty. Add a ' +
        'slash and a name for the path of a folder in it',
    }),
    folders: z.array(ListedFolder).meta({ description: 'The folders in it, by name' }),
  })
  .meta({ id: 'ImportFolders' })
export type ImportFolders = z.infer<typeof ImportFolders>

/** The query of GET /files/import/count. */
export const CountQuery = FoldersQuery.extend({
  recursive: BooleanText.default(false).meta({
    description: 'Whether to count in the folders in it too, as an import with this option does',
  }),
})

export const ImportCount = z
  .object({
    files: z.int().meta({
      description:
        'How many photos and videos are there, by the ends of their names; a file without one ' +
        'counts. Hidden, empty and unfinished files are left out',
    }),
    imported: z.int().meta({
      description:
        'How many of them have been imported before and are still in the library, going by where they are and what they are called',
    }),
    folders: z.int().meta({ description: 'How many folders hold the others' }),
    is_library: z.boolean().meta({
      description: 'Whether the folder is an exported library, of which all is counted',
    }),
    is_whole: z.boolean().meta({
      description: 'Whether all were counted; false when that would have taken too long',
    }),
  })
  .meta({ id: 'ImportCount' })
export type ImportCount = z.infer<typeof ImportCount>

const DryRunSummary = z.object({
  bytes: z
    .int()
    .meta({ description: 'In `done` of a dry run, the bytes of all that would be imported' }),
  here: z.int().meta({
    description:
      'In `done` of a dry run, how many have a content that is already in the library, or that ' +
      'another one of them has',
  }),
  room: z
    .int()
    .nullable()
    .meta({
      description:
        "In `done` of a dry run, how many bytes the library's disk has room for, or the disk of " +
        "its contents if that is another one and has less; null when the file system doesn't " +
        'report it. A file needs less if its source is on the same disk or is removed from it',
    }),
  types: z
    .array(
      z.object({
        mime_type: z.string().meta({ description: 'A type' }),
        files: z.int().meta({ description: 'How many files of it would be imported' }),
      }),
    )
    .meta({
      description: 'In `done` of a dry run, what would be imported, the most frequent first',
    }),
})
const TagPath = z.array(z.string()).meta({
  description: 'Levels of a path of keywords from the top one; `leave_out` leaves it out',
})

const TagPreview = z.object({
  tags: z
    .array(
      z.object({
        path: TagPath,
        name: z.string().meta({
          description:
            'Name of the tag. It differs from the last level if that stands elsewhere, `Paris ' +
            '(Texas)`, or is the name of a tag that the owner may not view, `Oma (kid)`',
        }),
        files: z.int().meta({ description: 'How many files would get it' }),
        is_new: z.boolean().meta({ description: 'Whether the import would make it' }),
        above: z
          .enum(['rule', 'new_rule', 'by_hand'])
          .nullable()
          .meta({
            description:
              'How these files get the tag above it: by a rule, by one that the import would make, or ' +
              'by hand, because the owner may not edit the tag; null when there is none above',
          }),
      }),
    )
    .meta({
      description:
        'In `done` of a dry run with `keyword_tags`, the tags that files would get: new ones first, ' +
        'then those of most files; at most 10,000',
    }),
  more_tags: z.int().meta({ description: 'How many tags are not listed' }),
  new_tags: z.int().meta({ description: 'How many tags the import would make' }),
  unfit: z
    .array(z.object({ path: TagPath, files: z.int().meta({ description: 'How many have it' }) }))
    .meta({ description: 'Paths that make no tag: no tag may be named like one of their levels' }),
  tags_after: z.int().nullable().meta({
    description:
      'How many tags the owner would then have made; null for an admin, who may make any number',
  }),
  most_tags: z.int().nullable().meta({
    description: 'How many they may make. An import of more is refused before its first file',
  }),
})

export type DryRunSummary = z.infer<typeof DryRunSummary> & Partial<z.infer<typeof TagPreview>>

/** One line of the stream of an import. */
export const ImportEvent = z
  .object({
    type: z
      .enum(['start', 'file', 'done', 'error'])
      .meta({ description: 'What kind of event this is' }),
    total: z
      .int()
      .optional()
      .meta({ description: 'In `start`, how many entries are to come; in `done`, how many came' }),
    dry_run: z.literal(true).optional().meta({
      description: 'In `start`, that nothing is imported and the events report what would be',
    }),
    young: z
      .int()
      .optional()
      .meta({
        description:
          'In `start`, how many have changed so recently (IMPORT_SETTLE) that they come last, ' +
          'after a wait',
      }),
    index: z.int().optional().meta({ description: 'In `file`, the number of the entry, from 1' }),
    filename: z
      .string()
      .optional()
      .meta({
        description:
          'In `file`, the name of the entry; in a folder below the one that is imported, its path from ' +
          'there, with slashes',
      }),
    status: z
      .enum(['imported', 'skipped', 'error'])
      .optional()
      .meta({ description: 'In `file`, what happened to the entry' }),
    reason: z.string().optional().meta({
      description:
        'In `file` and `error`, the reason or a warning; in `done`, who or what stopped it early',
    }),
    mime_type: z
      .string()
      .optional()
      .meta({ description: 'In `file` of a dry run, the type of what would be imported' }),
    imported: z.int().optional().meta({ description: 'In `done`, how many were imported' }),
    skipped: z.int().optional().meta({ description: 'In `done`, how many were skipped' }),
    errors: z.int().optional().meta({ description: 'In `done`, how many failed' }),
    operation: z.int().optional().meta({
      format: 'int64',
      description:
        'In `done`, the number of the operation, if anything was imported or got new tags',
    }),
    ...DryRunSummary.partial().shape,
    ...TagPreview.partial().shape,
  })
  .meta({
    id: 'ImportEvent',
    description:
      'One line of an import: first `start`, then a `file` for each entry, and finally `done`. ' +
      'An import that cannot go on ends with `error`',
  })
export type ImportEvent = z.infer<typeof ImportEvent>

const Tallies = z.object({
  total: z.int().meta({ description: 'How many entries there are' }),
  imported: z.int().meta({ description: 'How many have been imported' }),
  skipped: z.int().meta({ description: 'How many have been skipped' }),
  errors: z.int().meta({ description: 'How many have failed' }),
})

/** The progress of the present import, or the result of the last one. */
export const ImportState = runState(ImportEvent, Tallies)
  .extend({
    dry_run: z
      .boolean()
      .meta({ description: 'Whether it is a dry run. Its tallies then count what would be done' }),
  })
  .meta({
    id: 'ImportState',
    description: 'The progress of the running import, or the result of the last one',
  })
export type ImportState = z.infer<typeof ImportState>
