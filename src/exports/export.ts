import { lstatSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findAccountByName } from '../auth/queries.ts'
import type { Config } from '../base/config.ts'
import { MIGRATIONS } from '../base/paths.ts'
import { nfc } from '../base/text.ts'
import type { User } from '../base/user.ts'
import { type Db, openDatabase } from '../db/client.ts'
import { isMigrated } from '../db/migrations.ts'
import { copyTo } from '../db/upkeep.ts'
import { withPlaces } from '../files/content/places.ts'
import { storeFault } from '../files/content/store-marker.ts'
import { libraryId } from '../files/content/store-queries.ts'
import { filesOf } from '../files/file-set.ts'
import { readAsked } from '../files/find/list.ts'
import { membersOf } from '../files/find/members.ts'
import { sidecarText } from '../files/sidecars/sidecar.ts'
import { sidecarFacts } from '../files/sidecars/sidecar-queries.ts'
import { clear } from '../media/clear.ts'
import { openContents } from '../media/contents.ts'
import { dataFolder } from '../media/data-folder.ts'
import { placeOf } from '../media/places/open.ts'
import { getUser } from '../users/queries.ts'
import { beginRun, claimFolder, earlierFiles, removeExported } from './folder.ts'
import { linesOf } from './lines.ts'
import {
  addEarlier,
  countFiles,
  filesToWrite,
  leaveOut,
  newPaths,
  obsoletePaths,
  planFiles,
  prepareSnapshot,
} from './snapshot-queries.ts'
import { createWriter, type Sharing } from './write.ts'

type Settings = Pick<Config, 'dataDir' | 'store' | 'access'>

interface ExportRequest {
  config: Settings
  /** An absolute path: an existing folder outside the data folder. */
  dir: string
  /** Whose view is exported; without it, everything. */
  user: string | undefined
  /** Which files, in the filter language; all without it. */
  filter: string | undefined
  sharing: Sharing
  signal: AbortSignal
}

export interface ExportResult {
  /** The number of exported files, and the bytes of their contents. */
  files: number
  bytes: number
  /** How many contents and sidecars were written now. */
  written: number
  written_bytes: number
  sidecars: number
  /** How many files of an earlier run were removed. */
  removed: number
  /** How often something could not be written or removed. */
  faults: number
}

interface Watching {
  onProgress(done: number, total: number): void
  /** Is called with a path in the export, and why it could not be written or removed. */
  onFault(path: string, why: string): void
}

/** Sees all, as an admin does, and is nobody's id. */
const EVERYTHING: User = { id: 0, name: '', is_admin: true, can_create: true }
/** Bytes of SQLite's page cache. */
const MEMORY = { cacheSize: 4 * 2 ** 20 }

/**
 * Writes pictures, sidecars and `library.json` into a folder, as the library is at one moment; a folder that has an
 * export is brought up to date. The caller must hold the lock of backups, with which contents stay. Throws a readable
 * error for an unusable folder, an unknown user, a full disk, a store that is away, and the signal's reason; a
 * validation error for the filter.
 */
export async function exportLibrary(
  request: ExportRequest,
  watching: Watching,
): Promise<ExportResult> {
  const { dir, signal } = request
  return withSnapshot(request.config, async (db, config) => {
    const areFiles = !config.store && !config.oldPlace
    if (!areFiles && request.sharing === 'reflink') {
      throw new Error('A store and that folder can not share blocks: leave out --reflink')
    }
    const seer = userOf(db, request.user)
    const { filter = '' } = request
    const asked = readAsked(db, seer, { filter, trash: false })
    await claimFolder(dir, libraryId(db))
    prepareSnapshot(db, seer)
    planFiles(db, filesOf(membersOf(db, { viewer: seer, pool: null, sort: 'created', ...asked })))
    for await (const list of earlierFiles(dir)) addEarlier(db, list)
    let faults = 0
    const onFault = (path: string, why: string) => {
      faults++
      watching.onFault(path, why)
    }
    leaveOutTaken(db, dir, onFault)
    const finish = await beginRun(dir, linesOf(db, seer))
    const { removed, stuck } = await removeObsolete(db, dir, { signal, onFault })
    const { files, bytes } = countFiles(db)
    const writer = createWriter(dir, {
      contents: openContents(config.dataDir, placeOf(config)),
      pathOf: areFiles ? dataFolder(config.dataDir).content : null,
      ...{ sharing: request.sharing, onFault, signal },
    })
    let done = 0
    try {
      for (let after = ''; ; ) {
        const found = filesToWrite(db, after)
        if (found.length === 0) break
        signal.throwIfAborted()
        const facts = sidecarFacts(
          db,
          seer,
          found.map(({ rid }) => rid),
        )
        await writer.write(
          found.map((file) => ({
            ...file,
            sidecar: () => sidecarText(facts.get(file.rid)!),
          })),
        )
        after = found.at(-1)!.path
        done += found.length
        watching.onProgress(done, files)
      }
    } finally {
      await writer.end()
    }
    await finish(stuck)
    const { contents, bytes: written_bytes, sidecars } = writer.counts
    return { files, bytes, written: contents, written_bytes, sidecars, removed, faults }
  })
}

/** Leaves out files whose place is taken: what the list of an export names is replaced and removed by the next one. */
function leaveOutTaken(db: Db, dir: string, onFault: Watching['onFault']): void {
  for (let after = ''; ; ) {
    const paths = newPaths(db, after)
    if (paths.length === 0) return
    for (const path of paths) {
      // A link that leads nowhere has the name, too.
      const isTaken = [path, `${path}.xmp`].some(
        (one) => lstatSync(join(dir, one), { throwIfNoEntry: false }) !== undefined,
      )
      if (!isTaken) continue
      leaveOut(db, path)
      onFault(path, 'something else has that name')
    }
    after = paths.at(-1)!
  }
}

async function removeObsolete(
  db: Db,
  dir: string,
  { signal, onFault }: Pick<ExportRequest, 'signal'> & Pick<Watching, 'onFault'>,
): Promise<{ removed: number; stuck: string[] }> {
  let removed = 0
  const stuck: string[] = []
  for (let after = ''; ; ) {
    const paths = obsoletePaths(db, after)
    if (paths.length === 0) return { removed, stuck }
    for (const path of paths) {
      signal.throwIfAborted()
      try {
        await removeExported(dir, path)
        removed++
      } catch (error) {
        stuck.push(path)
        onFault(path, `it can't be removed: ${(error as Error).message}`)
      }
    }
    after = paths.at(-1)!
  }
}

function userOf(db: Db, name: string | undefined): User {
  if (name === undefined) return EVERYTHING
  const account = findAccountByName(db, nfc(name).trim())
  if (!account) throw new Error(`There is no user "${name}"`)
  return getUser(db, account.id)
}

/** Calls `work` with a copy of the database that it may add to, and the settings with all places of contents. */
async function withSnapshot<Result>(
  settings: Settings,
  work: (db: Db, config: Settings & Pick<Config, 'oldPlace'>) => Promise<Result>,
): Promise<Result> {
  const { database, temporary } = dataFolder(settings.dataDir)
  const folder = temporary('tmp-export')
  const path = join(folder, 'snapshot.sqlite')
  await clear(folder)
  try {
    await mkdir(folder)
    const db = openDatabase(database, { memory: MEMORY })
    let config: Settings & Pick<Config, 'oldPlace'>
    try {
      // Throws for a database of a newer version.
      if (!isMigrated(db.get, MIGRATIONS)) {
        throw new Error('The library is of an older version: start the server of this version once')
      }
      config = withPlaces(db, settings)
      const fault = await storeFault(db, config)
      if (fault) throw new Error(`${placeOf(config).name}: ${fault.sentence}`)
      copyTo(db, path)
    } finally {
      db.close()
    }
    const copy = openDatabase(path, { journal: 'delete', memory: MEMORY })
    try {
      return await work(copy, config)
    } finally {
      copy.close()
    }
  } finally {
    await clear(folder)
  }
}
