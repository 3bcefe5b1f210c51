import { wasChanged } from '../../audit/queries.ts'
import { audit, SYSTEM } from '../../audit/record.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'
import { changeFile } from '../edit.ts'
import { loadFile } from '../queries.ts'
import { isFilm } from './companion.ts'
import { insertPair, pairOf } from './companion-queries.ts'
import { findHalf, type Half, listIdentified, listTaken } from './pairing-queries.ts'

// How far apart the times of a picture and its film may be, in milliseconds.
const APART = 3000
/** The longest film that belongs to a picture, in seconds. */
export const LONGEST = 5

/**
 * Makes a living picture of a new file of the user and the one other file of theirs that was taken with it, if there is
 * one. Where the contents don't name each other, `isMate` says of the other file, by its row number, whether it may be.
 */
export function pairFile(
  tx: Tx,
  user: User,
  rid: number,
  isMate: (rid: number) => boolean = () => true,
): void {
  const own = findHalf(tx, rid)!
  const other = theOne(own, candidates(tx, own, isMate))
  if (!other) return
  const [film, picture] = isFilm(own) ? [own, other] : [other, own]
  changeFile(tx, user, loadFile(tx, user, film.id, 'edit'), { companion_of: picture.id })
}

function candidates(tx: Tx, own: Half, isMate: (rid: number) => boolean): Half[] {
  const identified = listIdentified(tx, own)
  if (identified.length > 0) return identified
  if (stemOf(own) === '' || !isDated(own)) return []
  return listTaken(tx, own, APART).filter((other) => isMate(other.rid) && isOfOneShot(own, other))
}

function theOne(own: Half, found: Half[]): Half | undefined {
  const some = found.length > 1 ? found.filter((other) => stemOf(other) === stemOf(own)) : found
  return some.length === 1 ? some[0] : undefined
}

function isOfOneShot(own: Half, other: Half): boolean {
  const { duration } = isFilm(own) ? own : other
  return (
    stemOf(own) === stemOf(other) &&
    isDated(other) &&
    typeof duration === 'number' &&
    duration <= LONGEST &&
    mayBeSame(own.make, other.make) &&
    mayBeSame(own.model, other.model) &&
    mayBeSame(own.identifier, other.identifier)
  )
}

function stemOf({ name_key }: Half): string {
  return name_key.replace(/\.[^.]*$/, '')
}

// When a file was uploaded or last changed says nothing about when it was taken.
function isDated({ date_source, date_precision }: Half): boolean {
  const isTaken = date_source !== null && date_source !== 'upload' && date_source !== 'mtime'
  return isTaken && date_precision === null
}

function mayBeSame<T>(one: T, other: T): boolean {
  return one === null || other === null || one === other
}

/** Returns the free pictures of the creator of a film that have its name and nearly its date. */
export function picturesLike(db: Db, film: Half): Half[] {
  const stem = stemOf(film)
  return stem === '' ? [] : listTaken(db, film, APART).filter((other) => stemOf(other) === stem)
}

/**
 * Pairs a film and a picture from before there were pairs, which have the same content identifier, unless either has
 * changed since or somebody has taken a pair of the film apart.
 */
export function pairOld(tx: Tx, film: Half, picture: Half): void {
  const isThere = picturesLike(tx, film).some(
    ({ rid, blob }) => rid === picture.rid && blob === picture.blob,
  )
  const now = findHalf(tx, film.rid)
  if (!isThere || now?.blob !== film.blob || pairOf(tx, film.rid)) return
  if (wasChanged(tx, film.id, 'companion_of')) return
  insertPair(tx, { film_rid: film.rid, picture_rid: picture.rid })
  const changes = { companion_of: { from: null, to: picture.id } }
  audit(tx, SYSTEM, 'file_edit', { type: 'file', id: film.id }, { changes })
}
