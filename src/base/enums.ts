// The values of the fields that have only a few, defined once for tables, requests and types.

/** The kinds of objects that have rights of their own. */
export const OBJECT_TYPES = ['file', 'tag', 'category', 'pool'] as const
export type ObjectType = (typeof OBJECT_TYPES)[number]

/** What a key may be used for. */
export const KEY_SCOPES = ['read', 'upload', 'tag', 'admin'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

export const POOL_SORT_KEYS = ['manual', 'content_datetime', 'created', 'original_name'] as const
export type PoolSortKey = (typeof POOL_SORT_KEYS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/**
 * Whether the derivatives of a content could be made. `failed` is the content's fault. `pending` is the fault of the
 * system, which lacked a process, memory, a file or time, so that it is worth another try.
 */
export const DERIVATIVE_STATES = ['pending', 'made', 'failed'] as const
export type DerivativeState = (typeof DERIVATIVE_STATES)[number]

/** The source of a file's date: a person, its content, its name, or the disk. */
export const DATE_SOURCES = [
  'given',
  'exif',
  'xmp',
  'gps',
  'video',
  'name',
  'mtime',
  'upload',
] as const
export type DateSource = (typeof DATE_SOURCES)[number]

/** How much is known of a date that is known in part. */
export const DATE_PRECISIONS = ['day', 'month', 'year'] as const
export type DatePrecision = (typeof DATE_PRECISIONS)[number]

/** Degrees by which a file can be turned clockwise. */
export const ROTATIONS = [0, 90, 180, 270] as const
export type Rotation = (typeof ROTATIONS)[number]

/**
 * How a child of the decoder is isolated, the strongest first. `namespaces`: it has no network, sees no other process,
 * and only the files of the runtime and its room. `landlock`: it has no network, and the same files; it sees that other
 * processes run, but not their memory and environment. `user`: it is another user, without rights of its own.
 * `environment`: it is the server's user, and gets nothing of the server's environment.
 */
export const WALLS = ['namespaces', 'landlock', 'user', 'environment'] as const
export type WallLevel = (typeof WALLS)[number]

/** Problems of a successful backup: contents that the library lacks, or a disk that it shares with the library. */
export const BACKUP_PROBLEMS = ['incomplete', 'same_disk'] as const
export type BackupProblem = (typeof BACKUP_PROBLEMS)[number]

/** Why the contents of a store are not available: it does not answer, it refuses, or they are not of this library. */
export const STORE_PROBLEMS = ['away', 'refused', 'foreign'] as const
export type StoreProblem = (typeof STORE_PROBLEMS)[number]

/** What is wrong with a content: it is missing, has another length or other bytes, or can't be read. */
export const DAMAGES = ['missing', 'size', 'sha256', 'unreadable'] as const
export type Damage = (typeof DAMAGES)[number]

/** The names of a category whose tags are people. */
export const PEOPLE = /^(people|persons?|family|faces|personen|leute|menschen|familie|gesichter)$/i

/** What may be saved through a link for people without an account. */
export const SHARE_DOWNLOADS = ['none', 'without_place', 'as_they_are'] as const
export type ShareDownloads = (typeof SHARE_DOWNLOADS)[number]
