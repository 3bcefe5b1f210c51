import type { ReadonlySignal } from '@preact/signals'
import { useResource } from '../../base/resource.ts'
import { settled } from '../../base/settled.ts'
import { countFiles } from './changes.ts'

function useFresh<Data>(
  read: (signal: AbortSignal) => Promise<Data>,
): ReadonlySignal<Data | undefined> {
  return useResource((signal) => {
    void settled.value
    return read(signal)
  }).data
}

/**
 * Returns the current number of files of a tag that the viewer sees; undefined until it is loaded. The
 * component must not change the tag.
 */
export function useFiles(id: string): ReadonlySignal<number | undefined> {
  return useFresh((signal) => countFiles(`{t=${id}}`, signal))
}

/** How many files have both tags, and how many only the first one. */
interface Shared {
  both: number
  first: number
}

/**
 * Returns how many files that the viewer sees two tags share; undefined until it is loaded. The
 * component must not change the tags.
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
