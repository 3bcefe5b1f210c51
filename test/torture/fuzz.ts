import { walk } from '../contract/walk.ts'
import { openLibrary, picture } from '../harness.ts'

const REQUESTS = 6000

/** Sends thousands of made-up requests to all operations; FUZZ_SEED repeats an earlier walk. */
export async function torture(): Promise<void> {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
  const library = await openLibrary({ MAX_UPLOAD_SIZE: '1MiB' })
  try {
    const pictures = [await picture(1), await picture(2)]
    const tally = await walk(library, { seed, count: REQUESTS, pictures })
    const byStatus = new Map<number, number>()
    for (const statuses of tally.values()) {
      for (const [status, n] of statuses) byStatus.set(status, (byStatus.get(status) ?? 0) + n)
    }
    const counts = [...byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
    process.stdout.write(
      `fuzz: ${tally.size} operations, all answers as the document says, seed ${seed}; ` +
        `${counts.join(', ')}\n`,
    )
  } finally {
    await library.close()
  }
}
