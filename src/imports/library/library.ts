import type { FileHandle } from 'node:fs/promises'
import type { WriteAs } from '../../auth/write-as.ts'
import { AppError } from '../../base/errors.ts'
import { nfc } from '../../base/text.ts'
import type { User } from '../../base/user.ts'
import { LIBRARY_FILE, OWN_FOLDER } from '../../exports/library-format.ts'
import type { ContentDeps } from '../../files/upload.ts'
import { type FolderEntry, pathOf } from '../entries.ts'
import type { ImportFolder } from '../folder.ts'
import { findJournalRow } from '../queries.ts'
import { pathWithin } from '../raw-name.ts'
import { REASONS } from '../reasons.ts'
import { type Context, personOf } from './context.ts'
import { type MakeFile, makerOf } from './files.ts'
import { fileAt, type Index, indexLibrary, isLibrary, linesOf } from './lines.ts'
import { importNames, importPeople } from './names.ts'
import { type Files, importPools } from './pools.ts'
import { findLine, insertLine } from './queries.ts'
import { importDismissals, importPairs } from './relations.ts'
import { removeLibrary } from './remove.ts'

const MOST_TOLD = 20

/** An import of a folder with the `library.json` of an export. */
interface LibraryImport {
  /** The files that it names, in its order, and then what else is in the folder. */
  entries: FolderEntry[]
  /** Finds or makes what files need: users, categories, tags and rules. */
  begin(): Promise<void>
  /** Returns whose file an entry becomes, and how. Throws AppError when `library.json` has changed. */
  fileOf(entry: FolderEntry, standIn: User): Promise<{ user: User; make?: MakeFile }>
  /**
   * Makes what needs the files: pairs, pools and dismissals; `isNew` says which files are of this run. Returns what became
   * of `library.json`, which is removed last.
   */
  finish(isNew: (rid: number) => boolean): Promise<LibraryOutcome>
}

interface LibraryOutcome {
  status: 'imported' | 'skipped'
  reason?: string
}

interface Request {
  /** Stays open, as does `source`, its `library.json`. */
  folder: ImportFolder
  source: FileHandle
  /** All that is in the folder and in the folders in it. */
  entries: FolderEntry[]
  writeAs: WriteAs
  isOver: () => boolean
  leave_sources: boolean
  create_users: boolean
}

/** Opens the `library.json` of a folder, which its caller closes; null for a folder that is no export. */
export async function openLibrary(folder: ImportFolder): Promise<FileHandle | null> {
  const source = (await folder.look(LIBRARY_FILE)) && (await folder.open(LIBRARY_FILE))
  if (!source) return null
  let isIt = false
  try {
    isIt = (await source.stat()).isFile() && (await isLibrary(source))
    return isIt ? source : null
  } finally {
    if (!isIt) await source.close()
  }
}

/** Returns why a folder is left alone as a part of an import: the files of an export alone lack what people said of them. */
export async function whyExported(folder: ImportFolder): Promise<string | null> {
  const source = await openLibrary(folder)
  await source?.close()
  return source && REASONS.exported
}

/**
 * Reads a whole `library.json` and returns its import; null when the import is over meanwhile. Throws a validation error
 * that names the first line which isn't right.
 */
export async function readLibrary(
  deps: ContentDeps,
  request: Request,
): Promise<LibraryImport | null> {
  const { folder, source, writeAs, isOver } = request
  const index = await indexLibrary(source, isOver)
  if (!index) return null
  const path = folder.known(LIBRARY_FILE)
  const there = new Map(request.entries.map((entry) => [nfc(pathOf(entry)), entry]))
  const own = there.get(LIBRARY_FILE)!
  const knownOf = (file: string) =>
    there.get(nfc(file))?.known ?? folder.sources.of(pathWithin(folder.path, file))
  const rowOf = (file: string) => findJournalRow(deps.db, knownOf(file))
  const files = [...index.files.keys()]
  const isRecorded = findLine(deps.db, { path, sha256: index.sha256 }) !== undefined
  const told: string[] = []
  const context: Context = {
    source,
    index,
    path,
    writeAs,
    isOver,
    // Once all its files are gone from the library, it may come again.
    isWhole: isRecorded && files.some((file) => rowOf(file)),
    create_users: request.create_users,
    people: new Map(),
    renamed: { tag: new Map(), category: new Map() },
    tell: (message) => told.push(message),
  }
  const named = new Map<FolderEntry, string>()
  for (const file of files) {
    const entry = there.get(nfc(file))
    // A source that is gone, but in the journal, was removed after its import.
    if (entry || !rowOf(file)) named.set(entry ?? missing(own, file), file)
  }

  // Returns the files that are in the library, by their paths.
  async function filesInLibrary(isNew: (rid: number) => boolean): Promise<Files> {
    const found: Files = new Map()
    for await (const { line } of linesOf(source, index!, 'file')) {
      const row = rowOf(line.path)
      if (row && Buffer.from(row.sha256).toString('hex') === line.sha256) {
        found.set(line.path, { rid: row.file_rid, isNew: isNew(row.file_rid) })
      }
    }
    return found
  }

  return {
    entries: [...named.keys(), ...othersOf(request.entries, own, named, index)],
    async begin() {
      await importPeople(context)
      await importNames(context)
    },
    async fileOf(entry, standIn) {
      const file = named.get(entry)
      if (file === undefined) return { user: standIn }
      const line = await fileAt(source, index.files.get(file)!, file)
      return { user: personOf(context, line.creator, standIn), make: makerOf(deps, context, line) }
    },
    async finish(isNew) {
      const found = await filesInLibrary(isNew)
      const isMore = !context.isWhole || [...found.values()].some((file) => file.isNew)
      if (isMore) {
        await importPairs(context, found)
        await importPools(context, found)
        await importDismissals(context, found)
      }
      if (isOver()) return { status: 'skipped', reason: REASONS.ended }
      if (!isRecorded)
        writeAs((tx) => insertLine(tx, { path, sha256: index.sha256, pool_rid: null }))
      if (!request.leave_sources && found.size === files.length) {
        const known = files.map(knownOf)
        const left = await removeLibrary(deps, { own, path, known, entries: [...named.keys()] })
        if (left !== null) context.tell(left)
      }
      const notes = told.slice(0, MOST_TOLD)
      if (told.length > MOST_TOLD) notes.push(`and ${told.length - MOST_TOLD} more`)
      const reason = [...(isMore ? [] : [REASONS.imported]), ...notes].join('; ')
      return { status: isMore ? 'imported' : 'skipped', ...(reason && { reason }) }
    },
  }
}

// An entry for a file that isn't there.
function missing(own: FolderEntry, file: string): FolderEntry {
  const failure = new AppError('not_found', REASONS.missing)
  return { ...own, name: file, folders: [], unfit: null, failure }
}

// What is in the folder beside the files of the export and their sidecars, and is told.
function othersOf(
  entries: FolderEntry[],
  own: FolderEntry,
  named: Map<FolderEntry, string>,
  { files }: Index,
): FolderEntry[] {
  const sidecar = /\.xmp$/
  const isOther = (entry: FolderEntry) => {
    if (entry === own || named.has(entry) || entry.name === OWN_FOLDER) return false
    const path = nfc(pathOf(entry))
    return !sidecar.test(path) || !files.has(path.replace(sidecar, ''))
  }
  return entries
    .filter(isOther)
    .map((entry) => ({ ...entry, unfit: entry.unfit ?? (entry.failure ? null : REASONS.unnamed) }))
}
