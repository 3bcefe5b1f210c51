import type { Tx } from '../db/write.ts'
import { LONGEST, pairOld, picturesLike } from '../files/companions/pairing.ts'
import { type Half, listShortFilms } from '../files/companions/pairing-queries.ts'
import {
  type Finding,
  isFullDisk,
  type Kind,
  type LookDeps,
  type Looked,
  lookAtContent,
  PORTION,
} from './kind.ts'

const VERSION = '1'

/** Pairs films with their pictures from before there were pairs: those of one name and date whose contents say so. */
export const companions: Kind<Half> = {
  name: 'companions',
  version: () => VERSION,
  list: (db, stretch) => listShortFilms(db, { ...stretch, longest: LONGEST, limit: PORTION }),
  look: readBoth,
}

const NOTHING: Finding = () => {}

async function readBoth(deps: LookDeps, film: Half, signal: AbortSignal): Promise<Looked> {
  const pictures = picturesLike(deps.db, film)
  if (pictures.length === 0) return NOTHING
  const find = async () => {
    deps.disk.requireRoomToWrite()
    const ofFilm = await identifierOf(deps, film)
    if (!ofFilm) return null
    if (ofFilm.identifier === undefined) return NOTHING
    const equal: Half[] = []
    for (const picture of pictures) {
      const ofPicture = await identifierOf(deps, picture).catch(unlessFull)
      if (!ofPicture) return null
      if (ofPicture.identifier === ofFilm.identifier) equal.push(picture)
    }
    const [picture, ...others] = equal
    if (!picture || others.length > 0) return NOTHING
    return (tx: Tx) => pairOld(tx, film, picture)
  }
  return lookAtContent(deps, film, signal, { find, nothing: NOTHING, meanwhile: NOTHING })
}

// A picture that can't be read says nothing.
function unlessFull(error: unknown): { identifier?: unknown } {
  if (isFullDisk(error)) throw error
  return {}
}

// Returns null when the system refused. After exceeding a limit of time or memory, reading is tried once more.
async function identifierOf(
  { decoder, storage }: LookDeps,
  { blob, mime_type }: Half,
): Promise<{ identifier?: unknown } | null> {
  return storage.withLocalFile(blob, async (path) => {
    const input = { path, mime_type }
    const read =
      (await decoder.read(input)) ?? (await decoder.read({ ...input, isSecondTry: true }))
    return read && { identifier: read.facts?.exif.ContentIdentifier }
  })
}
