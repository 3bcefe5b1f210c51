import { isBusy } from '../../base/errors.ts'
import { beforeAbort } from '../../base/time.ts'
import { openContents } from '../../media/contents.ts'
import type { Place } from '../../media/places/place.ts'
import { S3Error } from '../../media/s3/request.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import { createPace } from './pace.ts'
import type { Asked, Reader, Reading } from './reader.ts'

interface Options {
  /** Whether all contents are asked for, in the order of their blobs. */
  isRound: boolean
  /** Whether contents are read. Otherwise only their sizes are known. */
  isReading: boolean
  dataDir: string
  signal: AbortSignal
}

/**
 * Returns a reader of what is in a store. Reading that costs money, so it goes by sizes unless it is told to read. In a
 * round it takes them from the store's list, a request for each thousand. Throws busy while the store is away.
 */
export function storeReader(
  place: Place,
  { isRound, isReading, dataDir, signal }: Options,
): Reader {
  const contents = openContents(dataDir, place)
  const list = isRound ? place.list() : null
  // What comes next in the list: null before it is asked for, and undefined at the end.
  let next: { blob: string; size: number } | null | undefined = null
  const takeListed = async (blob: string) => {
    while (list && (next === null || (next && next.blob < blob))) {
      next = (await list.next()).value || undefined
    }
    if (next?.blob !== blob) return null
    const { size } = next
    // Whoever asks again wants to know how it is then.
    next = null
    return size
  }
  const read = async ({ blob, size, isWhole }: Asked): Promise<Reading | null> => {
    const listed = isWhole ? await takeListed(blob) : null
    try {
      // It may have been stored since the list was read.
      const found = listed ?? (await place.sizeOf(blob))
      if (found === null) return null
      if (!isReading || !isWhole || found !== size) return { size: found, sha256: null }
      const pace = createPace()
      return await contents.digest(blob, { signal, onPiece: (piece) => pace(piece.length) })
    } catch (error) {
      // A store that answers may still be unable to read one of its objects, or refuse to.
      const isOurs = !isBusy(error) && !(error instanceof S3Error)
      if (isOurs || (await place.look())?.problem) throw error
      return { code: 'EIO' }
    }
  }
  return {
    isReading,
    read: async (asked) =>
      (await beforeAbort(unlessAbsent(read(asked)), signal)) ?? { code: 'ENOENT' },
    end() {},
  }
}
