import type { Db } from '../../src/db/client.ts'

/**
 * Returns a function that sets how many files a work of the background may look at, or null for all. A server that has
 * done them meets an error and waits, so that its work is never over before a test that is late.
 */
export function holdBackground(db: Db, work: string): (most: number | null) => void {
  db.run('CREATE TABLE held (most INTEGER)')
  db.run('INSERT INTO held VALUES (0)')
  for (const change of ['INSERT', 'UPDATE']) {
    db.run(
      `CREATE TRIGGER held_at_${change} BEFORE ${change} ON background_work
       WHEN NEW.name = '${work}' AND NEW.looked_at > (SELECT most FROM held)
       BEGIN SELECT RAISE(ABORT, 'the test waits'); END`,
    )
  }
  return (most) => db.run('UPDATE held SET most = ?', most)
}
