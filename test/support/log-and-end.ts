import { createLog } from '../../src/base/log.ts'

// A program of its own, which logs a line that nobody has to see at once, and ends in the way that its
// argument names.

const log = createLog('info')
const [, , way] = process.argv
log.info('the last line', { way })
if (way === 'throws') throw new Error('as it was asked to')
if (way === 'rejects') void Promise.reject(new Error('as it was asked to'))
if (way === 'exits') process.exit(3)
if (way === 'is full of it') log.info('a long line', { text: 'x'.repeat(70_000) })
if (way === 'is urgent') log.warn('a warning')
if (way === 'is full of it' || way === 'is urgent') process.kill(process.pid, 'SIGKILL')
