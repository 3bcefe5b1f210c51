import { recordAudit } from '../audit/record.ts'
import type { WriteDeps } from '../db/client.ts'
import type { FileRecord } from '../files/queries.ts'
import type { User } from '../user.ts'

/**
 * Records inside a write that two files are not duplicates. This holds for everybody, and is
 * recorded only once, whatever the order of the two.
 */
export function dismissPair(deps: WriteDeps, user: User, one: FileRecord, other: FileRecord): void {
  const [a, b] = one.rid < other.rid ? [one, other] : [other, one]
  const changed = deps.db.run(
    'INSERT INTO duplicate_dismissals (file_rid_a, file_rid_b) VALUES (?, ?) ON CONFLICT DO NOTHING',
    a.rid,
    b.rid,
  )
  if (changed === 0) return
  recordAudit(deps.db, {
    user,
    action: 'duplicate_dismiss',
    object_type: 'file',
    object_id: one.id,
    details: { file_id_a: one.id, file_id_b: other.id },
    now: deps.clock(),
  })
}
