import { Hono } from 'hono'
import { requireExists } from '../acl/queries.ts'
import { audit } from '../audit/record.ts'
import { writeAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Tx, WriteDeps } from '../db/write.ts'
import { presentFile } from '../files/present.ts'
import { type FileRecord, loadFile } from '../files/queries.ts'
import { File } from '../files/schema.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonPage, jsonText } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { stream } from '../http/stream.ts'
import { validBody, validQuery } from '../http/validate.ts'
import { visibleClusters } from './clusters.ts'
import { idPage, writeClusterPage } from './list.ts'
import { insertDismissal } from './queries.ts'
import { resolvePair } from './resolve.ts'
import {
  DuplicateClusterPage,
  DuplicateDismiss,
  DuplicateIdPage,
  DuplicateListQuery,
  DuplicateResolve,
} from './schema.ts'

/** Returns the routes that list the clusters of the last rescan and dismiss or resolve pairs. */
export function duplicateRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/duplicates',
    operation({
      id: 'listDuplicates',
      tag: 'Duplicates',
      scope: 'read',
      summary: 'List clusters of files that look alike',
      description:
        'A cluster is a group of files joined by pairs within DUPLICATE_HASH_THRESHOLD. Files ' +
        'that the caller may not view, files in the trash and dismissed pairs are left out. A ' +
        'page ends before it passes 8 MiB, but has at least one cluster. The next page begins ' +
        'after as many clusters as it has.',
      responses: {
        200: {
          description: 'A page of clusters, as of the last rescan',
          schema: DuplicateClusterPage,
        },
      },
    }),
    validQuery(DuplicateListQuery),
    async (c) => {
      const clusters = await visibleClusters(db, c.var.user)
      const page = writeClusterPage(db, c.var.user, { clusters, ...c.req.valid('query') })
      // Before the answer begins: a failure here can still be answered with an error.
      const first = await page.next()
      c.header('Content-Type', 'application/json')
      return c.body(stream(c, continued(first, page)))
    },
  )

  routes.get(
    '/files/duplicates/ids',
    operation({
      id: 'listDuplicateIds',
      tag: 'Duplicates',
      scope: 'read',
      summary: 'List clusters of files that look alike, with only the ids of their files',
      description:
        'The clusters of `GET /files/duplicates`, in the same order, for clients that decide ' +
        'one cluster after another. A large cluster comes with as many files as are decided ' +
        'before it is requested again.',
      responses: {
        200: {
          description: 'A page of clusters, as of the last rescan',
          schema: DuplicateIdPage,
        },
      },
    }),
    validQuery(DuplicateListQuery),
    async (c) => {
      const clusters = await visibleClusters(db, c.var.user)
      return jsonPage(c, idPage(db, c.var.user, { clusters, ...c.req.valid('query') }))
    },
  )

  routes.post(
    '/files/duplicates/dismiss',
    operation({
      id: 'dismissDuplicate',
      tag: 'Duplicates',
      scope: 'admin',
      summary: 'Record that two files are not duplicates',
      description:
        'This applies to everybody, and also to later rescans. The caller must have the right ' +
        'to view both files.',
      isAudited: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validBody(DuplicateDismiss),
    (c) => {
      const { file_id_a, file_id_b } = c.req.valid('json')
      writeAs(deps, c, (tx, user) => {
        requireExists(tx, 'file', file_id_b)
        const one = loadFile(tx, user, file_id_a, 'view')
        dismissPair(tx, user, one, loadFile(tx, user, file_id_b, 'view'))
      })
      return c.body(null, 204)
    },
  )

  routes.post(
    '/files/duplicates/resolve',
    operation({
      id: 'resolveDuplicate',
      tag: 'Duplicates',
      scope: 'admin',
      summary: 'Merge one file into another',
      description:
        'The caller must have the right to edit both files. If either is in the trash, or if the ' +
        'survivor would have more than 1,000 tags, the answer is 409.',
      isAudited: true,
      responses: { 200: { description: 'The survivor', schema: File } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validBody(DuplicateResolve),
    (c) => {
      const request = c.req.valid('json')
      const survivor = writeAs(deps, c, (tx, user) => {
        requireExists(tx, 'file', request.discard)
        const keep = loadFile(tx, user, request.keep, 'edit')
        const discard = loadFile(tx, user, request.discard, 'edit')
        resolvePair(tx, user, { keep, discard }, request)
        return presentFile(tx, user, keep.rid)
      })
      return jsonText(c, survivor)
    },
  )

  return routes
}

async function* continued(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string> {
  if (first.done) return
  try {
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}

// Records that two files are not duplicates. This holds for all users, and is recorded only once, whatever the order of
// the two.
function dismissPair(tx: Tx, user: User, one: FileRecord, other: FileRecord): void {
  const [a, b] = one.rid < other.rid ? [one, other] : [other, one]
  if (!insertDismissal(tx, { file_rid_a: a.rid, file_rid_b: b.rid })) return
  const details = { file_id_a: one.id, file_id_b: other.id }
  audit(tx, user, 'duplicate_dismiss', { type: 'file', id: one.id }, details)
}
