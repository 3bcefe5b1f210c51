import { write } from '../../src/db/write.ts'
import { visibleClusters } from '../../src/duplicates/clusters.ts'
import { randomNumbers } from '../support/file-rows.ts'
import { openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { printTable } from './measure.ts'
import { watchTurns } from './turns.ts'

const PAIRS = 80_000
const RUNS = 7

/**
 * Prints how long the clusters of 80,000 pairs take to find after a change, which those who ask next have
 * in memory, and how long nothing else could run meanwhile.
 */
export async function bench(): Promise<void> {
  const library = await openLibrary()
  const { db } = library.deps
  const root = await library.join('root', { is_admin: true })
  const ben = await library.join('ben')
  addPairs()
  const viewers = [
    { id: root.id, name: 'root', is_admin: true, can_create: true },
    { id: ben.id, name: 'ben', is_admin: false, can_create: true },
  ]
  const rows = []
  for (const viewer of viewers) {
    const times: { ms: number; hold: number; clusters: number }[] = []
    for (let run = 0; run < RUNS; run++) {
      db.run("UPDATE cache_versions SET version = version + 1 WHERE name = 'duplicates'")
      const watch = watchTurns()
      const started = performance.now()
      const { length: clusters } = await visibleClusters(db, viewer)
      times.push({ ms: performance.now() - started, clusters, hold: watch.end() })
    }
    const best = times.toSorted((a, b) => a.ms - b.ms)[0]!
    rows.push({ viewer: viewer.name, ...best })
  }
  printTable(`clusters of ${PAIRS} pairs after a change, best of ${RUNS}: 100 ms, in turns`, rows)
  await library.close()

  /** A third of the pairs are of equal hashes, the others of two groups; ben sees a half of the files. */
  function addPairs(): void {
    const random = randomNumbers(7)
    write(db, { now: 0 }, () => {
      addManyFiles(db, PAIRS * 2, { owner: root.id })
      db.run('UPDATE files SET phash = rid, is_public = (rid - 1) / 2 % 2')
      db.run(
        'INSERT INTO duplicate_scans (id, threshold, started_at, is_current) VALUES (1, 8, 0, 1)',
      )
      const rids = db.all<{ rid: number }>('SELECT rid FROM files ORDER BY rid')
      for (let n = 0; n < PAIRS; n++) {
        const isEqual = random(3) === 0
        for (const [side, { rid }] of rids.slice(2 * n, 2 * n + 2).entries()) {
          const group = isEqual ? 2 * n : 2 * n + side
          db.run('INSERT INTO duplicate_members VALUES (1, ?, ?, ?)', rid, group, rid)
        }
        if (!isEqual) db.run('INSERT INTO duplicate_pairs VALUES (1, ?, ?, 5)', 2 * n, 2 * n + 1)
      }
    })
  }
}
