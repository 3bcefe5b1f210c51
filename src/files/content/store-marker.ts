import { AppError, isBusy } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Db } from '../../db/client.ts'
import { write } from '../../db/write.ts'
import { eachPlace, placeOf, type Where } from '../../media/places/open.ts'
import { libraryId, sampleBlobs, setLibraryId } from './store-queries.ts'

/** How many contents are looked for if there is no marker. */
const SAMPLE = 20

interface StoreFault {
  kind: 'store_unknown' | 'store_of_other'
  sentence: string
}

const WAY_OUT =
  'If it is to be as it is from now on, "tagstead check --adopt" says so; what is missing is lost then'

/**
 * Makes sure that each place of the contents, which may be a disk or a store of its own, belongs to this library. The
 * first start that finds a content there, or needs none, marks it. Throws a readable error when it has another
 * library's mark, or neither a mark nor any of 20 contents: its disk may not be mounted, and the server would store new
 * contents beside it. A database that was put back to before it had an id, and got another one, takes the id of the
 * mark, by which its backups identify it. Returns false while a store is away, which is to be asked again before it is
 * used.
 */
export async function requireStore(db: Db, where: Where, log: Pick<Log, 'warn'>): Promise<boolean> {
  let areKnown = true
  for (const one of eachPlace(where)) areKnown = (await requireOne(db, one, log)) && areKnown
  return areKnown
}

async function requireOne(db: Db, where: Where, log: Pick<Log, 'warn'>): Promise<boolean> {
  const place = placeOf(where)
  try {
    const mark = await place.findMark()
    if (mark === libraryId(db)) return true
    const fault = await faultOf(db, where)
    if (fault) throw new Error(`${place.name}: ${fault.sentence}`)
    if (mark !== null) {
      write(db, { now: Date.now() }, (tx) => setLibraryId(tx, mark))
      return true
    }
    await place.setMark(libraryId(db), { isNew: true }).catch((error) => {
      // Another library has marked it, or a store is away or refuses.
      if (error instanceof AppError || where.store) throw error
      // The library stays viewable on a disk that can't be written to. The next start marks it.
      log.warn('the folder of the contents gets no mark', { error: String(error) })
    })
    return true
  } catch (error) {
    if (!isBusy(error)) throw error
    log.warn('whose the contents are could not be asked', { error: String(error.cause) })
    return false
  }
}

/** Returns what is wrong with a place of the contents, or null. Throws busy while a store is away. */
export async function storeFault(db: Db, where: Where): Promise<StoreFault | null> {
  for (const one of eachPlace(where)) {
    const fault = await faultOf(db, one)
    if (fault) return fault
  }
  return null
}

async function faultOf(db: Db, where: Where): Promise<StoreFault | null> {
  const place = placeOf(where)
  const found = await place.findMark()
  if (found === libraryId(db)) return null
  const blobs = sampleBlobs(db, SAMPLE)
  let there = 0
  for (const blob of blobs) if (await place.has(blob)) there++
  if (found !== null) {
    // Blobs are random: no other library has the same ones.
    if (isLibraryId(found) && there > 0 && there >= blobs.length / 2) return null
    const sentence = `It has the contents of another library. ${WAY_OUT}`
    return { kind: 'store_of_other', sentence }
  }
  if (blobs.length === 0 || there > 0) return null
  const question = where.store ? 'are bucket and prefix right?' : 'is its disk mounted?'
  const sentence = `It has none of the contents: ${question} ${WAY_OUT}`
  return { kind: 'store_unknown', sentence }
}

/** Returns whether a text has the form of a library's id, as in a marker. */
export function isLibraryId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** Marks each place of the contents as that of this library, whatever it holds. */
export async function adoptStore(db: Db, where: Where): Promise<void> {
  for (const one of eachPlace(where)) await placeOf(one).setMark(libraryId(db))
}

/** Marks a new place of contents. Throws a readable error when it has another library's mark or can't be reached. */
export async function markNewPlace(db: Db, where: Where): Promise<void> {
  const place = placeOf(where)
  const mark = await place.findMark()
  if (mark === libraryId(db)) return
  if (mark !== null) throw new Error(`${place.name}: It has the contents of another library`)
  await place.setMark(libraryId(db), { isNew: true })
}
