import type { Config } from '../../base/config.ts'
import { localPlace } from './local.ts'
import type { Place } from './place.ts'
import { s3Place } from './s3.ts'

/** Returns the place of a library's contents, to look at or to mark. */
export function placeOf({ dataDir, store }: Pick<Config, 'dataDir' | 'store'>): Place {
  return store ? s3Place(dataDir, store, { cacheSize: 0 }) : localPlace(dataDir)
}
