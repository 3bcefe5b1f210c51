import type { Db } from '../../../src/db/client.ts'
import { PLACES } from '../object-rows.ts'

/** Returns everything that a merge of files may change. */
export function everything(db: Db): Record<string, unknown[]> {
  return {
    files: db.all('SELECT * FROM files ORDER BY rid'),
    details: db.all('SELECT * FROM file_details ORDER BY file_rid'),
    tags: db.all('SELECT * FROM file_tags ORDER BY file_rid, tag_rid'),
    pools: db.all(`${PLACES} ORDER BY pool_rid, position`),
    // But for the days of rights.
    rights: db.all(
      'SELECT user_id, object_type, object_rid, pool_rid, can_view, can_edit FROM acl ORDER BY 1, 2, 3, 4',
    ),
  }
}
