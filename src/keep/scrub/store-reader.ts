import { beforeAbort } from '../../base/time.ts'
import type { Place } from '../../media/places/place.ts'
import type { Reader } from './reader.ts'

interface Options {
  /** Whether all contents are asked for, in the order of their blobs. */
  isRound: boolean
  signal: AbortSignal
}

/**
 * Returns a reader that goes by the sizes of what is in a store, since reading that costs money. In a round it takes
 * them from the store's list, a request for each thousand. Throws busy while the store is away.
 */
export function storeReader(place: Place, { isRound, signal }: Options): Reader {
  const list = isRound ? place.list() : null
  // What comes next in the list: null before it is asked for, and undefined at the end.
  let next: { blob: string; size: number } | null | undefined = null
  const takeListed = async (blob: string) => {
    while (list && (next === null || (next && next.blob < blob))) {
      next = (await beforeAbort(list.next(), signal)).value || undefined
    }
    if (next?.blob !== blob) return null
    const { size } = next
    // Whoever asks again wants to know how it is then.
    next = null
    return size
  }
  return {
    async read({ blob, isWhole }) {
      const listed = isWhole ? await takeListed(blob) : null
      // It may have been stored since the list was read.
      const size = listed ?? (await beforeAbort(place.sizeOf(blob), signal))
      return size === null ? { code: 'ENOENT' } : { size, sha256: null }
    },
    end() {},
  }
}
