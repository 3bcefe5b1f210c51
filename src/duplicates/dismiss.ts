import { audit } from '../audit/record.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import type { FileRecord } from '../files/queries.ts'
import { insertDismissal } from './queries.ts'

/**
 * Records that two files are not duplicates. This holds for all users, and is recorded only once, whatever the order of
 * the two.
 */
export function dismissPair(tx: Tx, user: User, one: FileRecord, other: FileRecord): void {
  const [a, b] = one.rid < other.rid ? [one, other] : [other, one]
  if (!insertDismissal(tx, { file_rid_a: a.rid, file_rid_b: b.rid })) return
  const details = { file_id_a: one.id, file_id_b: other.id }
  audit(tx, user, 'duplicate_dismiss', { type: 'file', id: one.id }, details)
}
