import { write } from '../db/write.ts'
import { hasBlob, recordDerivatives, setType } from '../files/derivative-queries.ts'
import { recordLooks, UNKNOWN_LOOKS } from '../files/looks/queries.ts'
import type { Looks } from '../media/decoder/decoder.ts'
import { type AcceptedType, sniff } from '../media/sniff.ts'
import { decodeContent } from './decode.ts'
import { type Finding, type Kind, type LookDeps, type Looked, lookAtContent } from './kind.ts'
import { listPending, listUnseen, type Unseen } from './looks-queries.ts'

/**
 * Determines the looks of files from before these were stored, or whose decoding was cut short by a stop, and tells RAW
 * files from TIFFs.
 */
export const looks: Kind<Unseen> = {
  name: 'looks',
  version: ({ decoder }) => decoder.version,
  list: listUnseen,
  listDue: listPending,
  look: lookAt,
}

// Uses the head of the content and the thumbnail, and decodes the content only where these don't suffice. After
// exceeding a limit of time or memory, this is tried once more, and then for the last time.
async function lookAt(deps: LookDeps, file: Unseen, signal: AbortSignal): Promise<Looked> {
  const { decoder, storage } = deps
  const isFilm = file.mime_type.startsWith('video/')
  const hasFailed = file.derivative_state === 'failed' && file.decoder_version === decoder.version
  const nothing = tell(deps, file, UNKNOWN_LOOKS)
  if (hasFailed && !isFilm) return nothing
  const find = async () => {
    const other = await otherType(deps, file)
    if (other) return await decodeAs(deps, file, other)
    const hasThumbnail = (await storage.findDerivative('thumbnail', file.blob)) !== null
    const looks = await storage.withLocalFile(file.blob, async (path, pictureAt) => {
      const thumbnail = hasThumbnail ? pictureAt('thumbnail') : null
      const input = { path, mime_type: file.mime_type, thumbnail }
      return (await decoder.look(input)) ?? (await decoder.look({ ...input, isSecondTry: true }))
    })
    if (!looks) return null
    // The thumbnail of a `pending` content exists without its hash when a stop has come in between.
    const isHashed = file.derivative_state !== 'pending'
    const tellsAll = isHashed && looks.thumbhash !== null && looks.width !== null
    return tellsAll || hasFailed ? tell(deps, file, looks) : await decode(deps, file)
  }
  return lookAtContent(deps, file, signal, { find, nothing, meanwhile: () => {} })
}

/** Returns the type of a content that earlier versions took for a TIFF; null when it is one. */
async function otherType({ storage }: LookDeps, file: Unseen): Promise<AcceptedType | null> {
  if (file.mime_type !== 'image/tiff') return null
  const type = await storage.withLocalFile(file.blob, (path) => sniff(path))
  return type?.mime_type === file.mime_type ? null : type
}

async function decodeAs(deps: LookDeps, file: Unseen, type: AcceptedType): Promise<Finding | null> {
  const { db, clock, storage } = deps
  // First, since a picture that somebody asks for now would be made of what it was taken for, and stay.
  write(db, { now: clock() }, (tx) => {
    if (hasBlob(tx, file)) setType(tx, file.rid, type)
  })
  await storage.removeDerivatives(file.blob)
  return decode(deps, { ...file, ...type })
}

function tell({ decoder }: LookDeps, file: Unseen, looks: Looks): Finding {
  return (tx) => {
    if (hasBlob(tx, file)) recordLooks(tx, file.rid, { looks, decoder_version: decoder.version })
  }
}

async function decode(deps: LookDeps, file: Unseen): Promise<Finding | null> {
  const derivatives = await decodeContent(deps, file)
  const { looks } = derivatives
  if (!looks) return null
  return (tx) => {
    recordDerivatives(tx, file, derivatives)
    // What an earlier version of the decoder made stays, but this one has nothing more to add.
    tell(deps, file, looks)(tx)
  }
}
