import type { Config } from '../../base/config.ts'
import type { Log } from '../../base/log.ts'
import { place as placeSchema, placeText, type StoreSettings } from '../../base/store-settings.ts'
import type { Db } from '../../db/client.ts'
import { write } from '../../db/write.ts'
import { eachPlace, placeOf } from '../../media/places/open.ts'
import { markNewPlace, requireStore } from './store-marker.ts'
import { findPlaces, libraryId, type RecordedPlaces, setPlaces } from './store-queries.ts'

type PlaceSettings = Pick<Config, 'store' | 'access'>

/**
 * Returns the settings of a command with the place from which contents are still to be moved, if the library has one.
 * Throws a readable error unless CONTENTS is what the library's last server had.
 */
export function withPlaces<Settings extends PlaceSettings>(
  db: Db,
  config: Settings,
): Settings & Pick<Config, 'oldPlace'> {
  return withOld(config, placesFor(db, config).old_place)
}

/** Returns the places that the last server has recorded. Throws a readable error unless CONTENTS is what that had. */
export function placesFor(db: Db, { store }: Pick<Config, 'store'>): RecordedPlaces {
  const places = findPlaces(db)
  const [{ place }, asked] = [places, placeText(store)]
  if (place === null || place === asked) return places
  throw new Error(
    `The contents are in ${place}, and CONTENTS is ${asked}: give this command CONTENTS=${place}, or restart the ` +
      `server with CONTENTS=${asked} first`,
  )
}

/**
 * Makes sure that the places of the contents belong to this library, and returns the settings of a server with the one
 * from which contents are still to be moved, and whether all answered. When CONTENTS names another place than before,
 * that gets the new contents from now on: it is marked and recorded. Throws a readable error for a place that the
 * library can't have.
 */
export async function recordPlaces(
  db: Db,
  config: Config,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<{ config: Config; areKnown: boolean }> {
  const known = findPlaces(db)
  const asked = placeText(config.store)
  const place = known.place ?? (await earlierPlace(db, config)) ?? asked
  const old_place = nextOld({ ...known, place }, asked)
  const placed = withOld(config, old_place)
  const isNew = place !== asked && known.old_place !== asked
  if (isNew) {
    const [target, source] = eachPlace(placed)
    await requireStore(db, source!, log)
    await markNewPlace(db, target!)
  }
  const areKnown = await requireStore(db, placed, log)
  if (known.place !== asked || known.old_place !== old_place) {
    write(db, { now: Date.now() }, (tx) => setPlaces(tx, { place: asked, old_place }))
  }
  if (old_place !== null) {
    const command = `tagstead move-contents --to ${asked}`
    log.info(`contents are in two places, until "${command}" has moved them`, {
      to: asked,
      from: old_place,
    })
  }
  return { config: placed, areKnown }
}

// A library of an earlier version had its contents in its data folder, whose mark says so.
async function earlierPlace(db: Db, { dataDir }: Config): Promise<'local' | null> {
  const local = placeOf({ dataDir, store: null })
  return (await local.findMark()) === libraryId(db) ? 'local' : null
}

function nextOld({ place, old_place }: RecordedPlaces, asked: string): string | null {
  if (place === asked) return old_place
  if (old_place !== null && old_place !== asked) {
    throw new Error(
      `CONTENTS can't be ${asked} while contents are moved from ${old_place} to ${place}`,
    )
  }
  if (place === 'local' || asked === 'local') return place
  throw new Error(
    `CONTENTS can't be ${asked}: contents can't be moved from the store ${place} to another, but to local and from there`,
  )
}

function withOld<Settings extends PlaceSettings>(config: Settings, old_place: string | null) {
  const oldPlace = old_place === null ? null : { store: storeAt(old_place, config) }
  return { ...config, oldPlace }
}

function storeAt(recorded: string, { access }: Pick<Config, 'access'>): StoreSettings | null {
  const place = placeSchema.parse(recorded)
  if (place === null) return null
  if (access.accessKey && access.secretKey) return { ...place, ...access }
  throw new Error(
    `There are contents in ${recorded}: S3_ENDPOINT and the settings of its key must stay until they are moved`,
  )
}
