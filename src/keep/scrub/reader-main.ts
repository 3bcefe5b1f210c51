import { open } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { linesOf } from '../../base/child-process.ts'
import { readDigest } from '../../media/digest.ts'
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

async function readFirst(path: string): Promise<Reading> {
  const handle = await open(path, 'r')
  try {
    await handle.read(Buffer.alloc(1), 0, 1, 0)
    return { size: 1, sha256: '' }
  } finally {
    await handle.close()
  }
}

async function answer({ path, isWhole }: Asked): Promise<Reading> {
  try {
    if (!isWhole) return await readFirst(path)
    const pace = createPace()
    return await readDigest(path, { onPiece: (piece) => pace(piece.length) })
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
