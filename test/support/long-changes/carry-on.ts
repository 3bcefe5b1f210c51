import { join } from 'node:path'
import { createDisk } from '../../../src/base/disk.ts'
import { openDatabase } from '../../../src/db/client.ts'
import { LONG_CHANGES } from '../../../src/library.ts'
import { createLongChanges } from '../../../src/long-changes/runner.ts'
import { countRows } from './portions.ts'

// A process that goes on with the changes of a library, and is killed after its first portion, unless it
// is told to go on to the end. Its arguments are the data folder, the time, the rows of a portion and,
// perhaps, `to-the-end`.
const [folder, time, rows, toTheEnd] = process.argv.slice(2)
const db = openDatabase(join(folder!, 'tagstead.sqlite'))
const tell = (message: string, fields?: object) =>
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const changes = createLongChanges({
  db,
  clock: () => Number(time),
  log: { debug: tell, info: tell, warn: tell, error: tell },
  kinds: LONG_CHANGES,
  disk: createDisk(folder!, 0),
  rows: Number(rows),
  onPortion() {
    if (!toTheEnd) process.kill(process.pid, 'SIGKILL')
  },
})
changes.resume()
while (countRows(db, 'long_changes') > 0) await new Promise((resolve) => setTimeout(resolve, 1))
await changes.stop()
db.close()
