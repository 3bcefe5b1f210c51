import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { changeFile } from '../files/edit.ts'
import { filesByRid, loadFile } from '../files/queries.ts'
import type { ContentDeps } from '../files/upload.ts'
import type { Description } from '../media/description.ts'
import { withFollowing } from '../tags/apply.ts'
import type { Applied, Describer } from '../tags/described/apply.ts'
import { type WantedOfFile, wantedOf } from '../tags/described/wanted.ts'
import { addToFiles } from '../tags/sets.ts'
import { copyOf, type FolderEntry } from './entries.ts'
import { findJournalContent, findJournalRow, insertJournalRow, listApplied } from './queries.ts'
import type { ImportOptions } from './schema.ts'
import { digestOfAll, type ReadBeside } from './sidecars.ts'
import type { OpenSource } from './tree.ts'

/** Returns what the journal notes of what a file got. */
export function appliedText({ wanted, caption }: Pick<WantedOfFile, 'wanted' | 'caption'>): string {
  const applied: Applied = { paths: wanted.map(({ key }) => key), caption: caption !== null }
  return JSON.stringify(applied)
}

/** Whether the sidecars of an imported source differ from those that its file got tags from. */
export function hasNewSidecars(read: ReadBeside, before: Uint8Array | null): boolean {
  const digest = digestOfAll(read)
  return digest !== null && (before === null || !digest.equals(before))
}

/** Returns what an imported content and its present sidecars say, or null when it can't be read. */
export async function describeAgain(
  { db, storage, decoder, log }: ContentDeps,
  { known }: FolderEntry,
  read: ReadBeside,
): Promise<Description | null> {
  const content = findJournalContent(db, known)
  if (!content) return null
  const { blob, mime_type } = content
  const sidecars = read.sidecars.map((one) => one.sidecar)
  try {
    const found = await storage.withLocalFile(blob, (path) =>
      decoder.read({ path, mime_type, sidecars }),
    )
    return found?.facts?.description ?? null
  } catch (error) {
    log.warn('imported content not read again', { blob, error: String(error) })
    return null
  }
}

/** Returns what a source and its sidecars say, or null when they can't be read. */
export async function describeSource(
  { storage, decoder }: Pick<ContentDeps, 'storage' | 'decoder'>,
  source: OpenSource,
  { size, mime_type, read }: { size: number; mime_type: string; read: ReadBeside },
): Promise<Description | null> {
  const sidecars = read.sidecars.map((one) => one.sidecar)
  // The decoder may read nothing in the import folder.
  const temporary = await copyOf(storage, source, size)
  try {
    const found = await temporary.withLocalFile((path) =>
      decoder.read({ path, mime_type, sidecars }),
    )
    return found?.facts?.description ?? null
  } finally {
    await temporary.discard()
  }
}

/**
 * Puts on the file of a source what is new in its description, and nothing that the journal has of it, or of another
 * source of the file: a person may have taken that off since. Returns whether the file got something; one in the trash
 * gets nothing. Throws forbidden when the user may not edit the file.
 */
export function applyAgain(
  tx: Tx,
  user: User,
  {
    entry,
    read,
    options,
    describer,
    description,
  }: {
    entry: FolderEntry
    read: ReadBeside
    options: ImportOptions
    describer: Describer
    description: Description
  },
): boolean {
  const row = findJournalRow(tx, entry.known)
  const [found] = row ? filesByRid(tx, [row.file_rid]) : []
  if (!row || !found) return false
  const file = loadFile(tx, user, found.id, 'edit')
  if (file.is_deleted) return false
  const had = appliedTo(tx, row.file_rid)
  const known = new Set(had.paths.map((path) => JSON.stringify(path)))
  const { wanted, caption } = wantedOf(description, [], options)
  const fresh = wanted.filter(({ key }) => !known.has(JSON.stringify(key)))
  const tags = describer.tagsFor(tx, user, fresh, had)
  const got = tags.length > 0 && addToFiles(tx, user, [file.rid], withFollowing(tx, tags)) > 0
  const hasCaption = caption !== null && !had.caption && file.notes === null
  if (hasCaption) changeFile(tx, user, file, { notes: caption })
  const applied: Applied = {
    paths: [...had.paths, ...fresh.map(({ key }) => key)],
    caption: had.caption || caption !== null,
  }
  insertJournalRow(tx, {
    ...row,
    sidecars: digestOfAll(read),
    applied: JSON.stringify(applied),
  })
  return got || hasCaption
}

// An export has a picture in its year and in albums.
function appliedTo(tx: Tx, file_rid: number): Applied {
  const all: Applied[] = listApplied(tx, file_rid).map((text) => JSON.parse(text))
  return { paths: all.flatMap(({ paths }) => paths), caption: all.some(({ caption }) => caption) }
}
