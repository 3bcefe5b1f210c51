import assert from 'node:assert/strict'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { filesIn } from '../../support/backups.ts'
import { form, picture } from '../../support/harness.ts'
import { type Measured, measureCommand } from '../../support/measured-command.ts'
import type { Runtime } from '../../support/spawn.ts'
import type { Random } from '../worlds/random.ts'
import type { Call } from '../worlds/steps.ts'

/** Files that come before the second backup. */
export const NEW = 100
/** Contents at most of which it is looked at whether they are read. */
const MOST_WATCHED = 20_000
/** How often a backup may read the database: to copy it, to check it twice over, and to take its sums. */
const MOST_READS = 8
/**
 * How many pages of the database are read for each content, since the rows are all over it in the order of the names of
 * the contents: once to copy, and once for the manifest.
 */
const PASSES = 2
const PAGE = 4096
/** Bytes that the program reads of itself at most, and of the manifests of a few hundred files. */
const ITSELF = 64 * 2 ** 20
/** Before all contents were written: a reading moves the time of the last one only from there on. */
const LONG_AGO = new Date(0)

/** What the backup after new files came to. */
export interface Again extends Measured {
  /** Old contents of which it was seen that they were not read; null where the file system keeps no times of access. */
  unread: number | null
  /** How often the database was read, at most. */
  reads: number
}

/** Uploads files with contents of their own. */
export async function addNewFiles(call: Call, random: Random): Promise<void> {
  for (let n = 0; n < NEW; n++) {
    const bytes = Buffer.concat([await picture(n), Buffer.from(`${n} ${random.below(2 ** 32)}`)])
    const response = await call('POST', '/files', form(bytes, `new-${n}.jpg`))
    assert.equal(response.status, 201, await response.text())
  }
}

/**
 * Backs up a library that has all contents in its backup but those of the new files. Throws when others are copied or
 * read, or when the database is read too often.
 */
export async function backUpAgain({
  dataDir,
  dir,
  random,
  runtime,
}: {
  dataDir: string
  dir: string
  random: Random
  runtime?: Runtime
}): Promise<Again> {
  const { contents, database } = dataFolder(dataDir)
  const copies = join(dir, 'contents')
  const old = random.some(filesIn(copies), MOST_WATCHED)
  const isOld = new Set(filesIn(copies))
  const fresh = filesIn(contents).filter((path) => /^..\//.test(path) && !isOld.has(path))
  assert.equal(fresh.length, NEW, 'new contents')
  const watched = old.flatMap((path) => [join(contents, path), join(copies, path)])
  const signs = fresh.map((path) => join(contents, path))
  for (const path of [...watched, ...signs]) utimesSync(path, LONG_AGO, statSync(path).mtime)
  const size = statSync(database).size
  const measured = await measureCommand(dataDir, ['backup', dir], runtime)
  assert.equal(measured.result.copied, NEW, 'contents that the second backup copied')
  const wasRead = (path: string) => statSync(path).atimeMs !== 0
  assert.deepEqual(watched.filter(wasRead), [], 'old contents that the second backup read')
  // Whoever looked at its process too seldom has not seen what it read.
  assert.ok(measured.read >= size, 'it was not seen that the database is read')
  const reads = measured.read / size
  const most = MOST_READS * size + PASSES * PAGE * measured.result.contents + ITSELF
  assert.ok(measured.read <= most, `the database is read ${reads} times`)
  return { ...measured, reads, unread: signs.every(wasRead) ? old.length : null }
}
