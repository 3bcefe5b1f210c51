import type { ContentDeps } from '../files/upload.ts'
import { removeSource } from './entries.ts'
import { deleteJournalRow } from './queries.ts'
import { REASONS } from './reasons.ts'
import { removeSidecars } from './sidecars.ts'
import { lookAgain, type Source } from './source.ts'

/** Returns whether a source stays, whatever becomes of it. */
export function staysAnyway({ entry, options }: Source): boolean {
  return options.leave_sources || entry.folder.isArchive === true
}

/**
 * Removes a source whose file is committed, unless sources are left, and its sidecars. If it should be gone and stays,
 * returns why. The journal retains the row of each that stays, so that no later import takes it again.
 */
export async function removeImported(
  deps: ContentDeps,
  source: Source,
  sha256: Uint8Array,
): Promise<string | null> {
  const { entry, make, read } = source
  if (staysAnyway(source)) return null
  try {
    const seen = await lookAgain(source, sha256)
    if (typeof seen === 'string') return seen
    // They go first: what a crash leaves of the two is known by the journal.
    const stays = await removeBeside(deps, source)
    if (stays) return stays
    if (!(await removeSource(entry, seen))) return REASONS.changed
  } catch (error) {
    deps.log.warn('source not removed', { error: String(error) })
    return REASONS.notRemoved
  }
  for (const { pictures } of entry.sidecars ?? []) pictures.delete(entry)
  // What else an exported library says of the file needs the row.
  if (make) return null
  try {
    deleteJournalRow(deps.db, entry.known)
  } catch (error) {
    // The next import removes it, because its source is gone.
    deps.log.warn('journal row not removed', { error: String(error) })
  }
  return read.tooLarge.length > 0 ? REASONS.sidecarTooLarge : null
}

// A later import takes what is new in one that stays, as long as its picture is there.
async function removeBeside(deps: ContentDeps, source: Source): Promise<string | null> {
  const { entry, read, hasWriter } = source
  try {
    const areGone = await removeSidecars(entry, read, ({ beside, opened, sha256 }) =>
      lookAgain({ entry: beside.entry, opened, hasWriter }, sha256),
    )
    return areGone ? null : REASONS.sidecarChanged
  } catch (error) {
    deps.log.warn('sidecar not removed', { error: String(error) })
    return REASONS.sidecarNotRemoved
  }
}
