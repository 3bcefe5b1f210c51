import type { Db } from '../../db/client.ts'
import { read, write } from '../../db/write.ts'
import { fullTextErrors } from './database-queries.ts'
import { isDamage } from './finding.ts'
import {
  readyFullText,
  rebuildFullText,
  triplesInIndex,
  triplesInNames,
} from './full-text-queries.ts'
import type { Inspection } from './inspection.ts'

/**
 * Checks the index that names are searched by. SQLite compares such an index with its table only under the write lock,
 * which would block a large library for seconds, so this reads it instead.
 */
export const fullText: Inspection = {
  what: 'The full-text index',
  find(db) {
    const reason = whatIsWrong(db)
    if (reason === null) return []
    return [{ kind: 'full_text_index', subject: 'files_fts', sentence: reason }]
  },
  mend: ({ db, clock }) => write(db, { now: clock() }, rebuildFullText),
}

function whatIsWrong(db: Db): string | null {
  readyFullText(db)
  try {
    const [error] = read(db, () => fullTextErrors(db))
    if (error !== undefined) return `SQLite's integrity check: ${error}`
    return read(db, () => {
      const [index, names] = [triplesInIndex(db), triplesInNames(db)]
      const isSame =
        index.files === names.files && index.triples === names.triples && index.sum === names.sum
      return isSame ? null : 'The full-text index differs from the names of the files'
    })
  } catch (error) {
    if (!isDamage(error)) throw error
    return 'The full-text index is damaged'
  }
}
