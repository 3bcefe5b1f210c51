import { z } from 'zod'
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
    'Whether a file gets a tag for each of its keywords in IPTC or XMP, in the same way',
  ),
  public_tags: choice(
    'Whether the tags that are created for folders and keywords are public, as with `is_public` of ' +
      'a tag',
  ),
  name_dates: choice(
    'Whether a date in the name of a file, as phones and messengers write it, comes before the ' +
      'time of its last change when its content has no date',
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
export type DryRunSummary = z.infer<typeof DryRunSummary>

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
      description: 'In `done`, the number of the operation, if anything was imported',
    }),
    ...DryRunSummary.partial().shape,
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
