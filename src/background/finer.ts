import type { Tx } from '../db/write.ts'
import { hasBlob, recordDerivatives } from '../files/derivative-queries.ts'
import { recordFinerHash } from '../files/looks/queries.ts'
import { rotationsOf } from '../files/looks/turn-queries.ts'
import type { Shown } from '../media/decoder/decoder.ts'
import { isOfUnreadable } from '../media/outcome.ts'
import { decodeContent } from './decode.ts'
import { listUnhashed, type Unhashed } from './finer-queries.ts'
import { type Finding, type Kind, type LookDeps, type Looked, lookAtContent } from './kind.ts'

/** Makes the finer hashes of files from before these were stored. */
export const finer: Kind<Unhashed> = {
  name: 'finer',
  version: ({ decoder }) => decoder.version,
  list: (db, { place, least }) => listUnhashed(db, { place, least }),
  look: hash,
}

// Nothing is written for a content that can't be decoded: the place after it shows that it was tried.
const NOTHING: Finding = () => {}

async function hash(deps: LookDeps, file: Unhashed, signal: AbortSignal): Promise<Looked> {
  const find = async () => {
    deps.disk.requireRoomToWrite()
    const looked = await lookAtThumbnail(deps, file)
    if (!looked) return null
    return looked.shown ? tell(file, looked.shown) : await decode(deps, file)
  }
  return lookAtContent(deps, file, signal, { find, nothing: NOTHING, meanwhile: NOTHING })
}

/** Returns what the thumbnail of a file shows, null as `shown` when nothing is to be had; null when the system refused. */
export async function lookAtThumbnail(
  { decoder, storage }: Pick<LookDeps, 'decoder' | 'storage'>,
  { blob, rotation }: Pick<Unhashed, 'blob' | 'rotation'>,
): Promise<{ shown: Shown | null } | null> {
  try {
    if ((await storage.findDerivative('thumbnail', blob)) === null) return { shown: null }
    return await storage.withThumbnail(
      blob,
      async (path) =>
        (await decoder.lookAtThumbnail({ path, rotation })) ??
        (await decoder.lookAtThumbnail({ path, rotation, isSecondTry: true })),
    )
  } catch (error) {
    // The content may be on another disk, or on a readable part of this one.
    if (isOfUnreadable(error)) return { shown: null }
    throw error
  }
}

/** Returns whether a file has the content that was examined, turned in the same way. */
export function isStillSo(tx: Tx, file: Pick<Unhashed, 'rid' | 'blob' | 'rotation'>): boolean {
  return hasBlob(tx, file) && rotationsOf(tx, [file.rid]).get(file.rid) === file.rotation
}

function tell(file: Unhashed, shown: Shown): Finding {
  return (tx) => {
    if (isStillSo(tx, file)) recordFinerHash(tx, file.rid, shown.finer)
  }
}

async function decode(deps: LookDeps, file: Unhashed): Promise<Finding | null> {
  const derivatives = await decodeContent(deps, file)
  if (derivatives.state === 'pending') return null
  // The content could once be decoded, so the disk may be to blame, which only the reader of films reports.
  const mayBeDisk = derivatives.state === 'failed' && !file.mime_type.startsWith('video/')
  if (mayBeDisk) await deps.storage.digest(file.blob)
  return (tx) => recordDerivatives(tx, file, derivatives)
}
