import { setTimeout as delay } from 'node:timers/promises'
import { createDisk } from '../../src/base/disk.ts'
import { createLog } from '../../src/base/log.ts'
import type { Db } from '../../src/db/client.ts'
import { type Tx, write } from '../../src/db/write.ts'
import { listFiles } from '../../src/files/find/list.ts'
import { LONG_CHANGES } from '../../src/library.ts'
import { createLongChanges } from '../../src/long-changes/runner.ts'
import { undoOperation } from '../../src/operations/undo.ts'
import { createPool } from '../../src/pools/edit.ts'
import { loadPool } from '../../src/pools/queries.ts'
import { removePool } from '../../src/pools/remove.ts'
import { mergeTag } from '../../src/tags/merge/merge.ts'
import { loadTag } from '../../src/tags/queries.ts'
import { removeTag } from '../../src/tags/remove.ts'
import { createRule } from '../../src/tags/rules/rules.ts'
import { getUser } from '../../src/users/queries.ts'
import { removeUser } from '../../src/users/remove.ts'
import { type Made, makeLibrary } from './library.ts'
import { printTable } from './measure.ts'
import { fillPool } from './pool-files.ts'

const FILES = Number(process.env.BENCH_FILES ?? 100_000)
/** Most rows that a portion may change would take so long, in milliseconds. */
const LIMIT = 40

const PAUSE = 20

interface Tag {
  rid: number
  id: string
}

/**
 * Prints how long changes take that have no bound, how long their portions are, and how long a list
 * that is filtered by a tag of theirs takes right after a portion, compared with later.
 */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: FILES })
  const db = library.reopen()
  try {
    const { root, ann } = library.users
    const names = ['beach', 'sea', 'sun', 'old', 'into', 'new']
    const [beach, sea, sun, old, into, fresh] = names.map((name) => addTag(db, name)) as [
      Tag,
      Tag,
      Tag,
      Tag,
      Tag,
      Tag,
    ]
    for (const { rid } of [beach, old]) {
      db.run('INSERT INTO file_tags (file_rid, tag_rid) SELECT rid, ? FROM files', rid)
    }
    db.run('INSERT INTO tag_rules VALUES (?, ?, 1)', sea.rid, sun.rid)
    const pool = write(db, { now: Date.now() }, (tx) => {
      const id = createPool(tx, root, { name: 'all', is_public: false, shares_files: false })
      fillPool(tx, loadPool(tx, root, id, 'edit').rid, FILES)
      return id
    })
    const rule = (tx: Tx) => {
      const whenTag = loadTag(tx, root, beach.id, 'edit')
      const thenTag = loadTag(tx, root, sea.id, 'view')
      const active = { is_active: true, apply_to_existing: true }
      return createRule(tx, root, { whenTag, thenTag }, active)
    }
    const merge = (tx: Tx) => {
      const tags = [old, into].map((tag) => loadTag(tx, root, tag.id, 'edit'))
      return mergeTag(tx, root, { old: tags[0]!, into: tags[1]! })
    }
    const merged = await timed(db, library, { what: 'a tag is merged', work: merge, listed: into })
    const unmerged = await timed(db, library, {
      what: 'the undo of it',
      work: (tx) => undoOperation(tx, root, lastOperation(db)),
      listed: old,
    })
    // The same in two steps: all files get another tag by a rule, and the old one is deleted.
    const ruled = await timed(db, library, {
      what: 'a rule, 1 tag',
      work: (tx) => {
        const tags = [old, fresh].map((tag) => loadTag(tx, root, tag.id, 'edit'))
        const active = { is_active: true, apply_to_existing: true }
        return createRule(tx, root, { whenTag: tags[0]!, thenTag: tags[1]! }, active)
      },
      listed: fresh,
    })
    const deleted = await timed(db, library, {
      what: 'its when-tag is deleted',
      work: (tx) => removeTag(tx, root, loadTag(tx, root, old.id, 'edit')),
      listed: fresh,
    })
    const rows = [
      merged,
      unmerged,
      ruled,
      deleted,
      await timed(db, library, { what: 'a rule, 2 tags', work: rule, listed: sea }),
      await timed(db, library, {
        what: 'the undo of it',
        work: (tx) => undoOperation(tx, root, lastOperation(db)),
        listed: sea,
      }),
      await timed(db, library, {
        what: 'a tag is deleted',
        work: (tx) => removeTag(tx, root, loadTag(tx, root, beach.id, 'edit')),
        listed: library.tags[0]!,
      }),
      await timed(db, library, {
        what: 'a pool is deleted',
        work: (tx) => removePool(tx, root, loadPool(tx, root, pool, 'edit')),
        listed: library.tags[0]!,
      }),
      await timed(db, library, {
        what: 'a user is deleted',
        work: (tx) => removeUser(tx, root, getUser(tx, ann.id)),
        listed: library.tags[0]!,
      }),
    ]
    const share = merged['in all, ms'] / (ruled['in all, ms'] + deleted['in all, ms'])
    process.stdout.write(
      `a merge takes ${share.toFixed(2)} of a rule and a deletion; may take 1.3\n`,
    )
    printTable(`changes of ${FILES} files in portions, of which none may take ${LIMIT} ms`, rows)
  } finally {
    db.close()
    library.remove()
  }
}

interface Change {
  what: string
  work: (tx: Tx) => unknown
  /** The tag by which a list is filtered meanwhile. */
  listed: Tag
}

async function timed(db: Db, { users }: Made, { what, work, listed }: Change) {
  const portions: number[] = []
  const lists: number[] = []
  let last = 0
  const list = async () => {
    const begun = performance.now()
    const filter = `{t=${listed.id}}`
    await listFiles(db, users.root, { filter, direction: 'forward', limit: 50 } as never)
    return performance.now() - begun
  }
  const changes = createLongChanges({
    db,
    clock: Date.now,
    log: createLog('error'),
    kinds: LONG_CHANGES,
    disk: createDisk('.', 0),
    async onPortion() {
      portions.push(performance.now() - last)
      lists.push(await list())
      last = performance.now()
    },
  })
  const begun = performance.now()
  write(db, { now: Date.now() }, (tx) => void work(tx))
  const first = performance.now() - begun
  last = performance.now()
  changes.resume()
  while (db.get('SELECT 1 FROM long_changes')) await delay(5)
  const still: number[] = []
  for (let n = 0; n < 50; n++) {
    // As far apart as the portions left them.
    await delay(PAUSE)
    still.push(await list())
  }
  const spent = portions.reduce((sum, one) => sum + one, first)
  return {
    what,
    'in all, ms': spent,
    portions: portions.length + 1,
    'first, ms': first,
    'longest, ms': Math.max(...portions),
    'list meanwhile, ms': median(lists),
    'of a list later': median(lists) / median(still),
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function lastOperation(db: Db): number {
  return db.get<{ operation: number }>('SELECT operation FROM audit_log ORDER BY id DESC LIMIT 1')!
    .operation
}

function addTag(db: Db, name: string): Tag {
  const { rid, hex } = db.get<{ rid: number; hex: string }>(
    `INSERT INTO tags (id, name, name_key, creator_id, is_public)
     VALUES (unhex('018bcfe5680070008000' || printf('%012x', 720896 + (SELECT max(rid) FROM tags))), ?, ?, 1, 0)
     RETURNING rid, lower(hex(id)) AS hex`,
    name,
    name,
  )!
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { rid, id }
}
