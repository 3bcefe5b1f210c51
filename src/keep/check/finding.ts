/** The kinds of what can be wrong with a library; `docs/check.md` tells what each of them means. */
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
  /** The id or the blob of what it is about, or a name: of a table, or of a file below the data folder. */
  subject: string
  /** Says what is wrong, and names no path outside the data folder. */
  sentence: string
}

/** What is told of it. */
export interface Finding extends Found {
  type: 'finding'
  /** Whether it has been mended and was not found any more. */
  repaired: boolean
}

/** How far a check has come, in bytes of the contents. */
interface Progress {
  type: 'progress'
  /** How many contents have been read. */
  read: number
  done: number
  total: number
}

/** How large the audit log is, with the texts beside it; nobody sees it grow. */
interface LogSize {
  type: 'log'
  entries: number
  bytes: number
}

/** What a check tells while it runs. */
export type CheckEvent = Finding | Progress | LogSize

/** Returns what is told of something that is wrong. */
export function finding(found: Found, repaired = false): Finding {
  return { type: 'finding', ...found, repaired }
}

/** Returns what is told of something that could not be looked at. */
export function unchecked(subject: string, what: string, error: unknown): Found {
  const kind = isDamage(error) ? 'database_damaged' : 'unchecked'
  return { kind, subject, sentence: `${what} can't be checked: ${reasonOf(error)}` }
}

/** Returns whether SQLite says that a database is none, or is damaged. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))
}

/** Returns why something failed; the messages of the file system have paths in them, so it is told by its code. */
export function reasonOf(error: unknown): string {
  const { code, message, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined ? message : (code ?? syscall)
}
