import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { addFavourites } from '../files/favourites/favourite-queries.ts'
import { findOwnCopy } from '../files/known/queries.ts'
import type { Description } from '../media/description.ts'
import type { FolderEntry } from './entries.ts'
import { insertJournalRow } from './queries.ts'
import { REASONS } from './reasons.ts'
import type { ImportOptions } from './schema.ts'
import { putIntoAlbum } from './takeout/albums.ts'

/** The tag of what a service has put aside. */
const ARCHIVED = 'archived'

interface Asked {
  entry: FolderEntry
  options: Pick<ImportOptions, 'on_duplicate'>
  /** What the run has imported, by row number. */
  imported: Pick<Map<number, unknown>, 'has'>
}

/**
 * Returns the owner's file that stands for a content of an export, which has a picture in its year and in albums; null
 * when there is none, and when it was here before and the import wants only new contents.
 */
export function fileToJoin(
  db: Db,
  user: User,
  sha256: Uint8Array,
  { entry, options, imported }: Asked,
): { rid: number; id: string } | null {
  const own = entry.exported && findOwnCopy(db, user.id, sha256)
  if (!own || (options.on_duplicate === 'conflict' && !imported.has(own.rid))) return null
  return own
}

/** Has a file stand for a source of an export: in the journal, and in the source's album. Returns what to say of it. */
export function joinFile(
  tx: Tx,
  user: User,
  { known, exported }: FolderEntry,
  { sha256, ...file }: { rid: number; id: string; sha256: Uint8Array },
): string {
  insertJournalRow(tx, { path: known, sha256, file_rid: file.rid })
  const warning = exported?.album ? putIntoAlbum(tx, user, exported.album, file) : null
  return warning === null ? REASONS.here : `${REASONS.here}; ${warning}`
}

/** Returns why an entry of an export is left out by what its sidecar says; null for any other. */
export function whyLeftOut(
  { exported }: FolderEntry,
  { isTrashed, isPartners }: Description,
  { partners }: Pick<ImportOptions, 'partners'>,
): string | null {
  if (!exported) return null
  if (isTrashed) return REASONS.trashed
  return isPartners && !partners ? REASONS.partners : null
}

/** Returns the tags that a file of an export gets beside those that are described. */
export function exportTags(
  { exported }: FolderEntry,
  { isArchived }: Description,
  { archived }: Pick<ImportOptions, 'archived'>,
): string[] {
  return exported && archived && isArchived ? [ARCHIVED] : []
}

/** Gives a new file what an export says of it. Returns a warning, or null. */
export function applyExport(
  tx: Tx,
  user: User,
  { exported }: FolderEntry,
  {
    file,
    description,
    options,
  }: {
    file: { rid: number; id: string }
    description: Description
    options: Pick<ImportOptions, 'favorites'>
  },
): string | null {
  if (!exported) return null
  if (options.favorites && description.isFavorite) addFavourites(tx, user, [file.rid])
  return exported.album ? putIntoAlbum(tx, user, exported.album, file) : null
}
