import { listWithExif, recordCaptureAgain } from '../files/places/capture-queries.ts'
import { TOWNS_VERSION } from '../files/places/towns.ts'
import { type Kind, PORTION } from './kind.ts'

/** Records where files from before that was stored were taken and by which camera, by their EXIF. */
export const captures: Kind<{ rid: number }> = {
  name: 'captures',
  version: () => TOWNS_VERSION,
  list: (db, stretch) => listWithExif(db, { ...stretch, limit: PORTION }),
  look:
    async (_, { rid }) =>
    (tx) =>
      recordCaptureAgain(tx, rid),
}
