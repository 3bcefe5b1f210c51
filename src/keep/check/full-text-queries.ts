import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'

const f = columnNames(files)

// The number of trigrams and a checksum of them, as the full-text index has them or should have them.
interface Triples {
  files: number
  triples: number
  sum: number
}

const MODULUS = 2 ** 45
// With these, the sum depends on which letters stand where in whose name.
const [FIRST, SECOND, OF_FILE, PRIME] = [31, 7, 9973, 1_000_003]

/** Prepares a connection for `triplesInIndex`, which needs a temporary table: creating it may be forbidden later. */
export function readyFullText(db: Db): void {
  db.run(
    'CREATE VIRTUAL TABLE IF NOT EXISTS temp.files_fts_triples USING fts5vocab(main, files_fts, instance)',
  )
}

/** Returns what the full-text index holds. This reads all of it, which takes seconds in a large library. */
export function triplesInIndex(db: Db): Triples {
  const letters = `unicode(term) * ${FIRST} + unicode(substr(term, 2)) * ${SECOND} + unicode(substr(term, 3))`
  return db.get<Triples>(
    `SELECT (SELECT count(*) FROM files_fts_docsize) AS files, count(*) AS triples,
       ifnull(sum((${letters}) * (doc % ${OF_FILE} + 1) % ${PRIME} * ("offset" + 1)) % ${MODULUS}, 0) AS sum
     FROM temp.files_fts_triples`,
  )!
}

const STRETCH = 10_000

/** Returns what the names of all files add up to. Must be read in the same transaction. */
export function triplesInNames(db: Db): Triples {
  const sums: Triples = { files: 0, triples: 0, sum: 0 }
  for (let last = 0; ; ) {
    const rows = db.all<Pick<typeof files.$inferSelect, 'rid' | 'name_key'>>(
      `SELECT ${f.rid}, ${f.name_key} FROM files WHERE ${f.rid} > ? ORDER BY ${f.rid} LIMIT ${STRETCH}`,
      last,
    )
    for (const row of rows) addTriples(sums, row.rid, row.name_key)
    sums.files += rows.length
    if (rows.length < STRETCH) return sums
    last = rows.at(-1)!.rid
  }
}

function addTriples(sums: Triples, rid: number, name: string): void {
  const letters = Array.from(name, (letter) => letter.codePointAt(0)!)
  for (let at = 0; at + 2 < letters.length; at++) {
    const triple = letters[at]! * FIRST + letters[at + 1]! * SECOND + letters[at + 2]!
    const weighed = ((triple * ((rid % OF_FILE) + 1)) % PRIME) * (at + 1)
    sums.sum = (sums.sum + weighed) % MODULUS
    sums.triples++
  }
}

/** Rebuilds the full-text index from the names. */
export function rebuildFullText(tx: Tx): void {
  tx.run("INSERT INTO files_fts(files_fts) VALUES ('rebuild')")
}
