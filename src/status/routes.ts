import { Hono } from 'hono'
import { adminOnly } from '../acl/access.ts'
import { mendingOf, workLeft } from '../background/run.ts'
import type { Disk } from '../base/disk.ts'
import { isoTime } from '../base/time.ts'
import { VERSION } from '../base/version.ts'
import type { Db } from '../db/client.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { findBackupRecord } from '../keep/backup/record-queries.ts'
import { countDamages, findScrub } from '../keep/scrub/queries.ts'
import type { Decoder } from '../media/decoder/decoder.ts'
import type { Storage } from '../media/storage.ts'
import { runningReaders } from '../reader/question.ts'
import { Status } from './schema.ts'

function backupStatus(db: Db): Pick<Status, 'last_backup' | 'backup_problem'> {
  const { made_at, problem, failed_at } = findBackupRecord(db)
  const last_backup = made_at === null ? null : isoTime(made_at)
  return { last_backup, backup_problem: failed_at === null ? problem : 'failed' }
}

function scrubStatus(db: Db): Pick<Status, 'last_scrub' | 'damaged'> {
  const ended_at = findScrub(db)?.ended_at ?? null
  return { last_scrub: ended_at === null ? null : isoTime(ended_at), damaged: countDamages(db) }
}

async function storeStatus(storage: Pick<Storage, 'lookAtStore'>): Promise<Status['store']> {
  const state = await storage.lookAtStore()
  return state && { ...state, since: state.since === null ? null : isoTime(state.since) }
}

function wallsStatus(decoder: Decoder): Pick<Status, 'decoder_walls' | 'decoder_walls_reason'> {
  const { level, reason } = decoder.walls()
  return { decoder_walls: level, decoder_walls_reason: reason }
}

interface StatusDeps {
  db: Db
  storage: Pick<Storage, 'lookAtStore'>
  disk: Disk
  decoder: Decoder
  longChanges: () => number
}

const RUNTIME =
  'Bun' in globalThis ? `bun ${process.versions.bun}` : `node ${process.versions.node}`

/** Returns the route of the server's status, which is for admins only. */
export function statusRoutes({
  db,
  storage,
  disk,
  decoder,
  longChanges,
}: StatusDeps): Hono<AppEnv> {
  return new Hono<AppEnv>().get(
    '/status',
    operation({
      id: 'getStatus',
      tag: 'System',
      scope: 'admin',
      summary: 'Get the status of the server',
      description: 'For admins only.',
      responses: { 200: { description: 'The current status', schema: Status } },
    }),
    adminOnly,
    async (c) =>
      c.json({
        version: VERSION,
        runtime: RUNTIME,
        ...totalUsage(db),
        free_bytes: disk.free(),
        store: await storeStatus(storage),
        decoder_jobs: decoder.jobs(),
        ...wallsStatus(decoder),
        readers: runningReaders(db),
        long_changes: longChanges(),
        background: workLeft(db),
        dates_operation: mendingOf(db),
        ...backupStatus(db),
        ...scrubStatus(db),
      } satisfies Status),
  )
}
