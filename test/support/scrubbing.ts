import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '../../src/db/client.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { addManyFiles } from './many-files.ts'
import { commandOf, descendantsOf } from './processes.ts'

/** Returns the processes in which a server, or this one, reads contents again. */
export function readersOf(pid: number): number[] {
  return descendantsOf(pid).filter((one) => /scrub\/reader-main\.[jt]s/.test(commandOf(one)))
}

/** Where the contents of a library lie, and what may become of them. */
export function contentsIn(dataDir: string) {
  const path = (blob: string) => dataFolder(dataDir).content(blob)
  return {
    path,
    /** Flips a bit in the middle. */
    flip(blob: string) {
      const bytes = readFileSync(path(blob))
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(path(blob), bytes)
    },
    truncate: (blob: string) => writeFileSync(path(blob), readFileSync(path(blob)).subarray(1)),
    remove: (blob: string) => rmSync(path(blob)),
    /** Puts something in the place of a content that can be opened and never comes to an end. */
    hang(blob: string) {
      rmSync(path(blob), { force: true })
      execFileSync('mkfifo', [path(blob)])
    },
    restore(blob: string, bytes: Uint8Array) {
      rmSync(path(blob), { force: true, recursive: true })
      mkdirSync(dirname(path(blob)), { recursive: true })
      writeFileSync(path(blob), bytes)
    },
  }
}

/** Adds that many files with contents of a few bytes, and returns these by their blobs, in order. */
export function addSmallContents(
  db: Db,
  dataDir: string,
  { count, owner }: { count: number; owner: number },
): Map<string, Uint8Array> {
  const { last } = db.get<{ last: number }>('SELECT coalesce(max(rid), 0) AS last FROM files')!
  addManyFiles(db, count, { owner })
  const contents = new Map<string, Uint8Array>()
  for (let n = 0; n < count; n++) {
    const blob = n.toString(16).padStart(2, '0').padEnd(32, '0')
    const bytes = Buffer.from(`content ${n}`)
    const digest = createHash('sha256').update(bytes).digest()
    db.run(
      'UPDATE file_details SET blob = ?, size = ?, sha256 = ? WHERE file_rid = ?',
      blob,
      bytes.length,
      digest,
      last + 1 + n,
    )
    contentsIn(dataDir).restore(blob, bytes)
    contents.set(blob, bytes)
  }
  // What these files had instead has never been there.
  db.run('DELETE FROM removals')
  return contents
}
