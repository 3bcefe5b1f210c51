/** The kinds of what can be wrong with a library; `docs/check.md` explains each of them. */
export const KINDS = [
  'database_damaged',
  'index_damaged',
  'schema_missing',
  'foreign_key',
  'full_text_index',
  'details_missing',
  'tag_count',
  'tag_file_count',
  'usage',
  'counting_stopped',
  'order_key',
  'pair_order',
  'stray_permission',
  'permission_through_pool',
  'pool_filter',
  'removal_of_known',
  'no_admin',
  'file_mode',
  'store_unknown',
  'store_of_other',
  'content_missing',
  'content_size',
  'content_damaged',
  'content_unreadable',
  'content_unknown',
  'derivative_unknown',
  'leftover',
  'unchecked',
] as const
type Kind = (typeof KINDS)[number]

/** One thing that is wrong. */
export interface Found {
  kind: Kind
  /** An id, a blob, or the name of a table or of a file below the data folder. */
  subject: string
  /** Says what is wrong, and names no path outside the data folder. */
  sentence: string
}

export interface Finding extends Found {
  type: 'finding'
  /** Whether it has been mended and was not found any more. */
  repaired: boolean
}

// In bytes of the contents.
interface Progress {
  type: 'progress'
  read: number
  done: number
  total: number
}

// The size of the audit log with the texts beside it, which nobody sees grow.
interface LogSize {
  type: 'log'
  entries: number
  bytes: number
}

/** What a check reports while it runs. */
export type CheckEvent = Finding | Progress | LogSize

export function finding(found: Found, repaired = false): Finding {
  return { type: 'finding', ...found, repaired }
}

/** Returns the finding for something that could not be checked. */
export function unchecked(subject: string, what: string, error: unknown): Found {
  const kind = isDamage(error) ? 'database_damaged' : 'unchecked'
  return { kind, subject, sentence: `${what} can't be checked: ${reasonOf(error)}` }
}

/** Returns whether SQLite reports that a file is no database, or is damaged. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))
}

/**
 * Returns why something failed. For errors of the file system this is their code, because their messages contain paths.
 */
export function reasonOf(error: unknown): string {
  const { code, message, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined ? message : (code ?? syscall)
}
