import type { Rows } from '../../../acl/access.ts'
import type { User } from '../../../base/user.ts'
import { columnNames } from '../../../db/columns.ts'
import { files } from '../../../db/schema/files.ts'
import type { Sql } from '../../../db/sql.ts'

/** How a trait is found. */
export interface Ways<Asked> {
  /** The condition that the file in the row `f` of files has it; NULL where that is unknown. */
  sql(trait: Asked, viewer: User): Sql
  /** Rows of an index that name the files that have it; without them, all files are looked at. */
  rows?(trait: Asked, viewer: User): Rows
  /** Whether `rows` passes a whole table, which is left to a reader. */
  isScanned?: boolean
  /** A guess of the share of files that have it. */
  share: number
  /** What a file costs to check, in conditions on a tag. */
  weight: number
  /** Whether `sql` reads more of a file than the index of a sort has. */
  readsRow: boolean
}

/** The columns of the row `f` of files. */
export const f = columnNames(files, 'f')

/** Returns SQL without parameters. */
export const plain = (sql: string): Sql => ({ sql, params: [] })

/** Returns the rows of an index of files that hold a condition, which has to leave them in the order of row numbers. */
export function indexed(index: string, where: Sql): Rows {
  return { from: plain(`files f INDEXED BY ${index}`), where, column: f.rid, isOrdered: true }
}
