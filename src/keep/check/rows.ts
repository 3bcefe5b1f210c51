import { write } from '../../db/write.ts'
import { parseFilter } from '../../files/find/parse.ts'
import type { Inspection } from './inspection.ts'
import {
  addVersion,
  filesWithoutDetails,
  hasActiveAdmin,
  keepKnown,
  missingVersions,
  removalsOfKnown,
  removeUngrounded,
  smartPools,
  strayPermissions,
  ungroundedPermissions,
} from './row-queries.ts'

/** Checks the rows that triggers and foreign keys keep in step with others. */
export const rows: Inspection[] = [
  {
    what: 'What is told of contents',
    find: (db) =>
      filesWithoutDetails(db).map((id) => ({
        kind: 'details_missing',
        subject: id,
        sentence: 'It is not known which content the file has',
      })),
  },
  {
    what: 'The access lists',
    find: (db) =>
      strayPermissions(db).map(({ type, entries }) => ({
        kind: 'stray_permission',
        subject: type,
        sentence: `${entries} entries of access lists are for a ${type} that isn't there`,
      })),
  },
  {
    what: 'The access lists, through pools',
    find: (db) =>
      ungroundedPermissions(db).map(({ pool, entries }) => ({
        kind: 'permission_through_pool',
        subject: String(pool),
        sentence: `${entries} entries of access lists come through a pool that doesn't give them`,
      })),
    mend: ({ db, clock }) => write(db, { now: clock() }, removeUngrounded),
  },
  {
    what: 'The pools that fill themselves',
    find: (db) =>
      smartPools(db).flatMap(({ id, filter, has_files }) => {
        const isRight = parseFilter(filter).broken === undefined
        if (isRight && !has_files) return []
        const sentence = isRight
          ? 'The pool fills itself, but it also holds files of its own'
          : "The pool has a filter that can't be read, so it shows nothing"
        return [{ kind: 'pool_filter', subject: id, sentence }]
      }),
  },
  {
    what: 'What is to be removed',
    find: (db) =>
      removalsOfKnown(db).map(({ blob, id }) => ({
        kind: 'removal_of_known',
        subject: blob,
        sentence: `The content of the file ${id} is about to be removed`,
      })),
    mend: ({ db, clock }) => write(db, { now: clock() }, keepKnown),
  },
  {
    what: 'The versions of what is in memory',
    find: (db) =>
      missingVersions(db).map((name) => ({
        kind: 'schema_missing',
        subject: name,
        sentence: `The version "${name}" of what is in memory is missing`,
      })),
    mend({ db, clock }) {
      for (const name of missingVersions(db)) {
        write(db, { now: clock() }, (tx) => addVersion(tx, name))
      }
    },
  },
]

/** Checks that somebody can let others in. */
export const accounts: Inspection = {
  what: 'The admins',
  find: (db) =>
    hasActiveAdmin(db)
      ? []
      : [
          {
            kind: 'no_admin',
            subject: 'users',
            sentence: 'No admin can sign in: "tagstead user" makes one, or lets one in again',
          },
        ],
}
