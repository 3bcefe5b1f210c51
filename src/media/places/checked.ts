import { busy } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { S3Error } from '../s3/request.ts'
import type { Place } from './place.ts'

/**
 * Returns a place that was away when the library was opened, and is used only once `check` has found whose contents it
 * has. That returns false while the place is away, throws an S3Error while it refuses, and another when they are not of
 * this library: then all use throws busy, until a start with other settings.
 */
export function checkedPlace(
  place: Place,
  check: () => Promise<boolean>,
  { clock, log }: { clock: () => number; log: Log },
): Place {
  let isKnown = false
  let foreignSince: number | null = null
  let checking: Promise<void> | null = null

  async function ask(): Promise<void> {
    try {
      isKnown = await check()
    } catch (error) {
      // What a store refuses says nothing of whose contents it has: its clock or its rights may be mended.
      if (error instanceof S3Error) return
      foreignSince = clock()
      log.error('the contents are not of this library', { error: String(error) })
    }
  }
  async function ready(): Promise<void> {
    if (isKnown) return
    if (foreignSince === null) {
      checking ??= ask().finally(() => {
        checking = null
      })
      await checking
    }
    if (foreignSince !== null) throw busy('The contents are not of this library')
    if (!isKnown) throw busy('The store of the contents does not answer: try again later')
  }
  const once =
    <Given extends unknown[], T>(use: (...given: Given) => Promise<T>) =>
    async (...given: Given) => {
      await ready()
      return use(...given)
    }

  return {
    ...place,
    stream: once(place.stream),
    asBlob: once(place.asBlob),
    async withLocalFile(blob, fn) {
      await ready()
      return place.withLocalFile(blob, fn)
    },
    has: once(place.has),
    store: once(place.store),
    remove: once(place.remove),
    removeAside: once(place.removeAside),
    async *list() {
      await ready()
      yield* place.list()
    },
    sweep: once(place.sweep),
    async look() {
      await ready().catch(() => {})
      const seen = await place.look()
      if (!seen || foreignSince === null) return seen
      return { ...seen, problem: 'foreign', since: foreignSince }
    },
  }
}
