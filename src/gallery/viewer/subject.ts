import type { Schemas } from '../../client/index.ts'
import { known } from '../base/format.ts'
import { changedHearts } from '../base/hearts.ts'
import { type Cell, FLAGS, isLocked, precisionOf } from '../base/listing.ts'
import { mediaUrl, turnOfFull } from '../base/media.ts'
import { filmOf } from '../base/pairs.ts'
import { session } from '../base/session.ts'
import { averageColour } from '../grid/index.ts'
import { filmBehind, isMoving, mayMove, type Place, placeOf, takenOf } from './facts.ts'
import { turnLeft } from './turn.ts'
import type { Size } from './zoom.ts'

/** The file that is shown: what the grid has of it at once, and what is loaded later. */
export interface Subject {
  id: string
  version: string
  isFilm: boolean
  /** Where the film of a picture is; null for a picture without, and for films. */
  living: Living | null
  /** Width divided by height. */
  ratio: number
  /** A thumbhash in base64. */
  hash: string | null
  /** In pixels; null until the file is loaded, and if it is unknown. */
  size: Size | null
  /** How many the content has; null until the file is loaded. */
  bytes: number | null
  name: string | null
  /** When it was taken, in words. */
  taken: string
  /** By how many degrees the thumbnail and the preview are still to be turned, since the user has just done so. */
  turn: number
  /** By how many degrees all pixels are to be turned, or a film. */
  turnOfFull: number
  /** By how many degrees the user has turned it clockwise, and its film. */
  rotation: number
  /** Null until the file is loaded, and if it is unknown. */
  place: Place | null
  /** Whether the file itself is shown, because a preview would not move. */
  isMoving: boolean
  /** Whether the file may have several frames, which only its head says. */
  mayMove: boolean
  mayEdit: boolean
  /** Whether the caller may change who sees it. */
  mayShare: boolean
  needsReview: boolean
  isFavourite: boolean
}

/** The id of a film of its own, or where a film lies in the bytes of the picture. */
type Living = { film: string } | { start: number; length: number }

/** What plays the film of a picture. */
export interface LiveControls {
  /** Plays it, or ends it, as long as something is held. */
  hold(isDown: boolean): void
  /** Plays it once, or ends it. */
  toggle(): void
}

/** For a picture of unknown size. */
const USUAL_RATIO = 4 / 3

/** Returns what is shown of a file; null if nothing is loaded yet. */
export function subjectOf(
  id: string,
  cell: Cell | null,
  file: Schemas['File'] | undefined,
): Subject | null {
  if (!cell && !file) return null
  const { width = null, height = null } = file ?? {}
  const turn = file ? turnLeft(file) : 0
  const isAcross = turn % 180 !== 0
  const sent = width && height ? { width, height } : null
  const size = sent && isAcross ? { width: sent.height, height: sent.width } : sent
  const ratio = size ? size.width / size.height : cell?.ratio
  return {
    id,
    version: (file ?? cell)!.version,
    living: livingOf(id, cell, file),
    isFilm: file ? file.mime_type.startsWith('video/') : cell!.kind === 'v',
    ratio: ratio || USUAL_RATIO,
    hash: cell?.hash ?? null,
    size,
    bytes: file?.size ?? null,
    name: file?.original_name ?? null,
    turn,
    rotation: file ? (file.rotation + turn) % 360 : 0,
    turnOfFull: file ? (turnOfFull(file) + turn) % 360 : 0,
    taken: file ? takenOf(file) : known(cell!.t, precisionOf(cell!)),
    place: file ? placeOf(file) : null,
    isMoving: file ? isMoving(file) : false,
    mayMove: file ? mayMove(file) : false,
    mayEdit: cell ? !isLocked(cell) : false,
    mayShare: isOwn(cell, file),
    needsReview: file ? file.needs_review : (cell!.flags & FLAGS.review) !== 0,
    isFavourite:
      changedHearts.value.get(id) ??
      (file ? file.is_favourite : (cell!.flags & FLAGS.favourite) !== 0),
  }
}

function livingOf(id: string, cell: Cell | null, file: Schemas['File'] | undefined): Living | null {
  const film = cell ? cell.film : filmOf(id)
  if (film) return { film }
  return file ? filmBehind(file) : null
}

function isOwn(cell: Cell | null, file: Schemas['File'] | undefined): boolean {
  const { user } = session.peek()!
  const isMade = file ? file.creator_id === user.id : (cell!.flags & FLAGS.own) !== 0
  return user.is_admin || isMade
}

/** Returns the address of all pixels of a picture, as a type that browsers show. */
export function largest({ id, version }: Subject): string {
  return mediaUrl(id, 'full', { v: version })
}

/** Returns the address of a thumbnail, which is often cached, because the grid shows the same one. */
export function thumbnail({ id, version }: { id: string; version: string }): string {
  return mediaUrl(id, 'thumbnail', { v: version, size: 320 })
}

/** Returns the style with the colour that stands for a picture until it is loaded. */
export function colourOf({ hash }: { hash: string | null }): { '--c': string } | undefined {
  return hash === null ? undefined : { '--c': averageColour(hash) }
}
