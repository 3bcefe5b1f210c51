import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError } from '../base/error.ts'
import type { Cell } from '../base/listing.ts'
import type { Files } from '../grid/index.ts'

/** The files before and after one; null at the ends, and until they are loaded. */
interface Neighbours {
  previous: Cell | null
  next: Cell | null
}

/** Returns the files before and after a file, as far as they are loaded. */
export function useNeighbours(files: Files, id: string): Neighbours {
  const found = useSignal<(Neighbours & { of: string }) | null>(null)
  const position = files.positionOf(id)
  useEffect(() => {
    let isWanted = true
    const look = async () => {
      // This loads them for the strip as well.
      await files.locate(id)
      const neighbours = await files.neighbours(id)
      if (isWanted) found.value = { of: id, ...neighbours }
    }
    look().catch((error) => {
      if (!(error instanceof ApiError)) throw error
    })
    return () => {
      isWanted = false
    }
  }, [files, id, files.total.value])
  if (position !== null) {
    const previous = position > 0 ? files.peek(position - 1) : null
    const next = files.peek(position + 1)
    const isWhole = (previous || position === 0) && (next || position + 1 === files.total.value)
    if (isWhole) return { previous, next }
  }
  return found.value?.of === id ? found.value : { previous: null, next: null }
}
