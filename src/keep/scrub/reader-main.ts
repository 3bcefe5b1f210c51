import { constants, setPriority } from 'node:os'
import { linesOf } from '../../base/child-process.ts'
import { openContents } from '../../media/contents.ts'
import { createPace } from './pace.ts'
import type { Asked, Reading } from './reader.ts'

// The process that reads contents for the scrub, one after the other: requests and answers are lines of JSON.

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
