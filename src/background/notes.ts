import { listUnrecorded, recordOldNotes } from '../files/notes-queries.ts'
import { type Kind, PORTION } from './kind.ts'

/** Folds the notes of files from before notes were searched. */
export const notes: Kind<{ rid: number }> = {
  name: 'notes',
  version: () => '1',
  list: (db, stretch) => listUnrecorded(db, { ...stretch, limit: PORTION }),
  look:
    async (_, { rid }) =>
    (tx) =>
      recordOldNotes(tx, rid),
}
