import type { Db } from '../../src/db/client.ts'
import { blobToUuid, uuidToBlob } from '../../src/db/columns.ts'
import { type Tx, write } from '../../src/db/write.ts'
import { bulkDelete, bulkReview, bulkTags } from '../../src/files/bulk/bulk.ts'
import { loadFile } from '../../src/files/queries.ts'
import { fileHistory } from '../../src/operations/history.ts'
import { undoOperation } from '../../src/operations/undo.ts'
import { addFiles, removeFiles } from '../../src/pools/arrange.ts'
import { createPool } from '../../src/pools/edit.ts'
import { loadPool } from '../../src/pools/queries.ts'
import { reorderFiles } from '../../src/pools/reorder.ts'
import { fillLog } from './audit.ts'
import { type Made, makeLibrary } from './library.ts'
import { measure, printTable } from './measure.ts'

const FILES = 10_000
/** Rounds, of which the median counts. */
const ROUNDS = 9

/** Prints how long undos take, compared with what they undo, and pages of a file's history. */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: 100_000 })
  const db = library.reopen()
  try {
    benchUndo(db, library)
    await benchHistory(db, library)
  } finally {
    db.close()
    library.remove()
  }
}

type Work = (tx: Tx) => unknown

function benchUndo(db: Db, { users, tags }: Made): void {
  const { ann } = users
  const files = db
    .all<{ rid: number; id: Uint8Array }>(
      'SELECT rid, id FROM files WHERE creator_id = ? AND is_deleted = 0 ORDER BY random() LIMIT ?',
      ann.id,
      FILES,
    )
    .map((file) => ({ rid: file.rid, id: blobToUuid(file.id) }))
  const file_ids = files.map((file) => file.id)
  // The least frequent tags, which few of the files carry already.
  const tag_ids = tags.slice(-3).map((tag) => tag.id)
  const pool = write(db, { now: Date.now() }, (tx) => {
    const id = createPool(tx, ann, { name: 'bench', is_public: false, shares_files: false })
    return loadPool(tx, ann, id, 'edit')
  })
  db.run('UPDATE files SET needs_review = 1')
  const fill: Work = (tx) => addFiles(tx, ann, pool, { files, position: 0 })
  const empty: Work = (tx) => removeFiles(tx, ann, pool, file_ids)
  const cases: [what: string, change: Work, prepare?: Work][] = [
    ['3 tags put on', (tx) => bulkTags(tx, ann, { action: 'add', file_ids, tag_ids })],
    ['into the trash', (tx) => bulkDelete(tx, ann, file_ids)],
    ['reviewed', (tx) => bulkReview(tx, ann, { file_ids, needs_review: false })],
    ['put into a pool', fill, empty],
    ['taken out of a pool', empty, fill],
    [
      'a pool reversed',
      (tx) => reorderFiles(tx, ann, pool, { file_ids: file_ids.toReversed() }),
      fill,
    ],
  ]
  const rows = cases.map(([what, change, prepare]) => {
    const times: [change: number, undo: number][] = []
    for (let round = 0; round < ROUNDS; round++) {
      if (prepare) timed(db, prepare)
      const { operation, ms } = timed(db, change)
      const undo = timed(db, (tx) => undoOperation(tx, ann, operation))
      times.push([ms, undo.ms])
    }
    const [took, undo] = [0, 1].map((which) => median(times.map((time) => time[which]!)))
    return { [`${FILES} files`]: what, took: took!, undo: undo!, '× undo': undo! / took! }
  })
  printTable('operations and their undo', rows)
}

function timed(db: Db, work: Work): { operation: number; ms: number } {
  db.get('PRAGMA wal_checkpoint(TRUNCATE)')
  const operation = { number: null as number | null }
  const started = performance.now()
  write(db, { now: Date.now(), operation }, (tx) => {
    work(tx)
  })
  return { operation: operation.number ?? 0, ms: performance.now() - started }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** The log has a million entries, of which few files have 20,000 and most have some. */
async function benchHistory(db: Db, { users }: Made): Promise<void> {
  const ids = db
    .all<{ id: Uint8Array }>('SELECT id FROM files WHERE creator_id = 2 ORDER BY rid LIMIT 2')
    .map((file) => blobToUuid(file.id))
  fillLog(db)
  const [few, many] = ids as [string, string]
  for (const [id, count] of [
    [few, 20],
    [many, 20_000],
  ] as const) {
    db.run(
      'UPDATE audit_log SET object_id = ? WHERE id IN (SELECT id FROM audit_log WHERE object_type = ? ORDER BY random() LIMIT ?)',
      uuidToBlob(id),
      'file',
      count,
    )
  }
  const rows = []
  for (const user of [users.root, users.ann]) {
    for (const [name, id, pages] of [
      ['20 entries', few, 1],
      ['20,000 entries, first page', many, 1],
      ['20,000 entries, page by page', many, 20],
    ] as const) {
      const walk = () => {
        let cursor: number | undefined
        for (let page = 0; page < pages; page++) {
          const file = loadFile(db, user, id, 'view')
          const { next_cursor } = fileHistory(db, user, file, { cursor, limit: 50 })
          if (next_cursor === null) return
          cursor = Number(next_cursor)
        }
      }
      const { p50, p99 } = await measure(walk, { runs: 500, budget: 2000 })
      rows.push({ 'history in a million': name, who: user.name, p50, p99, pages })
    }
  }
  printTable('a file’s history', rows)
}
