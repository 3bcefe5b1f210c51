import { settleDate } from '../files/dates/old-date.ts'
import { findOldFile, listOldFiles, type OldFile } from '../files/dates/old-date-queries.ts'
import type { Facts } from '../media/decoder/facts.ts'
import {
  type Finding,
  type Kind,
  type LookDeps,
  type Looked,
  lookAtContent,
  PORTION,
} from './kind.ts'

// Raised when more dates can be read than before.
const VERSION = '2'

/** Reads what earlier versions couldn't: the sources and zones of dates, and dates of contents that had none. */
export const dates: Kind<OldFile> = {
  name: 'dates',
  version: () => VERSION,
  list: (db, stretch) => listOldFiles(db, { ...stretch, limit: PORTION }),
  look: readAgain,
}

// After exceeding a limit of time or memory, reading is tried once more, and then for the last time.
async function readAgain(deps: LookDeps, file: OldFile, signal: AbortSignal): Promise<Looked> {
  const { disk } = deps
  const find = async () => {
    // The audit log contains what is mended.
    disk.requireRoomToWrite()
    const read = await readContent(deps, file)
    return read && settle(deps, file, read.facts)
  }
  // That a person gave a date is certain without its content.
  const nothing = settle(deps, file, null)
  return lookAtContent(deps, file, signal, { find, nothing, meanwhile: nothing })
}

// Returns `facts` null when the content can't be read, or null when the system refused.
function readContent(
  { decoder, storage }: LookDeps,
  { blob, mime_type }: OldFile,
): Promise<{ facts: Facts | null } | null> {
  return storage.withLocalFile(blob, async (path) => {
    const input = { path, mime_type }
    return (await decoder.read(input)) ?? (await decoder.read({ ...input, isSecondTry: true }))
  })
}

// The file may have been edited, replaced or purged while its content was read.
function settle({ config }: LookDeps, { rid, blob }: OldFile, facts: Facts | null): Finding {
  return (tx) => {
    const file = findOldFile(tx, rid)
    if (!file) return
    const { timeZone } = config
    settleDate(tx, file, file.blob === blob ? facts : null, { now: tx.now, timeZone })
  }
}
