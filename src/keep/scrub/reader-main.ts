import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { linesOf } from '../../base/child-process.ts'
import { openContents } from '../../media/contents.ts'
import type { Asked, Reading } from './reader.ts'

// The process that reads contents for the scrub, one after the other: requests and answers are lines of JSON.

// Bytes in a second at most.
const RATE = 10_000_000

// The returned function waits, after some bytes were read, until the next may be. Idle time is not made up for.
function createPace(): (bytes: number) => Promise<void> {
  let begun = performance.now()
  return async (bytes) => {
    const rest = begun + (bytes / RATE) * 1000 - performance.now()
    if (rest > 0) await setTimeout(rest)
    begun = performance.now()
  }
}

// The data folder is its only argument.
const contents = openContents(process.argv[2]!)

async function answer({ blob, isWhole }: Asked): Promise<Reading> {
  try {
    if (!isWhole) {
      await contents.readStart(blob)
      return { size: 1, sha256: '' }
    }
    const pace = createPace()
    return await contents.digest(blob, { onPiece: (piece) => pace(piece.length) })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { code }
  }
}

// Serving pictures comes first.
setPriority(constants.priority.PRIORITY_LOW)
// A service manager's SIGTERM also reaches this process, but the server ends it.
process.on('SIGTERM', () => {})
for await (const line of linesOf(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`)
}
