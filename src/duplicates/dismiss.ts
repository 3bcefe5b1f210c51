import { recordAudit } from '../audit/record.ts'
import type { WriteDeps } from '../db/client.ts'
import type { FileRecord } from '../files/queries.ts'
import type { User } from '../user.ts'
import { insertDismissal } from './queries.ts'

/**
 * Records inside a write that two files are not duplicates. This holds for everybody, and is
 * recorded only once, whatever the order of the two.
 */
export function dismissPair(deps: WriteDeps, user: User, one: FileRecord, other: FileRecord): void {
  const [a, b] = one.rid < other.rid ? [one, other] : [other, one]
  if (!insertDismissal(deps.db, { file_rid_a: a.rid, file_rid_b: b.rid })) return
  recordAudit(deps.db, {
    user,
    action: 'duplicate_dismiss',
    object_type: 'file',
    object_id: one.id,
    details: { file_id_a: one.id, file_id_b: other.id },
    now: deps.clock(),
  })
}
