import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { acquireLock } from '../../src/db/lock.ts'

// Takes the lock of the path that it is given, says so, and has it for a tenth of a second.

const lock = acquireLock(process.argv[2]!, 'it is taken')
writeSync(1, 'taken\n')
await setTimeout(100)
lock.release()
