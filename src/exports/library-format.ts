import { z } from 'zod'
import { DATE_PRECISIONS, DATE_SOURCES, POOL_SORT_KEYS, SORT_ORDERS } from '../base/enums.ts'
import { Color } from '../http/fields.ts'
import { FILE_TEXT, metadataObject, nameText, notesText } from '../http/text-fields.ts'

/** The file of an export that says what people made of the library. */
export const LIBRARY_FILE = 'library.json'
/** The folder of an export for what it needs for itself and for files that are not finished. */
export const OWN_FOLDER = '.tagstead-export'
/** The most bytes of a line, far above what the writer needs. */
export const LONGEST_LINE = 2 ** 24
/** How many files of a pool stand in one line at most. */
export const FILES_OF_LINE = 1000

// `library.json` is a JSON array with one element in each line: `[`, the elements with commas after all but the last,
// `]`. Elements have the order of the union `LibraryLine`, and within a kind that of creation; users are sorted by name.
// Keys whose value is the default are left out. Names of users, categories and tags are unique; files are known by their
// path in the export, pools by their number, counted from 0, because these names are not unique.

/** The path of a file in the export, with `/`; the sidecar has `.xmp` after it. Paths differ also in lower case. */
export const ExportedPath = z
  .string()
  .max(300)
  .regex(/^\d{4}\/\d{4}-\d\d\/[^/\\\0]+$/)
  .refine((path) => !/\/\.{1,2}$/.test(path) && path.isWellFormed())

const name = nameText(256, 'edit')
const userName = nameText(32, 'edit')
const PoolNumber = z.int().min(0)
const no = z.boolean().default(false)

const told = {
  notes: notesText(FILE_TEXT, 'edit').nullable().default(null),
  metadata: metadataObject(FILE_TEXT, 'edit').nullable().default(null),
}

const owned = {
  creator: userName,
  is_public: no,
  /** The access list, as people wrote it: without entries that come through a pool. Sorted by name. */
  rights: z
    .array(z.object({ user: userName, can_view: z.boolean().default(true), can_edit: no }))
    .max(10_000)
    .default([]),
}

/** The first line. */
const LibraryHead = z.object({ type: z.literal('library'), format: z.literal(1) })

/** Somebody who is named below other than in a filter. */
const UserLine = z.object({ type: z.literal('user'), name: userName })

const CategoryLine = z.object({
  type: z.literal('category'),
  name,
  color: Color.nullable().default(null),
  ...told,
  ...owned,
})

const TagLine = z.object({
  type: z.literal('tag'),
  name,
  color: Color.nullable().default(null),
  category: name.nullable().default(null),
  ...told,
  ...owned,
})

/** A rule: what gets the tag `when` gets the tag `then`, too. Files have what follows from it already. */
const RuleLine = z.object({
  type: z.literal('rule'),
  when: name,
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the API's field, and holds no function
  then: name,
  is_active: z.boolean().default(true),
})

const FileLine = z.object({
  type: z.literal('file'),
  path: ExportedPath,
  /** The file's own name, which may differ from that in the path; null when it has none. */
  name: nameText(255, 'edit').nullable().default(null),
  size: z.int().min(0),
  /** Of the content, in hex digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  ...told,
  ...owned,
  date: z.object({
    /** `content_datetime`, an instant in UTC. */
    time: z.iso.datetime(),
    /** `content_offset` in minutes. */
    offset: z.int().min(-1439).max(1439).nullable().default(null),
    source: z.enum(DATE_SOURCES).nullable().default(null),
    precision: z.enum(DATE_PRECISIONS).nullable().default(null),
  }),
  /** By how many degrees people turned it clockwise. */
  rotation: z.literal([0, 90, 180, 270]).default(0),
  needs_review: no,
  /** Names of the tags that people put on it, and of those that are on it by rules alone, in order of creation. */
  tags: z.array(name).max(10_000).default([]),
  tags_by_rule: z.array(name).max(10_000).default([]),
  /** Names of the users whose favourite it is, sorted. */
  favourite_of: z.array(userName).max(10_000).default([]),
})

/** A living picture: a film that belongs to a picture. Sorted by the film's creation. */
const PairLine = z.object({
  type: z.literal('pair'),
  film: ExportedPath,
  picture: ExportedPath,
})

/**
 * A token of a filter: its text, or what it names in place of `t=`, `c=`, `p=` and `u=` with an id. Null stands for
 * what is gone, or hidden from the user of the export: it matches nothing.
 */
const FilterToken = z.union([
  z.string().max(1000),
  z.strictObject({ tag: name.nullable() }),
  z.strictObject({ category: name.nullable() }),
  z.strictObject({ pool: PoolNumber.nullable() }),
  z.strictObject({ user: userName.nullable() }),
])
export type FilterToken = z.infer<typeof FilterToken>

const PoolLine = z.object({
  type: z.literal('pool'),
  name,
  ...told,
  ...owned,
  sort: z.enum(POOL_SORT_KEYS),
  order: z.enum(SORT_ORDERS),
  shares_files: no,
  /** The tokens of the filter by which the pool fills itself; null for a pool that people fill. */
  filter: z.array(FilterToken).max(500).nullable().default(null),
})

/**
 * More files of the pool in the last line of that kind, in their manual order. `shared`, where the pool shares its
 * files: those of them that its people see through it.
 */
const PoolFilesLine = z.object({
  type: z.literal('pool_files'),
  files: z.array(ExportedPath).min(1).max(FILES_OF_LINE),
  shared: z.array(ExportedPath).max(FILES_OF_LINE).default([]),
})

/** Two files that somebody said are no duplicates. */
const DismissalLine = z.object({
  type: z.literal('dismissal'),
  files: z.tuple([ExportedPath, ExportedPath]),
})

/** An element of `library.json`. */
export const LibraryLine = z.discriminatedUnion('type', [
  LibraryHead,
  UserLine,
  CategoryLine,
  TagLine,
  RuleLine,
  FileLine,
  PairLine,
  PoolLine,
  PoolFilesLine,
  DismissalLine,
])
/** A line as it is read, with its defaults. */
export type LibraryLine = z.output<typeof LibraryLine>
/** A line as it is written, without them. */
export type WrittenLine = z.input<typeof LibraryLine>
