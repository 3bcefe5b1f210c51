import type { Config } from '../../base/config.ts'
import type { Disk } from '../../base/disk.ts'
import { createLog, type Log } from '../../base/log.ts'
import type { StoreSettings } from '../../base/store-settings.ts'
import { dataFolder } from '../data-folder.ts'
import { bothPlaces } from './both.ts'
import { checkedPlace } from './checked.ts'
import { localPlace } from './local.ts'
import type { Place } from './place.ts'
import { s3Place } from './s3.ts'

/** Where a library is, and its contents. */
export type Where = Pick<Config, 'dataDir' | 'store'> & Partial<Pick<Config, 'oldPlace'>>

interface Options {
  /** The path of a content that is held and was removed. */
  aside?: (blob: string) => string
  disk?: Disk
  /** Bytes of the local copies of what is in a store. */
  cacheSize?: number
  /** The folder for temporary files. */
  temporary?: string
  log?: Log
  clock?: () => number
  /** Whether a store that was away is used: only once this has returned true. */
  check?: (() => Promise<boolean>) | null
}

/** Returns the place of a library's contents, which may be made of two. */
export function placeOf({ dataDir, store, oldPlace }: Where, options: Options = {}): Place {
  const remote = store ?? oldPlace?.store
  const local = localPlace(dataDir, options)
  if (!remote) return local
  const there = storePlace(dataDir, remote, options)
  if (!oldPlace) return there
  const { temporary = dataFolder(dataDir).temporary('tmp') } = options
  return bothPlaces({ local, store: there, to: store ? there : local, dataDir, temporary })
}

function storePlace(dataDir: string, store: StoreSettings, options: Options): Place {
  const { check, clock = Date.now, log = createLog('silent') } = options
  const place = s3Place(dataDir, store, { cacheSize: 0, ...options })
  return check ? checkedPlace(place, check, { clock, log }) : place
}

/** Returns each place of a library's contents by itself, first the one to which new ones go. */
export function eachPlace({ dataDir, store, oldPlace }: Where): Where[] {
  const stores = oldPlace ? [store, oldPlace.store] : [store]
  return stores.map((store) => ({ dataDir, store }))
}
