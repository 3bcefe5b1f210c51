import type { Change } from '../../audit/changes.ts'
import { audit } from '../../audit/record.ts'
import { invalid } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type FileRecord, filesByRid, findFiles, loadFile } from '../queries.ts'
import { deletePairOf, insertPair, pairOf } from './companion-queries.ts'

/** Returns whether a file is a film by its type. */
export function isFilm({ mime_type }: Pick<FileRecord, 'mime_type'>): boolean {
  return mime_type.startsWith('video/')
}

/**
 * Makes a film the companion of a picture; null takes its pair apart. Throws, before it changes anything, not_found or
 * forbidden for a picture that the user may not edit, and validation errors for two files that can't be a pair.
 */
export function setCompanion(tx: Tx, user: User, film: FileRecord, pictureId: string | null): void {
  if (pictureId === null) {
    deletePairOf(tx, film.rid)
    return
  }
  const picture = loadFile(tx, user, pictureId, 'edit')
  if (!isFilm(film)) throw invalid('companion_of', 'only a video can belong to a picture')
  if (isFilm(picture)) throw invalid('companion_of', 'must be a picture')
  if (film.creator_id !== picture.creator_id) {
    throw invalid('companion_of', 'must have the same creator as the video')
  }
  if (pairOf(tx, picture.rid)) throw invalid('companion_of', 'the picture is in another pair')
  deletePairOf(tx, film.rid)
  insertPair(tx, { film_rid: film.rid, picture_rid: picture.rid })
}

/** Takes the pair of a file apart, if it is in one, with an audit entry of the film. */
export function takeApart(tx: Tx, user: User, rid: number): void {
  const pair = pairOf(tx, rid)
  if (!pair) return
  const [film, picture] = filesByRid(tx, [pair.film_rid, pair.picture_rid])
  deletePairOf(tx, rid)
  auditPair(tx, user, film!.id, { from: picture!.id, to: null })
}

/**
 * Gives a file that another is merged into the place of that one in its pair, with audit entries of the films, unless
 * it is in a pair itself, can't be in this one, or the user may not edit the other half.
 */
export function carryPair(tx: Tx, user: User, keep: FileRecord, discard: FileRecord): void {
  const pair = pairOf(tx, discard.rid)
  const isAlike = isFilm(keep) === isFilm(discard) && keep.creator_id === discard.creator_id
  if (!pair || !isAlike || pairOf(tx, keep.rid)) return
  const rid = isFilm(keep) ? pair.picture_rid : pair.film_rid
  const [half] = findFiles(tx, user, [filesByRid(tx, [rid])[0]!.id], 'edit')
  if (!half?.allowed) return
  deletePairOf(tx, rid)
  if (isFilm(keep)) {
    insertPair(tx, { film_rid: keep.rid, picture_rid: rid })
    auditPair(tx, user, discard.id, { from: half.id, to: null })
    auditPair(tx, user, keep.id, { from: null, to: half.id })
  } else {
    insertPair(tx, { film_rid: rid, picture_rid: keep.rid })
    auditPair(tx, user, half.id, { from: discard.id, to: keep.id })
  }
}

function auditPair(tx: Tx, user: User, id: string, companion_of: Change<string | null>): void {
  audit(tx, user, 'file_edit', { type: 'file', id }, { changes: { companion_of } })
}
