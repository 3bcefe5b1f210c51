import type { Db } from '../../../src/db/client.ts'
import { addStoredFiles } from '../../support/stored-files.ts'

/**
 * Gives the library of a server that is not running so many files of the first user, with small contents that nobody
 * decodes, named by `prefix`.
 */
export function addOldFiles(dataDir: string, db: Db, count: number, prefix: string): void {
  const files = Array.from({ length: count }, (_, n) => {
    const name = `${prefix}-old-${n}`
    return { name, bytes: Buffer.from(`the content of ${name}`), time: n }
  })
  addStoredFiles(db, { folder: dataDir, store: null }, files)
}
