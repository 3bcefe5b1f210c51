import { and, eq, inArray, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import { ENTRY, SINCE } from '../../acl/queries.ts'
import type { Permission } from '../../acl/schema.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { acl } from '../../db/schema/acl.ts'
import { files } from '../../db/schema/files.ts'
import { poolFiles } from '../../db/schema/pools.ts'
import { users } from '../../db/schema/users.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'

const poolFilesFor = preparedWithAccess(
  'file',
  { pool_rid: poolFiles.pool_rid, limit: 'number' },
  (db, given, allowed) =>
    reading({ id: files.id }, (fields) =>
      db
        .select(fields)
        .from(poolFiles)
        .crossJoin(files)
        .where(
          and(
            eq(files.rid, poolFiles.file_rid),
            eq(poolFiles.pool_rid, given.pool_rid),
            eq(files.is_deleted, false),
            allowed.sql,
          ),
        )
        .orderBy(poolFiles.order_key)
        .limit(asLimit(given.limit)),
    ),
)

/** Returns the ids of the first files of a pool that the viewer may view and that are not in the trash. */
export function idsInPool(db: Db, viewer: User, pool_rid: number, limit: number): string[] {
  const values = { pool_rid, limit, user: viewer.id }
  return poolFilesFor(viewer, 'view')
    .all(db, values)
    .map((file) => file.id)
}

const creatorsOf = prepared({ files: 'text' }, (db, given) =>
  reading({ rid: files.rid, id: files.id, creator_id: files.creator_id }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.files}) AS j`)
      .crossJoin(files)
      .where(eq(files.id, sql`unhex(j.value)`))
      .orderBy(sql`j.key`),
  ),
)

/** Returns those of the files that exist, in the order given, with their creators. */
export function findCreators(
  db: Db,
  ids: string[],
): { rid: number; id: string; creator_id: number }[] {
  const list = JSON.stringify(ids.map((id) => id.replaceAll('-', '')))
  return creatorsOf.all(db, { files: list })
}

const entriesOf = prepared({ files: 'text' }, (db, given) =>
  reading(
    {
      object_rid: acl.object_rid,
      user_id: acl.user_id,
      user_name: sql<string>`${users.name}`.as('user_name'),
      can_view: acl.can_view,
      can_edit: acl.can_edit,
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.files}) AS j`)
        .crossJoin(acl)
        .innerJoin(users, eq(users.id, acl.user_id))
        .where(
          and(
            eq(acl.object_type, 'file'),
            eq(acl.object_rid, sql`j.value`),
            eq(acl.pool_rid, 0),
            eq(users.is_deleted, false),
          ),
        )
        .orderBy(sql`j.key`, acl.user_id),
  ),
)

/** Returns the access entries of files that were made by hand, by row numbers, each list ordered by user. */
export function permissionsOf(db: Db, rids: number[]): Map<number, Permission[]> {
  const lists = new Map<number, Permission[]>(rids.map((rid) => [rid, []]))
  for (const { object_rid, ...entry } of entriesOf.all(db, { files: JSON.stringify(rids) })) {
    lists.get(object_rid)!.push(entry)
  }
  return lists
}

const removed = prepared({ files: 'text', users: 'text' }, (db, given) =>
  db
    .delete(acl)
    .where(
      and(
        inArray(acl.user_id, listed(given.users)),
        eq(acl.object_type, 'file'),
        inArray(acl.object_rid, listed(given.files)),
        eq(acl.pool_rid, 0),
      ),
    ),
)

/** Removes the entries of users from the access lists of files. */
export function removeEntries(tx: Tx, rids: number[], users: number[]): void {
  removed.run(tx, { files: JSON.stringify(rids), users: JSON.stringify(users) })
}

const added = prepared({ files: 'text', users: 'text', now: 'number' }, (db, given) =>
  db
    .insert(acl)
    .select(
      db
        .select({
          user_id: sql<number>`u.value ->> 0`.as('user_id'),
          object_type: sql<'file'>`'file'`.as('object_type'),
          object_rid: sql<number>`f.value`.as('object_rid'),
          pool_rid: sql<number>`0`.as('pool_rid'),
          can_view: sql<boolean>`1`.as('can_view'),
          can_edit: sql<boolean>`u.value ->> 1`.as('can_edit'),
          granted_at: sql<number>`${given.now}`.as('granted_at'),
        })
        .from(sql`json_each(${given.files}) AS f CROSS JOIN json_each(${given.users}) AS u`)
        .where(sql`true`),
    )
    .onConflictDoUpdate({
      target: ENTRY,
      set: {
        can_view: true,
        can_edit: sql`max(${acl.can_edit}, excluded.can_edit)`,
        granted_at: SINCE,
      },
      setWhere: sql`${acl.can_view} = 0 OR ${acl.can_edit} < excluded.can_edit`,
    }),
)

/** Lets users view files, and edit them as each entry says; users keep the right to edit that they already have. */
export function addEntries(
  tx: Tx,
  rids: number[],
  users: { user_id: number; can_edit: boolean }[],
): void {
  const pairs = users.map(({ user_id, can_edit }) => [user_id, Number(can_edit)])
  added.run(tx, { files: JSON.stringify(rids), users: JSON.stringify(pairs), now: tx.now })
}
