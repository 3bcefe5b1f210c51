import { writeSync } from 'node:fs'
import { acquireLock } from '../../src/db/lock.ts'

// Takes the lock of the path that it is given, for which it waits, and says so.

const lock = acquireLock(process.argv[2]!, 'it is taken')
writeSync(1, 'taken\n')
lock.release()
