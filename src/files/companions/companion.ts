import { audit } from '../../audit/record.ts'
import { invalid } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type FileRecord, filesByRid, loadFile } from '../queries.ts'
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
  if (pairOf(tx, film.rid) || pairOf(tx, picture.rid)) {
    throw invalid('companion_of', 'the video or the picture is in another pair')
  }
  insertPair(tx, { film_rid: film.rid, picture_rid: picture.rid })
}

/** Takes the pair of a file apart, if it is in one, with an audit entry of the film. */
export function takeApart(tx: Tx, user: User, rid: number): void {
  const pair = pairOf(tx, rid)
  if (!pair) return
  const [film, picture] = filesByRid(tx, [pair.film_rid, pair.picture_rid])
  deletePairOf(tx, rid)
  const changes = { companion_of: { from: picture!.id, to: null } }
  audit(tx, user, 'file_edit', { type: 'file', id: film!.id }, { changes })
}
