import type { ReadonlySignal } from '@preact/signals'
import { useResource } from '../../base/resource.ts'
import { settled } from '../../base/settled.ts'
import { countFiles } from './changes.ts'

/** Reads a number anew after changes, and whatever may be one. */
function useFresh<Data>(
  read: (signal: AbortSignal) => Promise<Data>,
): ReadonlySignal<Data | undefined> {
  return useResource((signal) => {
    void settled.value
    return read(signal)
  }).data
}

/**
 * Returns how many files of a tag the viewer sees, by now; undefined until it is known. The tag of a
 * component stays the same.
 */
export function useFiles(id: string): ReadonlySignal<number | undefined> {
  return useFresh((signal) => countFiles(`{t=${id}}`, signal))
}

/** How many files carry two tags, and how many the first one alone. */
interface Shared {
  both: number
  first: number
}

/**
 * Returns of how many files two tags are, that the viewer sees; undefined until it is known. The
 * tags of a component stay the same.
 */
export function useShared(first: string, second: string): ReadonlySignal<Shared | undefined> {
  return useFresh(async (signal) => {
    const [both, alone] = await Promise.all([
      countFiles(`{t=${first},&,t=${second}}`, signal),
      countFiles(`{t=${first},&,!,t=${second}}`, signal),
    ])
    return { both, first: alone }
  })
}
