import type { Schemas } from '../../client/index.ts'
import { type Cell, FLAGS, isLocked } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'
import { session } from '../base/session.ts'
import { averageColour } from '../grid/index.ts'
import { localTime } from './facts.ts'
import type { Size } from './zoom.ts'

/** The file that is shown: what the grid has of it at once, and what is loaded later. */
export interface Subject {
  id: string
  version: string
  isFilm: boolean
  /** Width divided by height. */
  ratio: number
  /** A thumbhash in base64. */
  hash: string | null
  /** In pixels; null until the file is loaded, and if it is unknown. */
  size: Size | null
  name: string | null
  /** When it was taken, in seconds of the local clock. */
  taken: number
  /** Whether the file itself is shown, because a preview would not move. */
  isMoving: boolean
  mayEdit: boolean
  /** Whether the caller may change who sees it. */
  mayShare: boolean
  needsReview: boolean
}

const MOVING = ['image/gif', 'image/webp']
/** In bytes; a larger animation is shown by its preview. */
const LARGEST_MOVING = 32e6
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
  const size = width && height ? { width, height } : null
  const known = size ? size.width / size.height : cell?.ratio
  return {
    id,
    version: (file ?? cell)!.version,
    isFilm: file ? file.mime_type.startsWith('video/') : cell!.kind === 'v',
    ratio: known || USUAL_RATIO,
    hash: cell?.hash ?? null,
    size,
    name: file?.original_name ?? null,
    taken: file ? localTime(file) : cell!.t,
    isMoving: file ? MOVING.includes(file.mime_type) && file.size <= LARGEST_MOVING : false,
    mayEdit: cell ? !isLocked(cell) : false,
    mayShare: isOwn(cell, file),
    needsReview: file ? file.needs_review : (cell!.flags & FLAGS.review) !== 0,
  }
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
